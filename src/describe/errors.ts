import type { HeaderWord } from './headers.ts'

export type ErrorResponse = readonly [description: string, example: string, ...headers: HeaderWord[]]

/** Every error status: its meaning, an example message, its headers. */
export const errorResponses = {
  400: ['The request is malformed', 'The Host header is missing or malformed'],
  401: ['No valid API key', 'This API key is not valid'],
  403: [
    'Not allowed for this API key, or for a page of another host without one; or the item takes only `POST`',
    'This API key may create short links only; use a key that may create pastes',
  ],
  404: ['There is nothing at this address', 'There is nothing at this address'],
  405: ['The method is not answered', 'Method not allowed. Allowed here: POST'],
  409: ['The alias is taken', 'Field "alias": the name "wiki" is taken; choose another'],
  410: ['It was deleted or has expired', 'This paste was deleted or has expired'],
  412: [
    'It was changed meanwhile; nothing was changed',
    'This paste was changed meanwhile: it is version 3 now. Read it again before you change it.',
  ],
  413: ['The text or the body is too large', 'Field "text" is larger than 1048576 bytes of UTF-8'],
  422: ['A field is missing, or of the wrong type or value', 'Field "text" must not be empty'],
  429: [
    'Too many requests with this API key',
    'Rate limit exceeded: 3 requests per 15 seconds. Try again in 12 s.',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
  ],
  500: ['Something failed that is not the fault of the client; the log says more', 'Internal error'],
  503: ['Storage failed; nothing was changed', 'Storage failed. Nothing was changed; try again later.'],
  507: ['The disk is full; nothing was stored', 'The disk is full. Nothing was stored.'],
} as const satisfies Record<number, ErrorResponse>

/** The errors of an operation, each with its message; `''` means the default one. */
export type Errors = Readonly<Partial<Record<keyof typeof errorResponses, string>>>

/** Every address refuses a request without a valid `Host`, and may fail unexpectedly. */
export const everywhere: Errors = { 400: '', 500: '' }
/** For every operation that takes a key: who needs none is asked where the request comes from. */
export const keyErrors: Errors = {
  403: 'A page of another host sent this request, and may not create without an API key. If it is a page of this server, set --public-url to its address',
}
/** For every operation that writes. */
export const storageErrors: Errors = { 503: '', 507: '' }
/** For every operation that creates with a key. */
export const creationErrors: Errors = {
  ...{ 400: '', 401: '', 403: '', 409: '', 413: '', 422: '', 429: '' },
  ...storageErrors,
}
export const uploadErrors: Errors = {
  ...creationErrors,
  400: 'Invalid input format: the body is not UTF-8; convert it first, for example with iconv',
  413: 'The request body is larger than 1048576 bytes',
  422: 'The upload is empty',
}
export const pasteErrors: Errors = { 404: 'There is no paste at this address', 410: '' }
export const linkErrors: Errors = {
  404: 'There is no short link at this address',
  410: 'This short link was deleted or has expired',
}
/** The messages for programs that `GET` a burn-after-reading item. */
export const burningErrors = {
  paste:
    'This paste burns after reading: each read counts. Send POST to /p/raw/7y84tyt5ec to read it, or open /p/7y84tyt5ec in a browser.',
  link: 'This short link burns after its last visit: each visit counts. Send POST to /s/8xkwphv to follow it, or open it in a browser.',
}
/** For a read or visit, which must be counted first. */
export const countErrors = (kind: 'paste' | 'short link'): Errors => {
  const text = `The ${kind} is not shown, because that could not be counted. Try again later.`
  return { 503: text, 507: text }
}
/** The message for an unknown language in the query. */
export const unknownLanguage = '"lang" is not a known language; the nearest one is "python"'
