/** Of a longer text, only the beginning is found. */
const maxChars = 1024 ** 2
const maxQueryWords = 32
/** Letters of a beginning: of a longer word, the first so many count. */
export const longestBeginning = 20

/** These scripts have no spaces, so each of their characters is a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** Without case and accents, and with spaces where a word ends. ASCII stays as it is. */
export const fold = (text: string) =>
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

export const wordsOf = (text: string): readonly string[] =>
  fold(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** The words of a search; `undefined` for a text without a word, or with too many. An empty one asks for everything. */
export const wordsAsked = (text: string) => {
  const words = [...new Set(wordsOf(text))]
  return words.length > maxQueryWords || (words.length === 0 && text !== '') ? undefined : words
}

/** The fields of any item that are found, as they are stored. */
export type Source = {
  owner: string
  createdAt: number
  changedAt?: number
  expiresAt?: number
  version?: number
  text?: string
  title?: string
  description?: string
  alias?: string
  url?: string
  language?: string
  readsLeft?: number
  visitsLeft?: number
}

/** How often an item may still be used; `undefined` for one that does not burn. */
export const usesLeftOf = ({ readsLeft, visitsLeft }: Pick<Source, 'readsLeft' | 'visitsLeft'>) =>
  readsLeft ?? visitsLeft

/** What is found by whole words, and what by beginnings of words; for an item that burns, without its text or target. */
export const foundIn = (item: Source) => {
  const { title = '', description = '', alias = '' } = item
  const { text = '', url = '' } = usesLeftOf(item) === undefined ? item : {}
  return { text: text.slice(0, maxChars), short: [title, description, alias, url].join(' ') }
}

/** A token that says what an item is. No text has one: § and ¶ are in no word. */
export const mark = (...what: string[]) => `§${Buffer.from(what.join('/')).toString('hex')}`
/** Its kind, its owner and its language. */
export const marksOf = (kind: string, { owner, language }: Pick<Source, 'owner' | 'language'>) => [
  ...[mark(kind), mark(kind, owner)],
  ...(language === undefined ? [] : [mark('', language)]),
]
/** A token for what begins a word that is found by its beginning. */
export const beginning = (characters: readonly string[]) =>
  `¶${characters.slice(0, longestBeginning).join('')}`

/** A tsvector of PostgreSQL holds 1 MiB, and a lexeme 2,046 bytes. */
const [mostBytes, longestWord] = [1_000_000, 40]
/** A long word is found by its hash. */
export const wholeWord = (word: string) =>
  word.length <= longestWord
    ? word
    : `${new Bun.CryptoHasher('sha1').update(word).digest('hex')}${word.length}`

/** What finds an item in PostgreSQL, whose own parser knows other words; with spaces between. Of too many, the first are found. */
export const lexemesOf = (kind: string, item: Source) => {
  const { text, short } = foundIn(item)
  const all = new Set(marksOf(kind, item))
  let bytes = 0
  const addAll = (lexemes: Iterable<string>) => {
    for (const lexeme of lexemes) {
      if (all.has(lexeme)) continue
      bytes += Buffer.byteLength(lexeme)
      if (bytes > mostBytes) return
      all.add(lexeme)
    }
  }
  addAll(wordsOf(short).map((word) => beginning([...word])))
  addAll(wordsOf(text).values().map(wholeWord))
  return [...all].join(' ')
}

/** How results are sorted: the newest, last changed, largest, most used or soonest expiring first. */
export type Sort = 'created' | 'changed' | 'size' | 'uses' | 'expires'
/** A result, and where it is in its order; among equals, the newest comes first, as only the store reads from `rank`. */
export type Hit = { id: string; createdAt: number; key: number; rank: string }
export type SearchQuery = {
  kind: string
  /** `undefined` for the items of all. */
  owner: string | undefined
  language: string | undefined
  /** Every word of it must occur; empty for any text. */
  text: string
  /** Created at this time or later, in milliseconds since the epoch. */
  since: number
  sort: Sort
  /** The last one of the page before. */
  after?: Pick<Hit, 'key' | 'rank'> | undefined
  count: number
  /** Leaves out what has expired at this time. */
  now: number
}
/**
 * What `heads` must still confirm.
 * @returns as `found` `undefined` if the text has no word, or too many; `isComplete` is false while words are being read
 */
export type Search = (
  query: SearchQuery,
) => Promise<{ found: readonly Hit[] | undefined; isComplete: boolean }>
