/** One file of an archive. Its `body` has to be read to its end before the next entry. */
export type TarEntry = {
  name: string
  /** Bytes of the body. */
  size: number
  /** In milliseconds since the epoch. */
  mtime: number
  body: AsyncIterable<Uint8Array>
}

/** https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 */
const blockBytes = 512

/** `tar` fills up to this after the end of an archive. */
const recordBytes = 20 * blockBytes

const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)

const textAt = (header: Buffer, at: number, bytes: number) => {
  const field = header.subarray(at, at + bytes)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? bytes : end)
}

const numberAt = (header: Buffer, at: number, bytes: number) => {
  const [, digits] = /^ *([0-7]{1,11})[ \0]*$/.exec(header.toString('latin1', at, at + bytes)) ?? []
  if (digits === undefined) throw new Error('it holds a wrong number')
  return Number.parseInt(digits, 8)
}

const sumOf = (header: Buffer) =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)

/** Takes chunks apart into pieces of the wanted sizes. */
const createPieces = (chunks: AsyncIterable<Uint8Array>) => {
  const source = chunks[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()

  /** At least one byte, and at most `most`; `undefined` at the end. */
  const next = async (most: number) => {
    while (rest.length === 0) {
      const { value, done } = await source.next()
      if (done) return undefined
      rest = value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    return piece
  }

  const whole = async function* (bytes: number) {
    for (let left = bytes; left > 0; ) {
      const piece = await next(left)
      if (!piece) throw new Error('it is cut short')
      left -= piece.length
      yield piece
    }
  }

  const block = async () => Buffer.concat(await Array.fromAsync(whole(blockBytes)))
  return { next, whole, block }
}

/**
 * Reads the entries of a tar archive, with one chunk in memory. It knows what `packTar` writes for files with short names, and
 * refuses everything else: links, sparse files, and names and sizes in entries of their own, which have no upper limit.
 */
export async function* tarEntries(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const { next, whole, block } = createPieces(chunks)
  for (;;) {
    const header = await block()
    if (isZero(header)) break
    if (numberAt(header, 148, 8) !== sumOf(header)) throw new Error('it has a wrong checksum')
    const name = [textAt(header, 345, 155), textAt(header, 0, 100)].filter((part) => part !== '').join('/')
    if (!['0', ''].includes(textAt(header, 156, 1))) throw new Error(`"${name}" is not a plain file`)
    const size = numberAt(header, 124, 12)
    yield { name, size, mtime: numberAt(header, 136, 12) * 1000, body: whole(size) }
    for await (const _ of whole(-size & (blockBytes - 1)));
  }
  if (!isZero(await block())) throw new Error('it has a wrong end')
  for (let left = recordBytes; ; ) {
    const piece = await next(recordBytes)
    if (!piece) return
    left -= piece.length
    if (left < 0 || !isZero(piece)) throw new Error('it has a wrong end')
  }
}
