import { type Codec, checkedJson, seal, sumOf } from './codec.ts'

/** A document without its text, which may be large, and the size of that in UTF-8; 0 where there is none. */
export type Head<T> = Omit<T, 'text'> & { bytes: number }

const sumField = ',"headCrc32":"'
const textField = ',"text":"'
const sumLength = 8
const opening = /^\{"crc32":"[0-9a-f]{8}","document":(?=\{)/

/**
 * As `checkedJson`, but what a list needs stands before the text: the size of the text and a CRC-32 of all that comes
 * before it, so that a list reads the first few kilobytes of a large document and still finds a flipped bit in them.
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

/** True where the text has begun: no string holds this, for in JSON its quotes are escaped. */
export const hasText = (start: Buffer) => start.includes(textField)

/** The head of a document by the first bytes of its file; `undefined` where they do not hold it all, and unharmed. */
export const decodeHead = (start: Buffer): Head<object> | undefined => {
  const end = start.indexOf(sumField)
  const [opened] = opening.exec(start.toString('latin1', 0, 64)) ?? []
  if (end === -1 || opened === undefined) return undefined
  const head = start.subarray(opened.length, end)
  const rest = `${sumOf(head)}"${textField}`
  const restAt = end + sumField.length
  if (start.toString('latin1', restAt, restAt + sumLength + 1 + textField.length) !== rest) return undefined
  return JSON.parse(`${head}}`)
}
