/** The answer to a creation, with the same fields for both kinds. */
export type Created = {
  url: string
  rawUrl?: string
  deletionUrl: string
  expiresAt?: string
  /** How often it may be used, if there is a limit. */
  uses?: number
  /** Id of the language of a paste, if it was detected. */
  language?: string
}

/** What to show of an error, at which field of the API, and what that could have instead. */
export type FieldProblem = { field?: string; message: string; value?: string }

/** An error response: status, message, the wait after a 429, and what the form shows. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterSeconds = 0,
    readonly problem: FieldProblem = { message },
  ) {
    super(message)
  }
}

/** The logo leads to the root of the site, also from the page of a paste. */
const fromRoot = (path: string) =>
  new URL(path, document.querySelector<HTMLAnchorElement>('.brand')?.href ?? document.baseURI)

/** @param path from the root of the site @returns a success. @throws {Refusal} */
const send = async (path: string, init: RequestInit) => {
  let response: Response
  try {
    // An error then has the words for the form.
    const headers = { Accept: 'application/json; for=form', ...init.headers }
    response = await fetch(fromRoot(path), { ...init, headers })
  } catch {
    throw new Refusal(0, 'The server cannot be reached. Nothing you typed is lost. Try again.')
  }
  if (response.ok) return response
  const { status, headers } = response
  const { error, problem } = await response.json().catch(() => ({ error: `The server answered ${status}.` }))
  throw new Refusal(status, error, Number(headers.get('Retry-After') ?? 0), problem)
}

/** @returns the JSON of a success, and its entity tag if it has one. @throws {Refusal} */
export const exchange = async (path: string, init: RequestInit) => {
  const response = await send(path, init)
  const answer = await response.json().catch(() => ({}))
  return { answer, tag: response.headers.get('ETag') ?? '' }
}

/** @returns the JSON of a success. @throws {Refusal} */
export const request = async (path: string, init: RequestInit) => (await exchange(path, init)).answer

/** @returns the text of a success. @throws {Refusal} */
export const requestText = async (path: string, init: RequestInit) => (await send(path, init)).text()

/** What the server has drawn. */
export const drawn = (html: string): DocumentFragment => {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content
}

const create = (path: string, key: string, body: object) =>
  request(path, {
    method: 'POST',
    headers: { key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

export const createPaste = async (key: string, body: object): Promise<Created> => {
  const { pasteUrl: url, maxReads: uses, ...rest } = await create('paste', key, body)
  return { ...rest, url, uses }
}

export const createLink = async (key: string, body: object): Promise<Created> => {
  const { shortendUrl: url, maxVisits: uses, ...rest } = await create('shortener', key, body)
  return { ...rest, url, uses }
}

/** The name of a key, and whether it is an admin key; `undefined` if the server does not say. */
export const keyFacts = async (key: string): Promise<{ name: string; admin?: boolean } | undefined> =>
  request('key', { headers: { key } }).catch(() => undefined)

/** Deletes an item by its deletion address, which is the permission. Sends it to the server of this page. */
export const deleteItem = (deletionUrl: string) => {
  const { pathname, search } = new URL(deletionUrl)
  const kind = pathname.endsWith('/shortener/delete') ? 'shortener' : 'paste'
  return request(`${kind}/delete${search}`, { method: 'DELETE' })
}
