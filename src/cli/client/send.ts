import { Failure } from './failures.ts'

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
const counted = (body: Uint8Array, onSent: (bytes: number) => void) => {
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
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'there is no host of this name',
  EHOSTUNREACH: 'there is no way to this host',
  ENETUNREACH: 'there is no way to this host',
  ETIMEDOUT: 'the host does not answer',
  ECONNRESET: 'the connection was cut before an answer came; does the address need https://?',
  EPIPE: 'the connection was cut before an answer came',
  Malformed_HTTP_Response: 'what answers there does not speak HTTP; does the address need https://?',
  EPROTO: `${tlsTrouble}: does the address need http:// in place of https://?`,
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
    counted(body, (bytes) => {
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
