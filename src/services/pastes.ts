import { invalid, tooLarge } from '../errors.ts'
import { compileCheck } from '../items/check.ts'
import { PasteBody, type StoredPaste } from '../items/schema.ts'
import { aliasFor } from './aliases.ts'
import type { LifetimeOf } from './expiry.ts'
import type { ItemParts, Items } from './item-types.ts'
import { createItems } from './items.ts'
import { checkWords } from './paste-words.ts'

/** A language a paste may have, or the nearest one to what was asked for. */
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
}

const check = compileCheck(PasteBody)

export const createPastes = ({ findLanguage, lifetimeOf, maxBytes, ...parts }: PastesParts): Pastes => {
  const items = createItems<StoredPaste>({ ...parts, kind: 'paste' })

  /** Size comes before shape: a text too large is 413 even when the title is missing. */
  const checkSize = (text: unknown) => {
    if (typeof text === 'string' && Buffer.byteLength(text) > maxBytes)
      throw tooLarge(`Field "text" is larger than ${maxBytes} bytes of UTF-8`)
  }

  return {
    ...items,
    create: async (body, owner) => {
      checkSize((body as Partial<PasteBody>).text)
      checkWords(body)
      // Before the schema, which has no words for "one of two types".
      const lifetimeMs = lifetimeOf((body as Partial<PasteBody>).expiresIn)
      if (!check.isValid(body)) throw invalid(check.problem(body) ?? 'Invalid body')
      const { text, title, description, maxReads } = body
      const language = findLanguage(body.language)
      if ('nearest' in language)
        throw invalid(`Field "language" is not a known language; the nearest one is "${language.nearest}"`)
      const limit = maxReads === undefined ? {} : { maxReads, readsLeft: maxReads }
      const fields = { text, title, description, language: language.id, ...limit }
      const alias = aliasFor(body.alias)
      return items.create(fields, owner, { lifetimeMs, alias })
    },
  }
}
