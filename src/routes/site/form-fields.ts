import type { FieldName, Typed } from '../../../views/home-page.tsx'
import { guessLanguage } from '../../highlight/languages/guess-language.ts'
import type { Fields, Form } from '../../http/body/forms.ts'
import { limitOf } from '../../http/body/limit-field.ts'

export type Kind = 'paste' | 'link'

/** Which of its two parts a form is about. The Enter key names none: then it is the one that was filled in. */
export const kindOf = ({ create, text, url }: Fields): Kind => {
  if (create === 'paste' || create === 'link') return create
  return url && !text ? 'link' : 'paste'
}

const filledIn = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''))

const pasteBody = ({ text = '', title = '', description = '', language, ...fields }: Fields): object => ({
  ...{ text, title, description },
  language: language || guessLanguage([title], text),
  ...filledIn({
    expiresIn: fields.expiresIn,
    alias: fields.alias,
    maxReads: fields.burn ? 1 : fields.maxReads && limitOf(fields.maxReads),
  }),
})

/** One form holds both kinds, so what a link shares with a paste has another name in it. */
const linkBody = ({ url = '', ...fields }: Fields): object => ({
  url: url.trim(),
  ...filledIn({
    expiresIn: fields.linkExpiresIn ?? fields.expiresIn,
    alias: fields.linkAlias ?? fields.alias,
    maxVisits: fields.maxVisits && limitOf(fields.maxVisits),
  }),
})

/** The fields of a form as the body of a creation. An empty field means: as if it were not there. */
export const bodyOf = (fields: Fields): object =>
  kindOf(fields) === 'link' ? linkBody(fields) : pasteBody(fields)

/** The field of a form for a field of the API. */
export const fieldOf = (kind: Kind, field: string | undefined) => {
  if (kind === 'paste') return field
  return { alias: 'linkAlias', expiresIn: 'linkExpiresIn' }[field ?? ''] ?? field
}

/** What comes back to be shown again; the key does not. */
const shown: readonly FieldName[] = [
  ...(['text', 'title', 'description', 'language', 'expiresIn', 'burn', 'maxReads', 'alias'] as const),
  ...(['url', 'linkExpiresIn', 'maxVisits', 'linkAlias'] as const),
]

/** Characters that an error page shows again: escaped they are six times as many bytes at most. */
const mostShownChars = 64 * 1024

const byLength = (a: readonly [string, string], b: readonly [string, string]) => a[1].length - b[1].length

/** What somebody typed, without what is too long to be sent back; `isCut` tells that something is missing. */
export const typedOf = ({ fields, isCut }: Form): { typed: Typed; isCut: boolean } => {
  const entries = shown.flatMap((name) => {
    const value = fields[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  let left = mostShownChars
  // The short ones first: of a long paste at least its title comes back.
  const kept = entries.sort(byLength).filter(([, value]) => {
    left -= value.length
    return left >= 0
  })
  return { typed: Object.fromEntries(kept), isCut: isCut || kept.length < entries.length }
}
