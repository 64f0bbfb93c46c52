import { createCipheriv } from 'node:crypto'

/**
 * Turns words into tokens that only the holder of the key can connect with them, so nobody can read a word in the index.
 * A token is one block of AES-256 with a secret key, a pseudorandom function: 0.1 µs a word, HMAC took 4.
 */
export type Tokens = {
  /** The tokens of an item, as the text of its row. */
  of: (item: Words) => string
  /** What a row must match. @returns `undefined` for a text without a word, or with too many */
  query: (text: string, marks: readonly string[]) => string | undefined
  /** The token of a mark. It differs for each key. */
  ofMark: (mark: string) => string
}

/** What is found of an item. */
export type Words = {
  /** Found by whole words. Bytes are ASCII. */
  text: string | Uint8Array
  /** Found by the beginnings of words too: title, description, name, target. */
  short: readonly string[]
  /** Facts by which rows are chosen, for example an owner. */
  marks: readonly string[]
}

const maxQueryWords = 32

/** Different words of a text, about: 20,000 take 20 ms to write. A text of 64 KiB has fewer than 7,000. */
const maxWords = 20_000
/** Tokens of beginnings. The longest description has some 5,000. */
const maxBeginnings = 8000
/** Letters of the longest beginning. Of a longer word that is searched, the first so many count. */
const longestBeginning = 20

/** Different kinds of tokens never match each other. */
const spaces = { word: 1, beginning: 2, mark: 3 } as const
type Space = (typeof spaces)[keyof typeof spaces]

const blockBytes = 16
/** Longer words are hashed first, without a key: the hash is then encrypted. */
const longestInBlock = blockBytes - 1
const tokenChars = 10

/** Lower-case letters and digits: SQLite's tokeniser for ASCII ignores case. 50 bits: one false hit in 10^8 searches. */
const alphabet = new TextEncoder().encode('abcdefghijklmnopqrstuvwxyz234567')
const space = 32

/** The byte of a word in lower case; 0 for what stands between words. Other than ASCII is prepared by `fold`. */
const letters = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte)
  return byte >= 128 || /[a-z0-9]/i.test(char) ? (char.toLowerCase().codePointAt(0) as number) : 0
})
for (let byte = 128; byte < 256; byte++) letters[byte] = byte

/** These scripts have no spaces, so each of their characters is a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** Without case and accents, and with spaces where a word ends. ASCII stays as it is. */
const fold = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has control characters.
  /^[\x00-\x7f]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toUpperCase()
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .replace(unspaced, ' $& ')

