import { closeSync, open, read } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Adapter } from 'lowdb'
import { damaged, storageFailure } from '../../errors.ts'
import { writeDurably } from '../disk.ts'
import type { Head } from '../store.ts'

/** How documents are written as text. `decode` throws an `Error` that says what is wrong with the text. */
export type Codec = {
  encode: (data: unknown) => string
  decode: (text: string) => unknown
}

const parse = (text: string): unknown => {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
  // lowdb takes null for "use the default data", and would overwrite the file.
  if (data === null) throw new Error('holds null')
  return data
}

/** Plain JSON, for the few files that people may edit. */
export const plainJson: Codec = { encode: (data) => JSON.stringify(data), decode: parse }

/** CRC-32 of a text as UTF-8, in hexadecimal. */
const sumOf = (json: string | Uint8Array) => Bun.hash.crc32(json).toString(16).padStart(8, '0')

/** Puts the CRC-32 in front of a document that is already JSON. */
export const seal = (json: string) => `{"crc32":"${sumOf(json)}","document":${json}}`

/** Only up to the document: matching its end as well takes 1 ms per MB. */
const opening = /^\{"crc32":"([0-9a-f]{8})","document":/

/** Bytes in front of the document. */
export const openingBytes = seal('').length - 1

/** The CRC-32 that the beginning of a text says its document has. */
export const sumIn = (start: string) => {
  const [, sum] = opening.exec(start) ?? []
  return sum === undefined ? undefined : Number.parseInt(sum, 16)
}

export const cutShort = 'is cut short or no document of this program'
export const wrongSum = 'does not match its checksum'

/** JSON with its CRC-32, so reading it detects even a single flipped bit. */
export const checkedJson: Codec = {
  encode: (data) => seal(JSON.stringify(data)),
  decode: (text) => {
    const [opened, crc32] = opening.exec(text) ?? []
    if (opened === undefined || !text.endsWith('}')) throw new Error(text === '' ? 'is empty' : cutShort)
    const json = text.slice(opened.length, -1)
    if (crc32 !== sumOf(json)) throw new Error(wrongSum)
    return parse(json)
  },
}

const sumField = ',"headCrc32":"'
const textField = ',"text":"'
const sumLength = 8
const headOpening = /^\{"crc32":"[0-9a-f]{8}","document":(?=\{)/

/**
 * Like `checkedJson`, but with everything but the text in front, then the size of the text and a CRC-32 of this part. So
 * building the index reads the first few kilobytes of a large document, and still detects a flipped bit in them.
 */
export const documentJson: Codec = {
  encode: (document) => {
    const { text, ...others } = (document ?? {}) as { text?: unknown }
    if (typeof text !== 'string') return checkedJson.encode(document)
    const head = `${JSON.stringify(others).slice(0, -1)},"bytes":${Buffer.byteLength(text)}`
    return seal(`${head}${sumField}${sumOf(head)}","text":${JSON.stringify(text)}}`)
  },
  decode: (text) => {
    const decoded = checkedJson.decode(text)
    if (!Object.hasOwn(decoded as object, 'headCrc32')) return decoded
    const { bytes: _, headCrc32: __, ...document } = decoded as Record<string, unknown>
    return document
  },
}

export const headOf = <T extends object>(document: T): Head<T> => {
  const { text, ...others } = document as T & { text?: string }
  return { ...others, bytes: text === undefined ? 0 : Buffer.byteLength(text) }
}

/** Where the characters of the text begin, as JSON; -1 if they are not among these bytes. */
export const textStart = (start: Buffer) => {
  const at = start.indexOf(textField)
  return at === -1 ? -1 : at + textField.length
}

/** The head in the first bytes of a document's file; `undefined` if it is incomplete or damaged. */
export const decodeHead = (start: Buffer): Head<object> | undefined => {
  const end = start.indexOf(sumField)
  const [opened] = headOpening.exec(start.toString('latin1', 0, 64)) ?? []
  if (end === -1 || opened === undefined) return undefined
  const head = start.subarray(opened.length, end)
  const rest = `${sumOf(head)}"${textField}`
  const restAt = end + sumField.length
  if (start.toString('latin1', restAt, restAt + sumLength + 1 + textField.length) !== rest) return undefined
  return JSON.parse(`${head}}`)
}

const openFile = promisify(open)
const readFrom = promisify(read)

/** A head takes about 300 bytes; with the longest title and description 10 KiB. */
const mostHeadBytes = 16 * 1024

/** For reuse, because building the index reads the head of every document. */
const buffers: Buffer[] = []

/**
 * Reads the head of a document; of a large one, without its text.
 * @returns `undefined` if a large file has no head among its first bytes, or a damaged one; then read the whole document
 * @throws what is wrong with a small one; the error of a system call
 */
export const readHead = async (path: string): Promise<Head<object> | undefined> => {
  const file = await openFile(path, 'r')
  const memory = buffers.pop() ?? Buffer.alloc(mostHeadBytes)
  try {
    const { bytesRead } = await readFrom(file, memory, 0, mostHeadBytes, 0)
    const start = memory.subarray(0, bytesRead)
    return bytesRead < mostHeadBytes
      ? headOf(documentJson.decode(start.toString()) as object)
      : decodeHead(start)
  } finally {
    buffers.push(memory)
    closeSync(file)
  }
}

/**
 * lowdb adapter for one JSON file; `write` resolves only when the bytes are on disk.
 * @throws {AppError} `damaged` for a file that does not decode; `storage-full` or `storage-unavailable` for a failed write
 */
export class DurableJSONFile<T> implements Adapter<T> {
  readonly #path: string
  readonly #temporaryFolder: string
  readonly #codec: Codec

  constructor(path: string, temporaryFolder: string, codec: Codec) {
    this.#path = path
    this.#temporaryFolder = temporaryFolder
    this.#codec = codec
  }

  /** `null` if there is no file. */
  async read(): Promise<T | null> {
    let text: string
    try {
      text = await readFile(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw damaged(this.#path, 'cannot be read', error)
    }
    try {
      return this.#codec.decode(text) as T
    } catch (error) {
      throw damaged(this.#path, (error as Error).message)
    }
  }

  async write(data: T): Promise<void> {
    try {
      await writeDurably(this.#path, this.#codec.encode(data), this.#temporaryFolder)
    } catch (error) {
      throw storageFailure(error)
    }
  }
}
