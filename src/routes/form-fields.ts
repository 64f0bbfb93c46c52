import type { Typed } from '../../views/home-page.tsx'
import type { Fields, Form } from './forms.ts'
import { limitOf } from './limit-field.ts'

/** Fields that may be left empty, which means: as if they were not there. */
const optional = ['expiresIn', 'alias', 'maxReads', 'maxVisits']

/** The fields of a form as the body of a creation. */
export const bodyOf = ({ maxReads, maxVisits, ...fields }: Fields): object => ({
  ...Object.fromEntries(Object.entries(fields).filter(([name, value]) => value || !optional.includes(name))),
  ...(maxReads && { maxReads: limitOf(maxReads) }),
  ...(maxVisits && { maxVisits: limitOf(maxVisits) }),
})

/** What comes back to be shown again; the key does not. */
const shown = ['text', 'title', 'description', 'language', 'url', ...optional] as const

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
