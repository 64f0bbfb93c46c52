import type { Finder } from './finders.ts'

/** One kind of value that is masked. */
export type Row = {
  /** Its name in placeholders and on the command line. Several rows may share it. */
  kind: string
  /** One of it, in the words of a message; `s` or `es` makes it several. */
  words: string
  find: Finder
  /** True if it says who or where somebody is, and opens nothing. */
  isPersonal?: true
}
