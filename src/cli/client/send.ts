import { withoutControls } from '../../output.ts'
import { shellWord } from '../../shell-words.ts'
import type { ClientFlags, Terminal } from '../terminal.ts'

export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Address without trailing slash, safe to print. */
  server: string
  /** Path, with the query if there is one. */
  path: string
  key?: string
  /** JSON in UTF-8. */
  body?: Uint8Array
  /** The entity tag of what is to be changed. */
  ifMatch?: string
  /** Called with the bytes of the body handed to the connection so far. */
  onSent?: (bytes: number) => void
  /** How long a connection may be idle. */
  timeoutMs: number
  /** Longer answers are ignored. Default 1 MiB: short answers of Shortcrust are far below. */
  maxReplyBytes?: number
}

export type Reply = {
  status: number
  headers: Headers
  /** The parsed JSON; `undefined` if the body is not JSON. */
  body: unknown
}

const chunkBytes = 64 * 1024

const shortReplyBytes = 1024 ** 2

/** Sends the body piece by piece, as fast as the connection takes it. */
const countedBody = (body: Uint8Array, onSent: (bytes: number) => void) => {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = body.slice(at, at + chunkBytes)
      at += chunk.length
      onSent(at)
      if (chunk.length > 0) controller.enqueue(chunk)
      if (at >= body.length) controller.close()
    },
  })
}

const readJson = async (response: Response, maxReplyBytes: number, onMove: () => void): Promise<unknown> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    onMove()
    bytes += chunk.length
    if (bytes > maxReplyBytes) return undefined
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

/** The reason of every failure of a certificate begins so. */
export const tlsTrouble = 'TLS failed'

