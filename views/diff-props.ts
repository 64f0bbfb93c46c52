import type { Site } from './layout.tsx'

/** Why two texts could not be compared. */
export type NotCompared = 'different' | 'late' | 'failed' | 'large'

/** One of the two pastes. */
export type DiffSide = {
  /** The name in its addresses: alias or id. */
  name: string
  title: string
  /** The title as safe HTML, with invisible characters marked. */
  titleHtml: string
  facts: string
}

/** The contents of a page that compares two pastes. */
export type DiffPageProps = {
  site: Site
  look: 'unified' | 'split'
  sides: readonly [before: DiffSide, after: DiffSide]
  /** Digits of the longest line number. */
  digits: number
  /** Numbers of lines; `undefined` if they are not known. */
  added: string | undefined
  removed: string | undefined
  isSame: boolean
  /** True if not all rows had room. */
  isCut: boolean
  /** True if the address asks for a look that there is not. */
  isMistyped: boolean
  not: NotCompared | undefined
  patchFile: string
  /** Rows as escaped HTML, or a placeholder for them. */
  rowsHtml: string
}
