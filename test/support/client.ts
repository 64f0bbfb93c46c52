import { testKey } from './process.ts'

export type PasteBody = {
  text?: unknown
  title?: unknown
  description?: unknown
  language?: unknown
  maxReads?: unknown
  alias?: string
  expiresIn?: unknown
}

export const examplePaste = {
  text: 'const a: number = 1\n',
  title: 'An example',
  description: 'One line',
  language: 'typescript',
}

/** Calls one server as an API client does. */
export const createClient = (url: string, key = testKey) => {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { key, 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const created = async (path: string, body: object) => {
    const response = await post(path, body)
    const answer = (await response.json()) as Record<string, string>
    if (response.status !== 201) throw new Error(`${path} answered ${response.status}: ${answer.error}`)
    return answer
  }
  return {
    key,
    post,
    /** The answer of a creation that must succeed. */
    paste: (fields: PasteBody = {}) => created('/paste', { ...examplePaste, ...fields }),
    link: (target = 'https://example.org/', fields: object = {}) =>
      created('/shortener', { url: target, ...fields }),
    /** Changes what an address of this server leads to; that must succeed. */
    change: async (address: string, fields: object) => {
      const [, kind, name] = /\/([ps])\/([^/]+)$/.exec(address) ?? []
      const headers = { key, 'Content-Type': 'application/json' }
      const init = { method: 'PATCH', headers, body: JSON.stringify(fields) }
      const { status } = await fetch(`${url}/${kind === 's' ? 'links' : 'pastes'}/${name}`, init)
      if (status !== 200) throw new Error(`a change of ${address} answered ${status}`)
    },
    get: (address: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
      fetch(address.startsWith('http') ? address : url + address, { headers, redirect: 'manual', ...init }),
  }
}
