import { languageChoices } from '../highlight/languages/languages.ts'
import { idAlphabet, idLength, secretLength } from '../items/ids.ts'
import { longestLifetimeMs, reservedAliases } from '../services/options.ts'
import type { Schema } from './types.ts'

// Every dialect of patterns reads these alike: Python's `\s` and `\d` take other characters than JavaScript's, and a flag for
// either case stands outside of a pattern.
const space = String.raw`\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`
const control = String.raw`\x00-\x1f\x7f-\x9f`
const inAnyCase = (word: string) =>
  word
    .replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
    .replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
const oneOf = (words: readonly string[]) => `(?:${words.map(inAnyCase).join('|')})`

/** The whole numbers from 1 to this, without a leading zero. */
export const upTo = (most: number) => {
  const digits = [...String(most)].map(Number)
  const below = digits.flatMap((digit, at) => {
    const lowest = at === 0 ? 1 : 0
    if (digit <= lowest) return []
    return `${digits.slice(0, at).join('')}[${lowest}-${digit - 1}][0-9]{${digits.length - at - 1}}`
  })
  return `(?:[1-9][0-9]{0,${digits.length - 2}}|${below.join('|')}|${most})`
}

const seconds = longestLifetimeMs / 1000
const units = { s: seconds, m: seconds / 60, h: seconds / 3600, d: seconds / 86_400, w: seconds / 604_800 }
const lifetimes = Object.entries(units).map(([unit, most]) => `${upTo(Math.floor(most))}${unit}`)

const words = languageChoices.flatMap(({ id, name, spellings }) => [
  id,
  name.toLowerCase(),
  ...spellings.split(' ').filter((word) => word !== ''),
])

const string = (pattern: string, description: string): Schema => ({ type: 'string', pattern, description })

/** An alias in either case, in a request. */
const name = '[A-Za-z0-9_-]{1,64}'
const storedName = '[a-z0-9_-]{1,64}'
const id = (kind: keyof typeof idLength) => `[${idAlphabet}]{${idLength[kind]}}`
const secret = `[${idAlphabet}]{${secretLength}}`

/** What a request may say, more exactly than the schemas that only find out which message a refused one gets. */
export const requested = {
  /** An `enum` would refuse `C++` and ` Python `, which the server takes, and has values that clients in other languages cannot name. */
  Language: string(
    `^[${space}]*\\.?${oneOf([...new Set(words)])}[${space}]*$`,
    'Language by id, alias, everyday name or ending of a file, in any case; the end of `/docs` lists them',
  ),
  Alias: {
    ...string(`^${name}$`, 'Name in the addresses in place of the id, in either case; some are reserved'),
    not: { pattern: `^${oneOf([...reservedAliases])}$` },
  },
  Lifetime: string(
    `^(?:0*${upTo(seconds)}|${lifetimes.join('|')})$`,
    'Lifetime: seconds, or a text such as 10m, 2h, 7d or 4w; 1 second to 10 years',
  ),
  /** What the URL parser takes beyond this, no pattern can say. */
  Target: {
    ...string(
      `^[hH][tT][tT][pP][sS]?://[^/\\\\?#${space}${control}][^${space}${control}]*$`,
      'An absolute address of http or https, without white space, as the URL standard parses it',
    ),
    maxLength: 8192,
  },
} as const satisfies Record<string, Schema>

/** Patterns of what stands in addresses that are asked for. */
export const inPath = {
  name: `^${name}$`,
  /** As clients of hastebin write it. */
  document: `^${name}(?:\\.[^/]*)?$`,
  deletionKey: (kind: keyof typeof idLength) =>
    `^[${idAlphabet}${idAlphabet.replace(/[0-9]/g, '').toUpperCase()}]{${idLength[kind] + secretLength}}$`,
}

const address = (path: string): Schema => ({ pattern: `^https?://[^/]+/(?:.*/)?${path}$` })

/** Fields of answers by their names, and what they hold. */
export const answered = (kind: keyof typeof idLength): Readonly<Record<string, Schema>> => ({
  id: { pattern: `^${id(kind)}$` },
  key: { pattern: `^${id(kind)}$` },
  alias: { pattern: `^${storedName}$` },
  pasteUrl: address(`p/${storedName}`),
  rawUrl: address(`p/raw/${storedName}`),
  shortendUrl: address(`s/${storedName}`),
  deletionUrl: address(`${kind === 'paste' ? 'paste' : 'shortener'}/delete\\?key=${id(kind)}${secret}`),
})
