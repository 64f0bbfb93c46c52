import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Compress, compress } from './compress.ts'
import { remembered } from './memoize.ts'
import { type Prepared, prepare } from './prepared.ts'
import { mostWanted, qualitiesOf } from './quality.ts'

export type Coding = 'zstd' | 'gzip' | 'identity'
type Headers = Readonly<Record<string, string>>

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

/** The best of what a client names; of equals the shorter. Who refuses even that gets it as it is. */
const judgeCoding = (acceptEncoding: string): Coding =>
  mostWanted(['zstd', 'gzip', 'identity'], qualitiesOf(acceptEncoding)) ?? 'identity'

const judgedCoding = remembered(judgeCoding)

/** The coding that suits a request. */
export const codingOf = ({ headers }: Request) => judgedCoding(headers.get('accept-encoding') ?? '')

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
