import { type Prepared, prepare } from './prepared.ts'
import { remembered } from './remember.ts'
import { entityTag } from './respond.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Encoding = 'zstd' | 'gzip' | 'identity'

/** A finished body and its headers, compressed when first asked for and then kept. */
export type Body = {
  plain: Blob
  headers: Readonly<Record<string, string>>
  /** Each coding has an entity tag of its own. */
  coded: { identity: Prepared } & Partial<Record<Encoding, Prepared | Promise<Prepared>>>
}

/** Shorter bodies do not gain by it. */
const leastBytes = 500

/** For each chunk of the result the thread comes back to this one: at the usual 16 KiB, 1 MB held everybody up for 10 ms. */
const chunkSize = 256 * 1024

/** Thoroughly, for a page is compressed once: zstd's level 12 saves a tenth over the usual 3. */
const levels = { gzip: 9, zstd: 12 }

/** For 1 MB 21 and 17 ms of a processor that others wait for, instead of 56 and 47; 3 and 15 % more bytes. */
const largeLevels = { gzip: 5, zstd: 6 }
const largeBytes = 256 * 1024

/** On another thread. */
const compress = async (plain: Blob, encoding: 'zstd' | 'gzip'): Promise<Blob> => {
  // A server that starts has nothing to compress, and loading it takes 8 ms.
  const { constants, gzip, zstdCompress } = await import('node:zlib')
  const bytes = await plain.bytes()
  const { promise, resolve, reject } = Promise.withResolvers<Bytes>()
  const done = (error: Error | null, shorter: Bytes) => (error ? reject(error) : resolve(shorter))
  const level = (bytes.length > largeBytes ? largeLevels : levels)[encoding]
  if (encoding === 'gzip') gzip(bytes, { level, chunkSize }, done)
  else zstdCompress(bytes, { chunkSize, params: { [constants.ZSTD_c_compressionLevel]: level } }, done)
  return new Blob([await promise])
}

export const createBody = (text: string, headers: Body['headers']): Body => {
  const plain = new Blob([text])
  return { plain, headers, coded: { identity: prepare(plain, { headers, etag: entityTag(text) }) } }
}

/** The best of what a client takes; a coding with `q=0` is refused by it. */
const preferred = (acceptEncoding: string): Encoding => {
  const accepted = acceptEncoding
    .split(',')
    .filter((coding) => !/;\s*q=0(?:\.0*)?\s*$/.test(coding))
    .map((coding) => coding.split(';')[0]?.trim().toLowerCase())
  return (['zstd', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity'
}

const preference = remembered(preferred)

const encode = async (body: Body, encoding: 'zstd' | 'gzip') => {
  const headers = { ...body.headers, 'Content-Encoding': encoding }
  const etag = `${body.coded.identity.etag?.slice(0, -1)}-${encoding}"`
  const prepared = prepare(await compress(body.plain, encoding), { headers, etag })
  body.coded[encoding] = prepared
  return prepared
}

/** A body in the coding that suits the request; a promise only the first time. */
export const encoded = (request: Request, body: Body): Prepared | Promise<Prepared> => {
  if (body.plain.size < leastBytes) return body.coded.identity
  const encoding = preference(request.headers.get('accept-encoding') ?? '')
  if (encoding === 'identity') return body.coded.identity
  body.coded[encoding] ??= encode(body, encoding)
  return body.coded[encoding]
}

/** The most that a body and its compressed forms take together. */
export const heldBytes = ({ plain }: Body) => Math.ceil(plain.size * 1.6) + 500
