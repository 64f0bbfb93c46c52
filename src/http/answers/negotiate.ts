import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { memoize, type Prepared, prepare } from './prepared.ts'

/** No client sends a longer header; a stranger's may have 16 KB. */
const judgedChars = 1000

const weight = /^\s*q\s*=\s*([01](?:\.\d*)?)\s*$/i

const weightOf = (parameters: readonly string[]) => {
  const written = parameters
    .map((parameter) => weight.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  return written === undefined ? 1 : Math.min(1, Number(written))
}

/**
 * What a header such as `Accept` names, in lower case, and how much the client wants it: from 0, which refuses it, to 1
 * (RFC 9110, 12.4.2).
 */
export const qualitiesOf = (header: string): ReadonlyMap<string, number> => {
  const items = header.slice(0, judgedChars).split(',')
  // The last one may have lost its weight.
  if (header.length > judgedChars) items.pop()
  const entries = items.map((item) => {
    const [name = '', ...parameters] = item.split(';')
    return [name.trim().toLowerCase(), weightOf(parameters)] as const
  })
  return new Map(entries)
}

/** The one that is wanted most, of those that are named and not refused; the first of several. */
export const mostWanted = <T extends string>(
  names: readonly T[],
  qualities: ReadonlyMap<string, number>,
): T | undefined => {
  let best: T | undefined
  let bestQuality = 0
  for (const name of names) {
    const quality = qualities.get(name) ?? 0
    if (quality <= bestQuality) continue
    best = name
    bestQuality = quality
  }
  return best
}

const asksForPages = memoize((accept) => (qualitiesOf(accept).get('text/html') ?? 0) > 0)

/** True for a client that asks for pages by name. */
export const isBrowser = ({ headers }: Request) => asksForPages(headers.get('accept') ?? '')

const forms = { 'text/html': 'page', 'application/json': 'json', 'text/plain': 'raw' } as const
const types = ['text/html', 'application/json', 'text/plain'] as const

/** Who names none of them gets the page; who refuses pages, the next. */
const formAsked = memoize((accept) => {
  const qualities = qualitiesOf(accept)
  const wanted = mostWanted(types, qualities) ?? types.find((type) => qualities.get(type) !== 0)
  return forms[wanted ?? 'text/plain']
})

/** Which form of a paste a client wants: what it names, of equals the page before JSON before the raw text. */
export const preferredForm = ({ headers }: Request): 'page' | 'json' | 'raw' =>
  formAsked(headers.get('accept') ?? '')

export type Coding = 'zstd' | 'gzip' | 'identity'

/** The best of what a client names; of equals the shorter. Who refuses even that gets it as it is. */
const codingAsked = memoize(
  (accept): Coding => mostWanted(['zstd', 'gzip', 'identity'], qualitiesOf(accept)) ?? 'identity',
)

/** The coding that suits a request. */
export const codingOf = ({ headers }: Request) => codingAsked(headers.get('accept-encoding') ?? '')

type Headers = Readonly<Record<string, string>>

/** For each chunk of the result the thread comes back to this one: at the usual 16 KiB, 1 MB held everybody up for 10 ms. */
const chunkSize = 256 * 1024

/** Thoroughly, for a page is compressed once: zstd's level 12 saves a tenth over the usual 3. */
const levels = { gzip: 9, zstd: 12 }

/** For 1 MB 21 and 17 ms of a processor that others wait for, instead of 56 and 47; 3 and 15 % more bytes. */
const largeLevels = { gzip: 5, zstd: 6 }
const largeBytes = 256 * 1024

/** Compresses on another thread. */
export type Compress = (plain: Blob, coding: 'zstd' | 'gzip') => Promise<Blob>

const compress: Compress = async (plain, coding) => {
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
