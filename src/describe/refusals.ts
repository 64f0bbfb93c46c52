import { type HeaderName, withHeaders } from './headers.ts'
import { html, json } from './parts.ts'
import type { Answer } from './types.ts'

type Refusal = readonly [description: string, example: string, ...headers: HeaderName[]]

/** Everything that can go wrong: what its status means, and what the answer may say. */
const refusalOf = {
  400: ['The request is malformed', 'The Host header is missing or malformed'],
  401: ['No valid API key', 'This API key is not valid'],
  403: [
    'Not allowed: the API key may not do this, or the item is limited and takes `POST`',
    'This API key may create short links only; use a key that may create pastes',
  ],
  404: ['There is nothing at this address', 'There is nothing at this address'],
  405: ['The method is not answered', 'Method not allowed. Allowed here: POST', 'Allow'],
  409: ['The alias is taken', 'Field "alias": the name "wiki" is taken; choose another'],
  410: ['It was deleted or has expired', 'This paste was deleted or has expired'],
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
} satisfies Record<number, Refusal>

type Status = keyof typeof refusalOf
type Refusals = Readonly<Record<number, Answer>>

const refusals = (examples: Readonly<Partial<Record<Status, string>>>, isForBrowsers: boolean): Refusals =>
  Object.fromEntries(
    Object.entries(examples).map(([status, example]) => {
      const [description, usual, ...headers]: Refusal = refusalOf[Number(status) as Status]
      const body = json('ErrorBody', { success: false, error: example || usual })
      const answer = { description, content: isForBrowsers ? { ...body, ...html } : body }
      return [status, headers.length ? { ...answer, ...withHeaders(...headers) } : answer]
    }),
  )

/** A request without a usable `Host` is refused at every address, and the unforeseen can happen at each. */
const everywhere = { 400: '', 500: '' }

/** Errors of an endpoint for programs, each with its message; `''` takes the usual one. */
export const refusalsInJson = (examples: Readonly<Partial<Record<Status, string>>>) =>
  refusals({ ...everywhere, ...examples }, false)

/** The same where a browser that asks for `text/html` gets a page. */
export const refusalsForAll = (examples: Readonly<Partial<Record<Status, string>>>) =>
  refusals({ ...everywhere, ...examples }, true)
