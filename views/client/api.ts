/** What the API answers to a creation, in one shape for both kinds. */
export type Created = { url: string; rawUrl?: string; deletionUrl: string }

/** An answer that is no success: its status, its message, and how long to wait after a 429. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message)
  }
}

const send = async (path: string, init: RequestInit) => {
  let response: Response
  try {
    response = await fetch(path, init)
  } catch {
    throw new Refusal(0, 'The server cannot be reached. Nothing you typed is lost: try again.', 0)
  }
  const answer = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }))
  if (!response.ok)
    throw new Refusal(response.status, answer.error, Number(response.headers.get('Retry-After') ?? 0))
  return answer
}

const create = (path: string, key: string, body: object) =>
  send(path, {
    method: 'POST',
    headers: { key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

export const createPaste = async (key: string, body: object): Promise<Created> => {
  const { pasteUrl, rawUrl, deletionUrl } = await create('paste', key, body)
  return { url: pasteUrl, rawUrl, deletionUrl }
}

export const createLink = async (key: string, body: object): Promise<Created> => {
  const { shortendUrl, deletionUrl } = await create('shortener', key, body)
  return { url: shortendUrl, deletionUrl }
}

/** Deletes by the permission that the deletion address itself is, at the server this page came from. */
export const deleteItem = (deletionUrl: string) => {
  const { pathname, search } = new URL(deletionUrl)
  const kind = pathname.endsWith('/shortener/delete') ? 'shortener' : 'paste'
  return send(`${kind}/delete${search}`, { method: 'DELETE' })
}
