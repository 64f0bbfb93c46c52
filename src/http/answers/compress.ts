type Bytes = Uint8Array<ArrayBuffer>

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
  const { promise, resolve, reject } = Promise.withResolvers<Bytes>()
  const done = (error: Error | null, shorter: Bytes) => (error ? reject(error) : resolve(shorter))
  const level = (bytes.length > largeBytes ? largeLevels : levels)[coding]
  if (coding === 'gzip') gzip(bytes, { level, chunkSize }, done)
  else zstdCompress(bytes, { chunkSize, params: { [constants.ZSTD_c_compressionLevel]: level } }, done)
  return new Blob([await promise])
}
