import type { Typed } from '../../../views/form-props.ts'
import type { Tab } from '../../../views/layout.tsx'
import type { Fields, Form } from '../../http/forms.ts'
import { checkKnown, controlsOf, foreignFields, fromForm, inOwnNames } from '../../items/field.ts'
import { linkTable } from '../../items/link.ts'
import { pasteTable } from '../../items/paste.ts'

export type Kind = 'paste' | 'link'

/** The part of the form that was sent. The Enter key names none, so then the filled part counts. */
export const kindOf = ({ create, text, url }: Fields): Kind => {
  if (create === 'paste' || create === 'link') return create
  return url && !text ? 'link' : 'paste'
}

/** The part of the start page that a form was sent from. */
export const tabOf = (fields: Fields): Tab => (fields.create === 'items' ? 'items' : kindOf(fields))

/** The controls of the form for each kind. */
export const controls = { paste: controlsOf(pasteTable), link: controlsOf(linkTable, pasteTable) } as const

const namesOf = (kind: Kind) => controls[kind].flatMap(({ name, field }) => [name, field])

/** The fields of each kind. A browser sends those of both, because one form has both, and those of the list below it. */
const known = {
  paste: new Set(['create', 'key', ...namesOf('paste'), 'burn', ...foreignFields]),
  link: new Set(['create', 'key', ...namesOf('link'), ...foreignFields]),
}
const knownToBrowsers = new Set([...known.paste, ...known.link, 'q', 'sort'])

/** @throws {AppError} `invalid` for a field that would be left out */
export const checkFields = (fields: Fields, isBrowser: boolean) =>
  checkKnown(fields, isBrowser ? knownToBrowsers : known[kindOf(fields)])

const pasteBody = (fields: Fields, now: number) => {
  const own = inOwnNames(fields, 'maxReads', now)
  const { title = '', text = '', language, ...body } = fromForm(pasteTable, controls.paste, own)
  return {
    ...{ ...body, title, text },
    language: language || 'auto',
    ...(fields.burn && { maxReads: 1 }),
  }
}

const linkBody = (fields: Fields, now: number) => {
  const own = inOwnNames(fields, 'maxVisits', now)
  const { url = '', ...body } = fromForm(linkTable, controls.link, own)
  return { ...body, url: String(url).trim() }
}

/** The fields of a form as the body of a creation request. */
export const bodyOf = (fields: Fields, now: number): object =>
  kindOf(fields) === 'link' ? linkBody(fields, now) : pasteBody(fields, now)

/** The name of the control for a field of the API, the key or the search; `undefined` if the form has none. */
export const controlOf = (kind: Kind, field: string | undefined) =>
  field === 'key' || field === 'q' ? field : controls[kind].find((control) => control.field === field)?.name

/** Fields shown again after an error. The key is not one. */
const shown = [...controls.paste, ...controls.link].map(({ name }) => name).concat('burn', 'q', 'sort')

/** Limit of the characters that an error page shows again. Escaping makes them at most six times as long. */
const mostShownChars = 64 * 1024

const byLength = (a: readonly [string, string], b: readonly [string, string]) => a[1].length - b[1].length

/** The typed fields, without those too long to send back; `isCut` is true if any is missing. */
export const typedOf = ({ fields, isCut }: Form): { typed: Typed; isCut: boolean } => {
  const entries = shown.flatMap((name) => {
    const value = fields[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  let left = mostShownChars
  // Short ones first: if the text is too long, at least its title is kept.
  const kept = entries.sort(byLength).filter(([, value]) => {
    left -= value.length
    return left >= 0
  })
  return { typed: Object.fromEntries(kept), isCut: isCut || kept.length < entries.length }
}
