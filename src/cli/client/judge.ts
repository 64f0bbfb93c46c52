import { withoutControls } from '../../control-characters.ts'
import { shellWord } from '../../shell-words.ts'
import type { ExitCode, Failure } from './failures.ts'
import type { Reply } from './send.ts'

/** The JSON object of a success, as the server sent it. */
export type Answer = Readonly<Record<string, unknown>>

const exitCodeOf = (status: number): ExitCode => {
  if (status === 401 || status === 403) return 3
  if (status === 429) return 4
  return status >= 500 ? 6 : 1
}

/** As much of what a server says as a message has room for. */
const shown = (text: string) => withoutControls(text).slice(0, 500)

/** Answers that are not of Shortcrust: of a proxy before it, or of another server. */
const foreign = ({ status, headers }: Reply, server: string): Failure => {
  const location = URL.parse(headers.get('location') ?? '', server)
  if (status >= 300 && status < 400 && location)
    return { problem: `${server} sends on to ${location.origin}: use that address`, exitCode: 5 }
  if (status === 413)
    return { problem: `a proxy before ${server} does not take so much text (413)`, exitCode: 1 }
  if (status === 502 || status === 504)
    return { problem: `the proxy at ${server} does not reach its server (${status})`, exitCode: 5 }
  const type = shown(headers.get('content-type') ?? 'no type')
  return { problem: `${server} does not answer like a Shortcrust server (${status}, ${type})`, exitCode: 5 }
}

const refusal = ({ status, headers }: Reply, error: string, server: string): Failure => {
  const advice = status === 401 ? `; run shortcrust login ${shellWord(server)} with a valid key` : ''
  const failure: Failure = { problem: `${shown(error)}${advice}`, exitCode: exitCodeOf(status), status }
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return status === 429 && seconds > 0 ? { ...failure, retryAfterSeconds: Math.ceil(seconds) } : failure
}

/** What a reply means: the answer of a success, or what to tell the person at the terminal. */
export const judge = (reply: Reply, server: string): { answer: Answer } | Failure => {
  const body = (typeof reply.body === 'object' ? reply.body : null) as Answer | null
  if (reply.status < 300 && body?.success === true) return { answer: body }
  if (reply.status >= 400 && body?.success === false && typeof body.error === 'string')
    return refusal(reply, body.error, server)
  return foreign(reply, server)
}

/** An address out of an answer, fit to be printed. */
export const addressIn = (answer: Answer, name: string, server: string): { address: string } | Failure => {
  const address = answer[name]
  if (typeof address === 'string' && /^https?:\/\/[\x21-\x7e]+$/.test(address)) return { address }
  return { problem: `${server} does not answer like a Shortcrust server (no ${name})`, exitCode: 5 }
}
