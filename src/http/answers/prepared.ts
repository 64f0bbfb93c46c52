import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Coding, codingOf } from './negotiate.ts'

type Headers = Readonly<Record<string, string>>

/**
 * An answer that is given again and again. Its headers are built once: Bun copies a finished `Headers` in 1 µs less
 * than a plain object, of 9.5 µs that a redirect takes in all.
 */
export type Prepared = {
  /** Bytes are a `Blob`, which Bun sends from where it lies: an array is copied each time, 5 % of answering a page. */
  body: string | Blob
  /** Strong entity tag, in quotes; none for an answer that must not be kept. */
  etag: string | undefined
  whole: ResponseInit
  notModified: ResponseInit
}

export const prepare = (
  body: Prepared['body'],
  { headers, etag, status = 200 }: { headers: Headers; etag?: string | undefined; status?: number },
): Prepared => {
  const tagged = new globalThis.Headers(etag === undefined ? headers : { ...headers, ETag: etag })
  return {
    body,
    etag,
    whole: { status, headers: tagged },
    notModified: { status: 304, headers: tagged },
  }
}

/** RFC 9110 `If-None-Match`: a list of entity tags, or `*`. */
export const isHeldBy = (request: Request, etag: string | undefined) => {
  if (etag === undefined) return false
  const header = request.headers.get('if-none-match')
  if (header === null) return false
  if (header === etag || header.trim() === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** The body, or 304 to a client that has it already. */
export const answer = (request: Request, { body, etag, whole, notModified }: Prepared) =>
  isHeldBy(request, etag) ? new Response(null, notModified) : new Response(body, whole)

/** What a client has already. */
export const answerNotModified = (headers: Headers, etag: string) =>
  new Response(null, { status: 304, headers: { ...headers, ETag: etag } })

/**
 * The headers of an answer whose body is not made for them. Where its length is not known, it is left out: Bun would
 * write `Content-Length: 0` if nothing said that there is another framing.
 */
export const answerHead = (headers: Headers, etag?: string, bytes?: number) => {
  const tag = etag === undefined ? {} : { ETag: etag }
  const framing =
    bytes === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(bytes) }
  return new Response(null, { headers: { ...headers, ...tag, ...framing } })
}

/** For each chunk of the result the thread comes back to this one: at the usual 16 KiB, 1 MB held everybody up for 10 ms. */
const chunkSize = 256 * 1024

/** Thoroughly, for a page is compressed once: zstd's level 12 saves a tenth over the usual 3. */
const levels = { gzip: 9, zstd: 12 }

/** For 1 MB 21 and 17 ms of a processor that others wait for, instead of 56 and 47; 3 and 15 % more bytes. */
const largeLevels = { gzip: 5, zstd: 6 }
const largeBytes = 256 * 1024

/** Compresses on another thread. */
export type Compress = (plain: Blob, coding: 'zstd' | 'gzip') => Promise<Blob>

export const compress: Compress = async (plain, coding) => {
  // A server that starts has nothing to compress, and loading it takes 8 ms.
  const { constants, gzip, zstdCompress } = await import('node:zlib')
  const bytes = await plain.bytes()
  const level = (bytes.length > largeBytes ? largeLevels : levels)[coding]
  const params = { [constants.ZSTD_c_compressionLevel]: level }
  const compressed =
    coding === 'gzip'
      ? promisify(gzip)(bytes, { level, chunkSize })
      : promisify(zstdCompress)(bytes, { chunkSize, params })
  return new Blob([await compressed])
}

/** A finished body and its headers, compressed when first asked for and then kept. */
export type Body = {
  plain: Blob
  headers: Headers
  /** Strong entity tag of the uncompressed body; `undefined` for one that no client shall keep. */
  etag: string | undefined
  coded: { identity: Prepared } & Partial<Record<Coding, Prepared | Promise<Prepared>>>
}

/** Shorter bodies do not gain by it. */
const leastBytes = 500

/** Of 1 MB of UTF-8, writing it takes 1 ms: others are answered in between. */
const piecesPerTurn = 4

/** Text in pieces of less than 300 KB, none of which ends within a character, as bytes. */
export const blobOf = async (pieces: Iterable<string> | AsyncIterable<string>): Promise<Blob> => {
  const encoder = new TextEncoder()
  const bytes: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of pieces)
    if (bytes.push(encoder.encode(piece)) % piecesPerTurn === 0) await nextTurn()
  return new Blob(bytes)
}

export const createBody = (content: string | Blob, headers: Headers, etag: string | undefined): Body => {
  const plain = typeof content === 'string' ? new Blob([content]) : content
  return { plain, headers, etag, coded: { identity: prepare(plain, { headers, etag }) } }
}

/** Each coding has an entity tag of its own. @param etag of the uncompressed body */
export const codedTag = <T extends string | undefined>(etag: T, coding: Coding) =>
  etag === undefined || coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`

/** The headers of a body in a coding. */
export const codedHeaders = (headers: Headers, coding: Coding) =>
  coding === 'identity' ? headers : { ...headers, 'Content-Encoding': coding }

/** @param compress as a test may see it fail */
export const createEncoder = (compress: Compress) => {
  const encode = async (body: Body, coding: 'zstd' | 'gzip') => {
    try {
      const shorter = await compress(body.plain, coding)
      const options = { headers: codedHeaders(body.headers, coding), etag: codedTag(body.etag, coding) }
      const prepared = prepare(shorter, options)
      body.coded[coding] = prepared
      return prepared
    } catch {
      // Memory may be short for now: it is sent as it is, and the next request tries again.
      delete body.coded[coding]
      return body.coded.identity
    }
  }

  /** A body in the coding that suits the request; a promise only the first time. */
  return (request: Request, body: Body): Prepared | Promise<Prepared> => {
    if (body.plain.size < leastBytes) return body.coded.identity
    const coding = codingOf(request)
    if (coding === 'identity') return body.coded.identity
    body.coded[coding] ??= encode(body, coding)
    return body.coded[coding]
  }
}

export const encoded = createEncoder(compress)

/** The most that a body and its compressed forms take together. */
export const heldBytes = ({ plain }: Body) => Math.ceil(plain.size * 1.6) + 500