const trust = 'if it is yours, name its CA certificate in NODE_EXTRA_CA_CERTS'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there: is the server running, and is the port right?',
  ENOTFOUND: 'no host has this name',
  EAI_AGAIN: 'no host has this name',
  EHOSTUNREACH: 'there is no route to this host',
  ENETUNREACH: 'there is no route to this host',
  ETIMEDOUT: 'the host does not answer',
  ECONNRESET: 'the connection was cut before an answer came; does the address need https://?',
  EPIPE: 'the connection was cut before an answer came',
  Malformed_HTTP_Response: 'what answers there does not speak HTTP; does the address need https://?',
  EPROTO: `${tlsTrouble}: does the address need http:// instead of https://?`,
  DEPTH_ZERO_SELF_SIGNED_CERT: `${tlsTrouble}: the certificate is self-signed; ${trust}`,
  SELF_SIGNED_CERT_IN_CHAIN: `${tlsTrouble}: the certificate is from an unknown authority; ${trust}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${tlsTrouble}: the certificate is from an unknown authority; ${trust}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `${tlsTrouble}: the certificate is from an unknown authority; ${trust}`,
  CERT_HAS_EXPIRED: `${tlsTrouble}: the certificate has expired`,
  CERT_NOT_YET_VALID: `${tlsTrouble}: the certificate is not valid yet; is the clock right?`,
  ERR_TLS_CERT_ALTNAME_INVALID: `${tlsTrouble}: the certificate is for another host name`,
}

/** Why a request failed, in plain words. @param error thrown by `fetch` */
export const networkReason = (error: unknown) => {
  const { code = '', message } = error as { code?: string; message: string }
  return reasons[code] ?? `the request failed (${code || message})`
}

const networkFailure = (server: string, error: unknown, silentSeconds?: number) => {
  const silence = `nothing moved for ${silentSeconds} s; it is not known whether the server did it`
  const reason = silentSeconds === undefined ? networkReason(error) : silence
  return new Failure(`cannot reach ${server}: ${reason}`, 5)
}

/** Sends one request on its own connection. Redirects are not followed: the key is for one server only. @throws {Failure} */
export const send = async (call: Call): Promise<Reply> => {
  const {
    method,
    server,
    path,
    key,
    body,
    ifMatch,
    onSent,
    timeoutMs,
    maxReplyBytes = shortReplyBytes,
  } = call
  const idle = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const onMove = () => {
    clearTimeout(timer)
    timer = setTimeout(() => idle.abort(), timeoutMs)
  }
  const stream =
    body &&
    countedBody(body, (bytes) => {
      onMove()
      onSent?.(bytes)
    })
  const headers: Record<string, string> = { Accept: 'application/json' }
  if (key) headers.key = key
  if (ifMatch) headers['If-Match'] = ifMatch
  if (body)
    Object.assign(headers, { 'Content-Type': 'application/json', 'Content-Length': String(body.length) })
  onMove()
  try {
    const response = await fetch(server + path, {
      method,
      headers,
      redirect: 'manual',
      keepalive: false,
      signal: idle.signal,
      ...(stream && { body: stream }),
    })
    const { status, headers: replyHeaders } = response
    return { status, headers: replyHeaders, body: await readJson(response, maxReplyBytes, onMove) }
  } catch (error) {
    throw networkFailure(server, error, idle.signal.aborted ? timeoutMs / 1000 : undefined)
  } finally {
    clearTimeout(timer)
  }
}

/** The JSON object of a success, as the server sent it. */
export type AnswerFields = Readonly<Record<string, unknown>>

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
  if (status === 413) return new Failure(`a proxy in front of ${server} refuses this much text (413)`, 1)
  if (status === 502 || status === 504)
    return new Failure(`the proxy at ${server} does not reach its server (${status})`, 5)
  return foreignServer(server, `${status}, ${shown(headers.get('content-type') ?? 'no type')}`)
}

const errorResponse = ({ status, headers }: Reply, error: string, server: string) => {
  const advice = status === 401 ? `; run shortcrust login ${shellWord(server)} with a valid key` : ''
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retry = status === 429 && seconds > 0 && { retryAfterSeconds: Math.ceil(seconds) }
  // More may follow; a full stop comes with the last of it.
  const says = shown(error).replace(/\.$/, '')
  return new Failure(`${says}${advice}`, exitCodeOf(status), { status, says, ...retry })
}

/** The JSON of a success. @throws {Failure} */
export const parseReply = (reply: Reply, server: string): AnswerFields => {
  const body = (typeof reply.body === 'object' ? reply.body : null) as AnswerFields | null
  if (reply.status < 300 && body?.success === true) return body
  if (reply.status >= 400 && body?.success === false && typeof body.error === 'string')
    throw errorResponse(reply, body.error, server)
  throw foreign(reply, server)
}

/** An address in an answer that is safe to print; `undefined` if there is none. */
export const addressIn = (answer: AnswerFields, name: string) => {
  const address = answer[name]
  return typeof address === 'string' && /^https?:\/\/[\x21-\x7e]+$/.test(address) ? address : undefined
}

/** A longer wait is for the user to decide on. */
const longestWaitSeconds = 60

/** Waits for one item: others may use up the rate of the same key. */
const mostWaits = 5

type Waiting = {
  flags: Pick<ClientFlags, 'no-wait'>
  terminal: Pick<Terminal, 'sleep'>
  /** Called before each wait. */
  onWait: (seconds: number) => void
}

export const waitWords = (seconds: number) => `the rate limit is reached; waiting ${seconds} s`

/**
 * Sends what counts for the rate limit; again after the wait that the server asks for, unless `--no-wait` is given.
 * @throws {Failure} the last one
 */
export const withinRate = async <T>(
  attempt: () => Promise<T>,
  { flags, terminal, onWait }: Waiting,
): Promise<T> => {
  for (let waits = 0; ; waits++)
    try {
      return await attempt()
    } catch (error) {
      const seconds = error instanceof Failure ? error.reply.retryAfterSeconds : undefined
      const isLast = waits === mostWaits || flags['no-wait'] === true
      if (seconds === undefined || seconds > longestWaitSeconds || isLast) throw error
      onWait(seconds)
      await terminal.sleep(seconds * 1000)
    }
}

/** The meaning of each exit code; docs/reference.md has the same table. */
export const exitCodes = {
  0: 'done',
  1: 'refused, a link is gone, the server cannot start, an input cannot be sent, or an output cannot be written',
  2: 'wrong usage: a flag, a word, or no server or key is known',
  3: 'not authorised: the server does not take this key, or not for this',
  4: 'rate limited: try again after the seconds in the message',
  5: 'no Shortcrust server was reached: wrong address, network, TLS, or nothing moved for too long',
  6: 'the server failed to store: disk full or faulty',
  129: 'ended by a hangup: `backup`, `restore` or `mirror`, which leave nothing unfinished behind',
  130: 'ended by Ctrl-C: one of these, `login`, or a server that was stopped a second time',
  141: 'the reader of the output stopped early, as in `| head -1`',
  143: 'ended by SIGTERM: `backup`, `restore` or `mirror`',
} as const

export type ExitCode = keyof typeof exitCodes

type Refusal = {
  /** HTTP status, if the server refused. */
  status?: number
  /** What the server wrote, safe to print. */
  says?: string
  /** Whole seconds before a retry may succeed; only with exit code 4. */
  retryAfterSeconds?: number
}

/** Why a command stopped; the message is one line for the terminal. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
    readonly reply: Refusal = {},
  ) {
    super(message)
  }
}

/** A mistake on the command line. */
export const wrongUsage = (message: string) => new Failure(message, 2)

/** The answer does not come from Shortcrust. */
export const foreignServer = (server: string, what: string) =>
  new Failure(`${server} does not answer like a Shortcrust server (${what})`, 5)

/** Does the work, and puts the subject in front of a failure's message. */
export const about = async <T>(subject: string, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(`${subject}: ${error.message}`, error.exitCode, error.reply)
  }
}
