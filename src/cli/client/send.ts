import type { Failure } from './failures.ts'
import { networkFailure } from './network-failure.ts'

export type Call = {
  method: 'GET' | 'POST' | 'DELETE'
  /** Address without trailing slash, fit to be shown. */
  server: string
  /** Path, and query where there is one. */
  path: string
  key?: string
  /** JSON in UTF-8. */
  body?: Uint8Array
  /** Called with the bytes of the body that are on their way. */
  onSent?: (bytes: number) => void
  /** How long nothing may move. */
  timeoutMs: number
  /** Longer answers are read as none; 1 MiB when left out, for no short answer of Shortcrust comes near it. */
  maxReplyBytes?: number
}

export type Reply = {
  status: number
  headers: Headers
  /** What the answer's JSON says; `undefined` when it is none. */
  body: unknown
}

const chunkBytes = 64 * 1024

const shortReplyBytes = 1024 ** 2

/** Hands the body over piece by piece, as fast as the connection takes it. */
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

/** Makes one request on a connection of its own. Redirects are not followed: the key is for one server only. */
export const send = async (call: Call): Promise<Reply | Failure> => {
  const { method, server, path, key, body, onSent, timeoutMs, maxReplyBytes = shortReplyBytes } = call
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
    return networkFailure(server, error, idle.signal.aborted ? timeoutMs / 1000 : undefined)
  } finally {
    clearTimeout(timer)
  }
}
