import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { cutShort, openingBytes, seal, sumIn, wrongSum } from '../documents/json-file.ts'

/**
 * One file of a data folder. An intact file has its contents in `text`, or in `bytes` if they are binary; else `problem` says
 * what is wrong.
 */
export type Inspected =
  | { path: string; text: string; bytes?: Uint8Array }
  | { path: string; problem: string; isForeign: boolean }

/** A file that no server writes. */
export const foreign = (path: string): Inspected => ({
  path,
  problem: 'does not belong here',
  isForeign: true,
})

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Larger files are read in pieces where their text is not wanted. */
const smallBytes = 256 * 1024

/** Characters of a string that are kept: more than any but a text may have. */
const keptOfString = 64 * 1024

/** What is kept of a whole file. 10,000 keys have 80,000 values; each takes up to 300 bytes of memory. */
const [mostKept, mostValues] = [2 * 1024 ** 2, 100_000]

/** The characters of a string in JSON up to its end or the next `\\`; what may follow that: no half of a pair alone. */
const plain = /[ !#-[\]-\u{10ffff}]*/uy
const escaped = /\\(?:["\\/bfnrt]|u(?!d[89a-f])[0-9a-f]{4}|ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})/iy
const longestEscaped = 12

const matchAt = (shape: RegExp, text: string, at: number) => {
  shape.lastIndex = at
  return shape.exec(text)?.[0]
}

/** Shortens JSON that comes in pieces, and checks what it leaves out. @throws {Error} that says what is wrong */
const createShortening = () => {
  let [short, rest, isString, kept, values] = ['', '', false, 0, 0]

  const keep = (part: string) => {
    short += part
    if (short.length > mostKept || values > mostValues)
      throw new Error('holds more than any file of this kind')
  }
  const keepOfString = (part: string) => {
    if (kept < keptOfString) keep(part.slice(0, keptOfString).toWellFormed())
    kept += part.length
  }
  /** @returns where the string ends, or the piece, or what may be half of an escaped character */
  const readString = (text: string, from: number, isLast: boolean) => {
    for (let at = from; ; ) {
      const characters = matchAt(plain, text, at) ?? ''
      keepOfString(characters)
      at += characters.length
      if (at === text.length || text[at] === '"') return at
      if (!isLast && text.length - at < longestEscaped) return at
      const character = matchAt(escaped, text, at)
      if (character === undefined) throw new Error('is not JSON')
      keepOfString(character)
      at += character.length
    }
  }
  const read = (piece: string, isLast = false) => {
    const text = rest + piece
    let at = 0
    while (at < text.length) {
      if (isString) at = readString(text, at, isLast)
      if (isString && text[at] !== '"') break
      const end = isString ? at + 1 : text.indexOf('"', at) + 1 || text.length
      for (let place = at; place < end; place++) if ('[{,'.includes(text[place] as string)) values++
      keep(text.slice(at, end))
      isString = !isString && text[end - 1] === '"'
      kept = 0
      at = end
    }
    rest = text.slice(at)
  }
  return { read, text: () => short }
}

/** Reads one piece after the other into the same memory. */
async function* piecesOf(handle: FileHandle, from: number, to: number) {
  const memory = Buffer.alloc(64 * 1024)
  for (let at = from; at < to; ) {
    const { bytesRead } = await handle.read(memory, 0, Math.min(memory.length, to - at), at)
    if (bytesRead === 0) throw new Error(cutShort)
    at += bytesRead
    yield memory.subarray(0, bytesRead)
  }
}

const textOf = async (handle: FileHandle, from: number, to: number) =>
  Buffer.concat(await Array.fromAsync(piecesOf(handle, from, to), (piece) => Buffer.from(piece))).toString()

/**
 * The text of a document as it is, or of a large one with its checksum checked and its long strings cut: with no more of it in
 * memory than that. @throws {Error} that says what is wrong; errors of the file system
 */
export const shortText = async (path: string) => {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    if (size <= smallBytes) return await textOf(handle, 0, size)
    const sum = sumIn(await textOf(handle, 0, openingBytes))
    if (sum === undefined || (await textOf(handle, size - 1, size)) !== '}') throw new Error(cutShort)
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const shortening = createShortening()
    let crc = 0
    for await (const piece of piecesOf(handle, openingBytes, size - 1)) {
      crc = crc32(piece, crc)
      shortening.read(decoder.decode(piece, { stream: true }))
    }
    shortening.read(decoder.decode(), true)
    if (crc !== sum) throw new Error(wrongSum)
    return seal(shortening.text())
  } finally {
    await handle.close()
  }
}

/** Reads a file; `undefined` if a running server has just deleted it. @param isShort true if its long strings may be cut */
export const inspectFile = async (
  folder: string,
  path: string,
  problemOf: (text: string) => string | undefined,
  isShort = false,
): Promise<Inspected | undefined> => {
  try {
    const file = join(folder, path)
    const text = await (isShort ? shortText(file) : readFile(file, 'utf8'))
    const problem = problemOf(text)
    return problem === undefined ? { path, text } : { path, problem, isForeign: false }
  } catch (error) {
    return isMissing(error) ? undefined : { path, problem: (error as Error).message, isForeign: false }
  }
}
