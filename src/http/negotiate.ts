import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { memoize, type Prepared, prepare } from './answers.ts'

/** No real client sends a longer header; a stranger may send 16 KB. */
const judgedChars = 1000

const weight = /^\s*q\s*=\s*([01](?:\.\d*)?)\s*$/i

const weightOf = (parameters: readonly string[]) => {
  const written = parameters
    .map((parameter) => weight.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  return written === undefined ? 1 : Math.min(1, Number(written))
}

/** The values of a header such as `Accept`, in lower case, with their weights from 0 (refused) to 1 (RFC 9110, 12.4.2). */
export const qualitiesOf = (header: string): ReadonlyMap<string, number> => {
  const items = header.slice(0, judgedChars).split(',')
  // The cut may have removed the weight of the last item.
  if (header.length > judgedChars) items.pop()
  const entries = items.map((item) => {
    const [name = '', ...parameters] = item.split(';')
    return [name.trim().toLowerCase(), weightOf(parameters)] as const
  })
  return new Map(entries)
}

/** The name with the highest weight above 0; the first one of equals. */
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

/** True for a client that asks for `text/html` by name. */
export const isBrowser = ({ headers }: Request) => asksForPages(headers.get('accept') ?? '')

/** True for the scripts of our forms: an error says to them what to show, and where. */
export const isForForm = ({ headers }: Request) => headers.get('accept') === 'application/json; for=form'

const formOfType = { 'text/html': 'page', 'application/json': 'json', 'text/plain': 'raw' } as const
const formTypes = ['text/html', 'application/json', 'text/plain'] as const

/** A client that names none of the types gets the first one that it does not refuse. */
const formAsked = memoize((accept) => {
  const qualities = qualitiesOf(accept)
  const wanted = mostWanted(formTypes, qualities) ?? formTypes.find((type) => qualities.get(type) !== 0)
  return formOfType[wanted ?? 'text/plain']
})

/** The form of a paste that the client prefers. With equal weights the page wins over JSON, and JSON over the raw text. */
export const preferredForm = ({ headers }: Request): 'page' | 'json' | 'raw' =>
  formAsked(headers.get('accept') ?? '')

export type Coding = 'zstd' | 'gzip' | 'identity'

/** The coding with the highest weight, of equals the smaller; `identity` even when the client refuses it. */
const codingAsked = memoize(
  (accept): Coding => mostWanted(['zstd', 'gzip', 'identity'], qualitiesOf(accept)) ?? 'identity',
)

/** The coding for the response to a request. */
export const codingOf = ({ headers }: Request) => codingAsked(headers.get('accept-encoding') ?? '')

type HeaderFields = Readonly<Record<string, string>>

/** Each chunk switches back to this thread: with the default of 16 KiB, 1 MB delayed other requests by 10 ms. */
const chunkSize = 256 * 1024

/** High levels, because a page is compressed only once: zstd level 12 saves a tenth over the default, 3. */
const levels = { gzip: 9, zstd: 12 }

/** For 1 MB gzip takes 21 ms of CPU instead of 56, zstd 17 instead of 47, for 3 and 15 % more bytes. */
const largeLevels = { gzip: 5, zstd: 6 }
const largeBytes = 256 * 1024

/** Compresses on another thread. */
export type Compress = (plain: Blob, coding: 'zstd' | 'gzip') => Promise<Blob>

const compress: Compress = async (plain, coding) => {
  // A starting server has nothing to compress, and loading this takes 8 ms.
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

/** A finished body and its headers. It is compressed at the first request, then kept. */
export type Body = {
  plain: Blob
  headers: HeaderFields
  /** Strong entity tag of the uncompressed body; `undefined` when no client may cache it. */
  etag: string | undefined
  coded: { identity: Prepared } & Partial<Record<Coding, Prepared | Promise<Prepared>>>
}

/** Compressing shorter bodies saves nothing. */
const leastBytes = 500

/** About 1 MB of UTF-8, which takes 1 ms to encode; then other requests get a turn. */
const piecesPerTurn = 4

/** Encodes text as UTF-8. Each piece is shorter than 300 KB and never ends inside a character. */
export const blobOf = async (pieces: Iterable<string> | AsyncIterable<string>): Promise<Blob> => {
  const encoder = new TextEncoder()
  const bytes: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of pieces)
    if (bytes.push(encoder.encode(piece)) % piecesPerTurn === 0) await nextTurn()
  return new Blob(bytes)
}

export const createBody = (content: string | Blob, headers: HeaderFields, etag: string | undefined): Body => {
  const plain = typeof content === 'string' ? new Blob([content]) : content
  return { plain, headers, etag, coded: { identity: prepare(plain, { headers, etag }) } }
}

/** The entity tag of a coding; each has its own. @param etag of the uncompressed body */
export const codedTag = <T extends string | undefined>(etag: T, coding: Coding) =>
  etag === undefined || coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`

/** The headers of a body in one coding. */
export const codedHeaders = (headers: HeaderFields, coding: Coding) =>
  coding === 'identity' ? headers : { ...headers, 'Content-Encoding': coding }

/** @param compress is passed in for tests to make it fail */
export const createEncoder = (compress: Compress) => {
  const encode = async (body: Body, coding: 'zstd' | 'gzip') => {
    try {
      const shorter = await compress(body.plain, coding)
      const options = { headers: codedHeaders(body.headers, coding), etag: codedTag(body.etag, coding) }
      const prepared = prepare(shorter, options)
      body.coded[coding] = prepared
      return prepared
    } catch {
      // Memory may be short at the moment: send the plain body, and let the next request try again.
      delete body.coded[coding]
      return body.coded.identity
    }
  }

  /** The body in the coding of the request; a promise only the first time. */
  return (request: Request, body: Body): Prepared | Promise<Prepared> => {
    if (body.plain.size < leastBytes) return body.coded.identity
    const coding = codingOf(request)
    if (coding === 'identity') return body.coded.identity
    body.coded[coding] ??= encode(body, coding)
    return body.coded[coding]
  }
}

export const encoded = createEncoder(compress)

/** The most memory that a body and its compressed forms take. */
export const heldBytes = ({ plain }: Body) => Math.ceil(plain.size * 1.6) + 500
