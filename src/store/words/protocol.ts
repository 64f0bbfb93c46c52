import type { Row } from '../store.ts'
import type { Found, Search } from './facts.ts'

/** What the worker is asked for, with its answers. It answers in any order: a search does not wait for a long `put`. */
export type Asked = {
  /** Opens the words. Without any that can be trusted, they are empty. @returns also what was damaged */
  open: { ask: OpenParts; answer: { isComplete: boolean; isOnDisk: boolean; damage?: string | undefined } }
  /** Opens empty words. @returns false if they are only in memory, because the folder cannot hold them */
  renew: { ask: undefined; answer: boolean }
  /** Adds what is missing of these items, removes others, and brings uses up to date. */
  put: { ask: Put; answer: unknown }
  /** From now on, remembers which items were put. */
  beginComparison: { ask: undefined; answer: unknown }
  /** Removes the items that were not put. @returns how many there are, and how many were missing */
  endComparison: { ask: undefined; answer: { items: number; added: number } }
  /** Reads everything once. @throws if it is damaged */
  check: { ask: undefined; answer: unknown }
  /** @returns `undefined` if the text has no word, or too many */
  search: { ask: Query; answer: readonly Found[] | undefined }
  /** @param ask true if the next start may trust the words, even after a power cut */
  close: { ask: boolean; answer: unknown }
}

/** Identifies an item. */
export type ItemKey = { kind: string; id: string }
export type Used = ItemKey & { uses: number }
export type UsedRow = Row & { uses: number }
export type Put = { rows: readonly UsedRow[]; removed: readonly ItemKey[]; used: readonly Used[] }

export type OpenParts = {
  /** The data folder. */
  folder: string
  boot: string
}

/** A search in plain words. */
export type Query = Omit<Search, 'match'> & {
  kind: string
  /** `undefined` for all owners. */
  owner: string | undefined
  language: string | undefined
  text: string
}

export type Request = { [K in keyof Asked]: { id: number; what: K; ask: Asked[K]['ask'] } }[keyof Asked]

/** @param code of SQLite or of the system */
export type Reply =
  | { id: number; answer: Asked[keyof Asked]['answer'] }
  | { id: number; failure: string; code: string | undefined }
