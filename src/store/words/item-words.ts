import { isAscii } from 'node:buffer'
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { isMissing, shardOf } from '../disk.ts'
import { decodeHead, documentJson, headOf, textStart } from '../documents/documents.ts'
import type { Facts } from './facts.ts'
import type { Words } from './tokens.ts'

/** What is read of a document: of a longer text, only the beginning is found. */
const maxBytes = 1024 ** 2

/** The longest escape of JSON, `\\u0000`. */
const longestEscape = 6

/** The fields of any item that are found, as they are stored. `bytes`: the size of its text, 0 without one. */
type Source = {
  owner: string
  createdAt: number
  changedAt?: number
  expiresAt?: number
  version?: number
  bytes: number
  title?: string
  description?: string
  alias?: string
  url?: string
  language?: string
  readsLeft?: number
  visitsLeft?: number
}

const backslash = 92

/** Where the characters of a JSON string may be cut, near the end of these bytes: not inside an escape. */
const cutAt = (bytes: Buffer) => {
  let at = bytes.lastIndexOf(backslash)
  if (at < bytes.length - longestEscape) return bytes.length
  while (at > 0 && bytes[at - 1] === backslash) at--
  return at
}

const [space, letterU, zero, one] = [32, 117, 48, 49]
const unicodeLength = '\\u0000'.length

/** Puts spaces in place of escapes. @returns false if one of them may be a letter */
const blankEscapes = (json: Buffer) => {
  for (let at = json.indexOf(backslash); at !== -1; at = json.indexOf(backslash, at)) {
    const isUnicode = json[at + 1] === letterU
    // Only the first 32 characters are surely no letters.
    if (isUnicode && (json[at + 2] !== zero || json[at + 3] !== zero || Number(json[at + 4]) > one))
      return false
    json.fill(space, at, at + (isUnicode ? unicodeLength : 2))
  }
  return true
}

/** Reused: each item's words are taken before the next is read. */
let memory = Buffer.alloc(0)

const readStart = (path: string) => {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (memory.length < Math.min(size, maxBytes)) memory = Buffer.alloc(Math.min(2 * size, maxBytes))
    const start = memory.subarray(0, Math.min(size, maxBytes))
    return { start: start.subarray(0, readSync(file, start)), isWhole: size <= maxBytes }
  } finally {
    closeSync(file)
  }
}

const ending = '"}}'

const decodeWhole = (path: string) => {
  const document = documentJson.decode(readFileSync(path, 'utf8')) as Source & { text?: string }
  return { head: headOf(document), text: document.text?.slice(0, maxBytes) ?? '' }
}

/**
 * The head and the beginning of the text. Checks the head, but not the text: a list reads no more either. ASCII stays
 * bytes, which is twice as fast and takes no memory.
 */
const readSource = (path: string): { head: Source; text: string | Buffer } => {
  const { start, isWhole } = readStart(path)
  const head = decodeHead(start)
  const at = textStart(start)
  if (head === undefined || at === -1) return decodeWhole(path)
  const text = isWhole ? start.subarray(at, -ending.length) : start.subarray(at, cutAt(start))
  const source = head as unknown as Source
  if (!isAscii(text)) return { head: source, text: JSON.parse(`"${text}"`) }
  return blankEscapes(text) ? { head: source, text } : decodeWhole(path)
}

/** Names what rows are chosen by. */
export const marks = {
  kind: (kind: string) => `kind ${kind}`,
  owner: (kind: string, owner: string) => `owner ${kind} ${owner}`,
  language: (language: string) => `language ${language}`,
}

/** What the document says itself: its row in the index may be ahead of it. */
export type ItemWords = { words: Words; facts: Omit<Facts, 'id' | 'uses'> & { version: number } }

/**
 * What is found of an item, from its document; `undefined` if there is none or it is damaged. Of a burn-after-reading item
 * neither the text nor the target is found.
 */
export const readItemWords = (folder: string, kind: string, id: string): ItemWords | undefined => {
  try {
    const { head, text } = readSource(`${folder}/${kind}/${shardOf(id)}/${id}.json`)
    const { owner, title = '', description = '', alias = '', url = '', language } = head
    const isBurning = (head.readsLeft ?? head.visitsLeft) !== undefined
    const words = {
      text: isBurning ? '' : text,
      short: [title, description, alias, isBurning ? '' : url],
      marks: [
        marks.kind(kind),
        marks.owner(kind, owner),
        ...(language === undefined ? [] : [marks.language(language)]),
      ],
    }
    const { createdAt, changedAt = createdAt, expiresAt = null, version = 1 } = head
    const size = head.bytes || Buffer.byteLength(url)
    return {
      words,
      facts: { owner, created: createdAt, changed: changedAt, size, expires: expiresAt, version },
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Lists name damaged documents. An error of the disk says nothing about the document.
    if (isMissing(error) || code === undefined) return undefined
    throw error
  }
}
