import { invalid, tooLarge } from '../errors.ts'
import { tooLargeText } from '../format.ts'
import { checkLengths, createBodyCheck, isDetected, keptOf, knownOf } from '../items/field.ts'
import { PasteBody, PasteChange, pasteTable, type StoredPaste } from '../items/paste.ts'
import {
  type Change,
  type Created,
  checkReplace,
  createItems,
  type ItemParts,
  type Items,
  type Replaced,
} from './items.ts'
import { aliasFor, type LifetimeOf, madeAtOf, newExpiry } from './options.ts'

/** The language with this name, or the nearest known one. */
export type LanguageLookup = (name: string) => { id: string } | { nearest: string }

/** The language of a text, from its names (a title) and its content; `text` unless it is sure. */
export type LanguageDetection = (text: string, names: readonly string[]) => string

export type PastesParts = Omit<ItemParts<StoredPaste>, 'kind' | 'sizeOf'> & {
  findLanguage: LanguageLookup
  detectLanguage: LanguageDetection
  lifetimeOf: LifetimeOf
  /** Largest text, in bytes of UTF-8. */
  maxBytes: number
}

export type Pastes = Omit<Items<StoredPaste>, 'create'> & {
  /**
   * Creates a paste; with `replace` in the body, it changes the one that the name leads to.
   * @throws {AppError} `too-large`, `invalid`, `conflict`; storage errors
   */
  create: (body: object, owner: string) => Promise<Created<StoredPaste> | Replaced<StoredPaste>>
  /** What the body of a change asks for. @throws {AppError} `too-large`, `invalid` */
  readChange: (body: object) => Change<StoredPaste>
}

const check = createBodyCheck(PasteBody, pasteTable)
const checkChange = createBodyCheck(PasteChange, pasteTable)

/** What bodies ask for. */
const createReader = ({ findLanguage, detectLanguage, lifetimeOf, maxBytes, now }: PastesParts) => {
  /** The size is checked before the shape: a text that is too large gets 413 even if the title is missing. */
  const checkSize = (text: unknown) => {
    if (typeof text === 'string' && Buffer.byteLength(text) > maxBytes)
      throw tooLarge(`Field "text" is larger than ${maxBytes} bytes of UTF-8`, {
        field: 'text',
        message: tooLargeText(maxBytes),
      })
  }

  const detect = ({ text, title }: Pick<StoredPaste, 'text' | 'title'>) => detectLanguage(text, [title])

  const languageOf = (name: string) => {
    const language = findLanguage(name)
    if ('id' in language) return language.id
    throw invalid(`Field "language" is not a known language; the nearest one is "${language.nearest}"`, {
      field: 'language',
      message: `Unknown language. Did you mean "${language.nearest}"?`,
    })
  }

  return {
    readNew: (body: object) => {
      const { text, expiresIn } = body as Partial<PasteBody>
      checkSize(text)
      checkLengths(pasteTable, body)
      // Before the schema, whose error cannot explain "one of two types".
      const lifetimeMs = lifetimeOf(expiresIn)
      const checked = check(body)
      const { alias: name, ...kept } = keptOf(pasteTable, checked)
      const { maxReads } = kept
      const limit = maxReads === undefined ? {} : { readsLeft: maxReads }
      const alias = aliasFor(name)
      const { replace = false } = checked
      if (replace) checkReplace(alias, maxReads, 'maxReads')
      const language = isDetected(kept.language) ? detect(kept) : languageOf(kept.language)
      const fields = { ...kept, language }
      const change = replace ? { fields, ...newExpiry(body, lifetimeOf, now) } : undefined
      return { fields, limit, lifetimeMs, madeAt: madeAtOf(checked.madeAt), alias, change }
    },

    readChange: (body: object): Change<StoredPaste> => {
      checkSize((body as Partial<PasteBody>).text)
      checkLengths(pasteTable, body)
      const expiry = newExpiry(body, lifetimeOf, now)
      const { expiresIn: _, ...sent } = checkChange(knownOf(PasteChange, body)) as Partial<PasteBody>
      if (sent.language === undefined) return { fields: sent, ...expiry }
      if (!isDetected(sent.language))
        return { fields: { ...sent, language: languageOf(sent.language) }, ...expiry }
      // Perhaps only the stored paste has a text or a title.
      return { fields: (paste) => ({ ...sent, language: detect({ ...paste, ...sent }) }), ...expiry }
    },
  }
}

export const createPastes = (parts: PastesParts): Pastes => {
  const items = createItems<StoredPaste>({
    ...parts,
    kind: 'paste',
    sizeOf: ({ text }) => Buffer.byteLength(text),
  })
  const { readNew, readChange } = createReader(parts)
  return { ...items, readChange, create: async (body, owner) => items.create(readNew(body), owner) }
}
