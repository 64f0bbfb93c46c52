import { withoutControls } from '../../output.ts'
import { shellWord } from '../../shell-words.ts'
import { type ExitCode, Failure, foreignServer } from './failures.ts'
import type { Reply } from './send.ts'

/** The JSON object of a success, as the server sent it. */
export type Answer = Readonly<Record<string, unknown>>

const exitCodeOf = (status: number): ExitCode => {
  if (status === 401 || status === 403) return 3
  if (status === 429) return 4
  return status >= 500 ? 6 : 1
}

/** The part of a server's text that fits into a message. */
const shown = (text: string) => withoutControls(text).slice(0, 500)

/** The failure for a response that is not from Shortcrust, but from a proxy or another server. */
const foreign = ({ status, headers }: Reply, server: string) => {
  const location = URL.parse(headers.get('location') ?? '', server)
  if (status >= 300 && status < 400 && location)
    return new Failure(`${server} sends on to ${location.origin}: use that address`, 5)
  if (status === 413) return new Failure(`a proxy before ${server} does not take so much text (413)`, 1)
  if (status === 502 || status === 504)
    return new Failure(`the proxy at ${server} does not reach its server (${status})`, 5)
  return foreignServer(server, `${status}, ${shown(headers.get('content-type') ?? 'no type')}`)
}

const errorResponse = ({ status, headers }: Reply, error: string, server: string) => {
  const advice = status === 401 ? `; run shortcrust login ${shellWord(server)} with a valid key` : ''
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retry = status === 429 && seconds > 0 && { retryAfterSeconds: Math.ceil(seconds) }
  const says = shown(error)
  return new Failure(`${says}${advice}`, exitCodeOf(status), { status, says, ...retry })
}

/** The JSON of a success. @throws {Failure} */
export const parseReply = (reply: Reply, server: string): Answer => {
  const body = (typeof reply.body === 'object' ? reply.body : null) as Answer | null
  if (reply.status < 300 && body?.success === true) return body
  if (reply.status >= 400 && body?.success === false && typeof body.error === 'string')
    throw errorResponse(reply, body.error, server)
  throw foreign(reply, server)
}

/** An address in an answer that is safe to print; `undefined` if there is none. */
export const addressIn = (answer: Answer, name: string) => {
  const address = answer[name]
  return typeof address === 'string' && /^https?:\/\/[\x21-\x7e]+$/.test(address) ? address : undefined
}
