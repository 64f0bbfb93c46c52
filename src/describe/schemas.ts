import { languageChoices } from '../highlight/languages/languages.ts'
import { Done, ErrorBody, HasteCreated, HasteDocument, KeyFacts, Ready, Versions } from '../items/answers.ts'
import { idAlphabet, idLength, secretLength } from '../items/ids.ts'
import { LinkBody, LinkChange, LinkCreated, OwnLinkRecord, OwnLinks } from '../items/link.ts'
import { Stats } from '../items/owner/stats.ts'
import {
  OwnPasteRecord,
  OwnPastes,
  PasteBody,
  PasteChange,
  PasteCreated,
  PublicPaste,
} from '../items/paste.ts'
import { longestLifetimeMs, reservedAliases } from '../services/options.ts'
import type { Schema } from './types.ts'

// Works in all dialects: Python's `\s` and `\d` match other characters than JavaScript's, and a flag for ignoring case is not
// part of a pattern.
const space = String.raw`\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`
const control = String.raw`\x00-\x1f\x7f-\x9f`
const inAnyCase = (word: string) =>
  word
    .replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
    .replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
const oneOf = (words: readonly string[]) => `(?:${words.map(inAnyCase).join('|')})`

/** Matches whole numbers from 1 to `most`, without leading zeros. */
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

/** An alias in a request, in either case. */
const name = '[A-Za-z0-9_-]{1,64}'
const storedName = '[a-z0-9_-]{1,64}'
const id = (kind: keyof typeof idLength) => `[${idAlphabet}]{${idLength[kind]}}`
const secret = `[${idAlphabet}]{${secretLength}}`

/** The valid values of request fields. The schemas that check requests are wider, and leave the rest to rules with messages. */
export const requested = {
  /** Not an `enum`: it would refuse `C++` and ` Python `, which are valid, and has values that are no names in some languages. */
  Language: string(
    `^[${space}]*\\.?${oneOf([...new Set(words)])}[${space}]*$`,
    'Language by id, alias, everyday name or ending of a file, in any case; the end of `/docs` lists them',
  ),
  LanguageOrAuto: {
    anyOf: [
      { $ref: '#/components/schemas/Language' },
      string(
        `^[${space}]*${inAnyCase('auto')}[${space}]*$`,
        'Detected from the title and the text; `text` unless it is sure',
      ),
    ],
  },
  Alias: {
    ...string(`^${name}$`, 'Name in the addresses in place of the id, in either case; some are reserved'),
    not: { pattern: `^${oneOf([...reservedAliases])}$` },
  },
  Lifetime: string(
    `^(?:0*${upTo(seconds)}|${lifetimes.join('|')})$`,
    'Lifetime: seconds, or a text such as 10m, 2h, 7d or 4w; 1 second to 10 years',
  ),
  /** The URL parser has more rules, which no pattern can express. */
  Target: {
    ...string(
      `^[hH][tT][tT][pP][sS]?://[^/\\\\?#${space}${control}][^${space}${control}]*$`,
      'An absolute address of http or https, without white space, as the URL standard parses it',
    ),
    maxLength: 8192,
  },
} as const satisfies Record<string, Schema>

/** Patterns of values in request addresses. */
export const inPath = {
  name: `^${name}$`,
  /** As clients of hastebin send it: an id, perhaps with an ending. */
  document: `^${name}(?:\\.[^/]*)?$`,
  /** Of a text. That the last line comes after the first is a rule with a message. */
  lines: '^(?:[1-9][0-9]{0,8}(?:-(?:[1-9][0-9]{0,8})?)?|-[1-9][0-9]{0,8})$',
  /** The second of two pastes, perhaps as a patch to save. */
  compared: `^${name}(?:\\.patch)?$`,
  deletionKey: (kind: keyof typeof idLength) =>
    `^[${idAlphabet}${idAlphabet.replace(/[0-9]/g, '').toUpperCase()}]{${idLength[kind] + secretLength}}$`,
}

const address = (path: string): Schema => ({ pattern: `^https?://[^/]+/(?:.*/)?${path}$` })

/** Patterns of the fields in answers, by name. */
export const answered = (kind: keyof typeof idLength): Readonly<Record<string, Schema>> => ({
  id: { pattern: `^${id(kind)}$` },
  key: { pattern: `^${id(kind)}$` },
  alias: { pattern: `^${storedName}$` },
  pasteUrl: address(`p/${storedName}`),
  rawUrl: address(`p/raw/${storedName}`),
  shortendUrl: address(`s/${storedName}`),
  deletionUrl: address(`${kind === 'paste' ? 'paste' : 'shortener'}/delete\\?key=${id(kind)}${secret}`),
})

type Fields = Readonly<Record<string, Schema>>

/** Adds stricter schemas to the fields with these names, at every depth. */
const exact = (schema: Schema, fields: Fields): Schema => ({
  ...schema,
  ...(schema.items && { items: exact(schema.items, fields) }),
  ...(schema.properties && {
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, one]) => [
        name,
        { ...exact(one, fields), ...fields[name] },
      ]),
    ),
  }),
})

const ref = (name: keyof typeof requested): Schema => ({ $ref: `#/components/schemas/${name}` })

/** A language that something is in, unlike one that is to be found. */
export const knownLanguage = ref('Language')

/** Request fields with their own schema. */
export const requestFields = {
  language: ref('LanguageOrAuto'),
  alias: ref('Alias'),
  expiresIn: ref('Lifetime'),
  url: ref('Target'),
}

/** A JSON body, where the lifetime may be a number as well. @param more what else it may be */
const body = (schema: Schema, ...more: readonly Schema[]) => {
  const { expiresIn, ...fields } = requestFields
  const [number = {}] = schema.properties?.expiresIn?.anyOf ?? []
  return exact(schema, { ...fields, expiresIn: { anyOf: [number, expiresIn, ...more] } })
}

/** At least one field that is known; others are ignored. */
const changeBody = (schema: Schema): Schema => ({
  ...body(schema, { type: 'null' }),
  anyOf: Object.keys(schema.properties ?? {}).map((name) => ({ required: [name] })),
})

/** The schemas, by their names in the description. */
export const schemas = {
  PasteBody: body(PasteBody),
  LinkBody: body(LinkBody),
  PasteChange: changeBody(PasteChange),
  LinkChange: changeBody(LinkChange),
  ...requested,
  PasteCreated: exact(PasteCreated, answered('paste')),
  LinkCreated: exact(LinkCreated, answered('link')),
  PublicPaste: exact(PublicPaste, answered('paste')),
  HasteCreated: exact(HasteCreated, answered('paste')),
  HasteDocument: exact(HasteDocument, answered('paste')),
  OwnPastes: exact(OwnPastes, answered('paste')),
  OwnPasteRecord: exact(OwnPasteRecord, answered('paste')),
  OwnLinks: exact(OwnLinks, answered('link')),
  OwnLinkRecord: exact(OwnLinkRecord, answered('link')),
  Versions,
  KeyFacts,
  Stats,
  Done,
  Ready,
  ErrorBody,
} satisfies Readonly<Record<string, Schema>>

export type SchemaName = keyof typeof schemas
