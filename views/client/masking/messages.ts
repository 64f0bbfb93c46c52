import type { Masked } from '../../../src/mask/mask.ts'

/** A value that was masked, and may have been taken back. */
export type Entry = Omit<Masked, 'lines'> & { isLeft: boolean }

/** What the page asks of the worker. */
export type Asked = {
  text: string
  entries: readonly Entry[]
  /** Masks everything that was not taken back, or only the value with this placeholder. */
  masks?: 'all' | { only: string }
}

/** A value of the list. */
export type Listed = { placeholder: string; isLeft: boolean; about: string }

export type Answer = {
  /** The masked text, if it was asked for. */
  text?: string
  entries: readonly Entry[]
  /** Those that are in the text still, with their kinds and lines in words. */
  listed: readonly Listed[]
  /** What is not masked: what looks secret, and what is personal, in words. */
  secrets: readonly string[]
  personal: readonly string[]
}
