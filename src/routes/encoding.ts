import { LRUCache } from 'lru-cache'
import { type Prepared, prepare } from './prepared.ts'
import { entityTag } from './respond.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Encoding = 'zstd' | 'gzip' | 'identity'

/** A finished body and its headers, compressed when first asked for and then kept. */
export type Body = {
  bytes: Bytes
  headers: Readonly<Record<string, string>>
  /** Each coding has an entity tag of its own. */
  coded: { identity: Prepared } & Partial<Record<Encoding, Prepared | Promise<Prepared>>>
}

/** Shorter bodies do not gain by it. */
const leastBytes = 500

/** On another thread, and thoroughly: a page is compressed once. Level 12 saves a tenth over the usual 3. */
const compress = async (body: Bytes, encoding: 'zstd' | 'gzip'): Promise<Bytes> => {
  // A server that starts has nothing to compress, and loading it takes 8 ms.
  const { constants, gzip, zstdCompress } = await import('node:zlib')
  const { promise, resolve, reject } = Promise.withResolvers<Bytes>()
  const done = (error: Error | null, bytes: Bytes) => (error ? reject(error) : resolve(bytes))
  if (encoding === 'gzip') gzip(body, { level: 9 }, done)
  else zstdCompress(body, { params: { [constants.ZSTD_c_compressionLevel]: 12 } }, done)
  return promise
}

export const createBody = (text: string, headers: Body['headers']): Body => {
  const bytes = new TextEncoder().encode(text)
  return { bytes, headers, coded: { identity: prepare(bytes, { headers, etag: entityTag(bytes) }) } }
}

/** The best of what a client takes; a coding with `q=0` is refused by it. */
const preferred = (acceptEncoding: string): Encoding => {
  const accepted = acceptEncoding
    .split(',')
    .filter((coding) => !/;\s*q=0(?:\.0*)?\s*$/.test(coding))
    .map((coding) => coding.split(';')[0]?.trim().toLowerCase())
  return (['zstd', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity'
}

/** Browsers differ in a handful of headers, and reading one takes a microsecond. */
const preferences = new LRUCache<string, Encoding>({ max: 100, memoMethod: preferred })

const encode = async (body: Body, encoding: 'zstd' | 'gzip') => {
  const headers = { ...body.headers, 'Content-Encoding': encoding }
  const etag = `${body.coded.identity.etag?.slice(0, -1)}-${encoding}"`
  const prepared = prepare(await compress(body.bytes, encoding), { headers, etag })
  body.coded[encoding] = prepared
  return prepared
}

/** A body in the coding that suits the request; a promise only the first time. */
export const encoded = (request: Request, body: Body): Prepared | Promise<Prepared> => {
  if (body.bytes.length < leastBytes) return body.coded.identity
  const encoding = preferences.memo(request.headers.get('accept-encoding') ?? '')
  if (encoding === 'identity') return body.coded.identity
  body.coded[encoding] ??= encode(body, encoding)
  return body.coded[encoding]
}

/** The most that a body and its compressed forms take together. */
export const heldBytes = ({ bytes }: Body) => Math.ceil(bytes.length * 1.6) + 500
