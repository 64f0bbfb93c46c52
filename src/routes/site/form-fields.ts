import type { Typed } from '../../../views/form-props.ts'
import { guessLanguage } from '../../highlight/languages/guess-language.ts'
import type { Fields, Form } from '../../http/body/forms.ts'
import { linkTable } from '../../items/link.ts'
import { pasteTable } from '../../items/paste.ts'
import { controlsOf, fromForm } from '../../items/texts.ts'

export type Kind = 'paste' | 'link'

/** Which of its two parts a form is about. The Enter key names none: then it is the one that was filled in. */
export const kindOf = ({ create, text, url }: Fields): Kind => {
  if (create === 'paste' || create === 'link') return create
  return url && !text ? 'link' : 'paste'
}

/** The controls of the form. */
export const controls = { paste: controlsOf(pasteTable), link: controlsOf(linkTable, pasteTable) } as const

const pasteBody = (fields: Fields) => {
  const { title = '', text = '', language, ...body } = fromForm(pasteTable, controls.paste, fields)
  return {
    ...{ ...body, title, text },
    language: language || guessLanguage([String(title)], String(text)),
    ...(fields.burn && { maxReads: 1 }),
  }
}

const linkBody = (fields: Fields) => {
  const { url = '', ...body } = fromForm(linkTable, controls.link, fields)
  return { ...body, url: String(url).trim() }
}

/** The fields of a form as the body of a creation. */
export const bodyOf = (fields: Fields): object =>
  kindOf(fields) === 'link' ? linkBody(fields) : pasteBody(fields)

/** The control of a field of the API. */
export const controlOf = (kind: Kind, field: string | undefined) =>
  controls[kind].find((control) => control.field === field)?.name ?? field

/** What comes back to be shown again; the key does not. */
const shown = [...controls.paste, ...controls.link].map(({ name }) => name).concat('burn')

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
