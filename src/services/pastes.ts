import { invalid, tooLarge } from '../errors.ts'
import { createBodyCheck } from '../items/check.ts'
import { checkLengths, keptOf, knownOf } from '../items/field.ts'
import { PasteBody, PasteChange, pasteTable, type StoredPaste } from '../items/paste.ts'
import type { Change } from './changes.ts'
import { createItems, type ItemParts, type Items } from './items.ts'
import { aliasFor, expiryOf, type LifetimeOf } from './options.ts'

/** The language with this name, or the nearest known one. */
export type LanguageLookup = (name: string) => { id: string } | { nearest: string }

export type PastesParts = Omit<ItemParts<StoredPaste>, 'kind'> & {
  findLanguage: LanguageLookup
  lifetimeOf: LifetimeOf
  /** Largest text, in bytes of UTF-8. */
  maxBytes: number
}

export type Pastes = Omit<Items<StoredPaste>, 'create'> & {
  /** @throws {AppError} `too-large`, `invalid`, `conflict`; storage errors */
  create: (body: object, owner: string) => ReturnType<Items<StoredPaste>['create']>
  /** What the body of a change asks for. @throws {AppError} `too-large`, `invalid` */
  readChange: (body: object) => Change<StoredPaste>
}

const check = createBodyCheck(PasteBody)
const checkChange = createBodyCheck(PasteChange)

export const createPastes = ({ findLanguage, lifetimeOf, maxBytes, ...parts }: PastesParts): Pastes => {
  const items = createItems<StoredPaste>({ ...parts, kind: 'paste' })

  /** The size is checked before the shape: a text that is too large gets 413 even if the title is missing. */
  const checkSize = (text: unknown) => {
    if (typeof text === 'string' && Buffer.byteLength(text) > maxBytes)
      throw tooLarge(`Field "text" is larger than ${maxBytes} bytes of UTF-8`)
  }

  const languageOf = (name: string) => {
    const language = findLanguage(name)
    if ('id' in language) return language.id
    throw invalid(`Field "language" is not a known language; the nearest one is "${language.nearest}"`)
  }

  return {
    ...items,
    create: async (body, owner) => {
      const { text, expiresIn } = body as Partial<PasteBody>
      checkSize(text)
      checkLengths(pasteTable, body)
      // Before the schema, whose error cannot explain "one of two types".
      const lifetimeMs = lifetimeOf(expiresIn)
      const { alias, ...kept } = keptOf(pasteTable, check(body))
      const { maxReads } = kept
      const limit = maxReads === undefined ? {} : { readsLeft: maxReads }
      const fields = { ...kept, language: languageOf(kept.language), ...limit }
      return items.create(fields, owner, { lifetimeMs, alias: aliasFor(alias) })
    },

    readChange: (body) => {
      checkSize((body as Partial<PasteBody>).text)
      checkLengths(pasteTable, body)
      const expiresAt = expiryOf(body, lifetimeOf, parts.now)
      const { expiresIn: _, ...sent } = checkChange(knownOf(PasteChange, body)) as Partial<PasteBody>
      const { language } = sent
      const fields = { ...sent, ...(language !== undefined && { language: languageOf(language) }) }
      return { fields, ...(expiresAt !== undefined && { expiresAt }) }
    },
  }
}
