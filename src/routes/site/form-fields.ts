import type { Typed } from '../../../views/form-props.ts'
import type { Tab } from '../../../views/layout.tsx'
import { findLanguage } from '../../highlight/languages/languages.ts'
import type { Fields, Form } from '../../http/forms.ts'
import { parseDuration } from '../../items/durations.ts'
import { checkKnown, controlsOf, type FieldControl, fromForm, isDetected } from '../../items/field.ts'
import { linkTable } from '../../items/link.ts'
import { pasteTable } from '../../items/paste.ts'
import type { LifetimeChoice } from '../../services/options.ts'

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
  paste: new Set(['create', 'key', ...namesOf('paste'), 'burn']),
  link: new Set(['create', 'key', ...namesOf('link')]),
}
const knownToBrowsers = new Set([...known.paste, ...known.link, 'q', 'sort'])

/** @throws {AppError} `invalid` for a field that would be left out */
export const checkFields = (fields: Fields, isBrowser: boolean) =>
  checkKnown(fields, isBrowser ? knownToBrowsers : known[kindOf(fields)])

const pasteBody = (fields: Fields) => {
  const { title = '', text = '', language, ...body } = fromForm(pasteTable, controls.paste, fields)
  return {
    ...{ ...body, title, text },
    language: language || 'auto',
    ...(fields.burn && { maxReads: 1 }),
  }
}

const linkBody = (fields: Fields) => {
  const { url = '', ...body } = fromForm(linkTable, controls.link, fields)
  return { ...body, url: String(url).trim() }
}

/** The fields of a form as the body of a creation request. */
export const bodyOf = (fields: Fields): object =>
  kindOf(fields) === 'link' ? linkBody(fields) : pasteBody(fields)

/** The name of the control for a field of the API, the key or the search; `undefined` if the form has none. */
export const controlOf = (kind: Kind, field: string | undefined) =>
  field === 'key' || field === 'q' ? field : controls[kind].find((control) => control.field === field)?.name

/** The value as the form has it; `undefined` for one that it has no place for. */
const fitting = (
  { as, min = 1, max = Number.POSITIVE_INFINITY }: FieldControl,
  value: string,
  lifetimes: readonly LifetimeChoice[],
) => {
  if (as === 'uses') return /^\d{1,15}$/.test(value) && +value >= min && +value <= max ? value : undefined
  if (as === 'lifetime') {
    const asked = parseDuration(value)
    return lifetimes.find((one) => asked !== undefined && parseDuration(one.value) === asked)?.value
  }
  if (as !== 'language') return value
  const language = findLanguage(value)
  return isDetected(value) ? '' : 'id' in language ? language.id : undefined
}

/**
 * What an address suggests for a new item (`/?text=…`), under the names of the API. It is only shown, so a value that the
 * form cannot show, such as an unknown lifetime, is a problem at its field: nothing is left out silently.
 */
export const suggestedIn = (query: URLSearchParams, kind: Kind, lifetimes: readonly LifetimeChoice[]) => {
  const fields = controls[kind].flatMap((control) => {
    const value = query.get(control.field)
    return value ? [{ name: control.name, given: value, value: fitting(control, value, lifetimes) }] : []
  })
  const burns = kind === 'paste' && !/^(?:0|false|)$/.test(query.get('burn') ?? '')
  if (fields.length === 0 && !burns) return undefined
  const wrong = fields.find(({ value }) => value === undefined)
  const fitted = fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]))
  return {
    typed: { ...Object.fromEntries(fitted), ...(burns && { burn: '1' }) },
    problem: wrong && {
      field: wrong.name,
      message: `The address asks for “${wrong.given.slice(0, 40)}”, which this form does not have. Choose.`,
    },
  }
}

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