/** The words of a short text. */
const wordsOf = (text: string) =>
  fold(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const dedupeSlots = 1 << 15

/** Writes the hash of a word too long for a block. */
const writeHash = (blocks: Uint8Array, at: number, first: number, second: number) => {
  for (let byte = 0; byte < 4; byte++) {
    blocks[at + byte] = first >>> (8 * byte)
    blocks[at + 4 + byte] = second >>> (8 * byte)
  }
}

const doubled = (blocks: Uint8Array) => {
  const larger = new Uint8Array(2 * blocks.length)
  larger.set(blocks)
  return larger
}

/** Collects words, each in a block for the cipher. */
const createBlocks = () => {
  let blocks = new Uint8Array(1024 * blockBytes)
  let count = 0
  /** The last word with this hash, to leave out most repetitions. */
  const seen = new Int32Array(2 * dedupeSlots)
  let [first, second, length] = [0, 0, 0]
  /** Differs for each item, so that nothing has to be forgotten between two. */
  let turn = 0

  const addByte = (byte: number) => {
    if (length < longestInBlock) blocks[count * blockBytes + length] = byte
    first = Math.imul(first ^ byte, 0x01000193)
    second = Math.imul(second + byte, 0x85ebca6b) ^ (second >>> 13)
    length++
  }

  const endWord = (kind: Space) => {
    const at = count * blockBytes
    const slot = 2 * ((first ^ (first >>> 15) ^ kind) & (dedupeSlots - 1))
    const check = second ^ kind ^ turn
    if (seen[slot] !== first || seen[slot + 1] !== check) {
      seen[slot] = first
      seen[slot + 1] = check
      if (length > longestInBlock) writeHash(blocks, at, first, second)
      else blocks.fill(0, at + length, at + longestInBlock)
      // This byte says if it is a word or the hash of one.
      blocks[at + longestInBlock] = length > longestInBlock ? kind | 128 : kind
      count++
      if (count * blockBytes === blocks.length) blocks = doubled(blocks)
    }
    first = second = length = 0
  }

  return {
    count: () => count,
    /** @param bytes UTF-8 of a folded text */
    addText: (bytes: Uint8Array, most: number) => {
      const last = count + most
      for (let at = 0; at < bytes.length && count < last; at++) {
        const byte = letters[bytes[at] as number] as number
        if (byte !== 0) addByte(byte)
        else if (length > 0) endWord(spaces.word)
      }
      if (length > 0) endWord(spaces.word)
    },
    add: (bytes: Uint8Array, kind: Space) => {
      for (const byte of bytes) addByte(byte)
      endWord(kind)
    },
    /** The blocks so far, which are then forgotten. */
    take: () => {
      const taken = blocks.subarray(0, count * blockBytes)
      count = 0
      turn = (turn + 0x9e3779b9) | 0
      return taken
    },
  }
}

/** Tokens of encrypted blocks, with spaces between them. */
const encode = (encrypted: Buffer) => {
  const chars = Buffer.alloc((encrypted.length / blockBytes) * (tokenChars + 1), space)
  for (let at = 0, to = 0; at < encrypted.length; at += blockBytes, to += tokenChars + 1) {
    let low = encrypted.readUInt32LE(at)
    let high = encrypted.readUInt32LE(at + 4)
    for (let char = 0; char < tokenChars / 2; char++) {
      chars[to + char] = alphabet[low & 31] as number
      chars[to + tokenChars / 2 + char] = alphabet[high & 31] as number
      low >>>= 5
      high >>>= 5
    }
  }
  return chars.toString('latin1')
}

/** @param key 32 random bytes */
export const createTokens = (key: Uint8Array): Tokens => {
  // One block after the other, each for itself: equal words give equal tokens.
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const blocks = createBlocks()
  const utf8 = (text: string) => Buffer.from(text)
  const finish = () => encode(cipher.update(blocks.take()))

  const addBeginnings = (short: readonly string[]) => {
    const last = blocks.count() + maxBeginnings
    for (const word of short.flatMap(wordsOf)) {
      const characters = [...word]
      const longest = Math.min(characters.length, longestBeginning)
      for (let end = Math.min(2, longest); end <= longest && blocks.count() < last; end++)
        blocks.add(utf8(characters.slice(0, end).join('')), spaces.beginning)
    }
  }

  /** The token of a single word. */
  const one = (word: string, kind: Space) => {
    blocks.add(utf8(word), kind)
    return finish().trim()
  }

  return {
    of: ({ text, short, marks }) => {
      for (const mark of marks) blocks.add(utf8(mark), spaces.mark)
      addBeginnings(short)
      blocks.addText(typeof text === 'string' ? utf8(fold(text)) : text, maxWords)
      return finish()
    },

    query: (text, marks) => {
      const words = [...new Set(wordsOf(text))]
      if (words.length > maxQueryWords || (words.length === 0 && text !== '')) return undefined
      const either = words.map((word) => {
        const beginning = [...word].slice(0, longestBeginning).join('')
        return `(${one(word, spaces.word)} OR ${one(beginning, spaces.beginning)})`
      })
      return [...marks.map((mark) => one(mark, spaces.mark)), ...either].join(' AND ')
    },

    ofMark: (mark) => one(mark, spaces.mark),
  }
}
