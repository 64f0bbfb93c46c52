import type { Check } from '../items/field.ts'
import type { Changeable } from '../items/ids.ts'
import type { CountsStore } from './derived/counts-store.ts'
import type { Search } from './words/tokens.ts'

/** The fields of every stored item. */
export type StoredItem = Changeable & {
  owner: string
  /** Milliseconds since the epoch, as all times here. */
  createdAt: number
  expiresAt?: number
  alias?: string
  changedAt?: number
}

/**
 * An item without its text, which may be large. `bytes` is the size of the text in UTF-8, and `name` what the paste is
 * called; 0 and empty for an item without a text.
 */
export type Head<T> = Omit<T, 'text'> & { bytes: number; name: string }

/** What the index says of an item, besides its head. */
export type Row = {
  /** The collection of the item. */
  kind: string
  owner: string
  createdAt: number
  id: string
  expiresAt?: number | undefined
  /** 1 for an item that was never changed. */
  version: number
  /** Size of its newest text or address in UTF-8. */
  bytes: number
  /** Number and bytes of its earlier versions. */
  kept: number
  keptBytes: number
}
export type RowKey = Pick<Row, 'kind' | 'owner' | 'createdAt' | 'id'>
/** Whose items are listed: those of the key with this name, or of every key if `undefined`. */
export type Owner = string | undefined
/** Where an item is in a list. */
export type Place = Pick<Row, 'createdAt' | 'id'>
/** The items of an owner, and the bytes of their newest versions. */
export type Total = { kind: string; owner: string; items: number; bytes: number }

/**
 * Items of one kind: what the services need of a store. Each verb is atomic. When its promise resolves, the change is on
 * disk; when it rejects with a storage error, it may have happened. Every verb may reject with one.
 */
export type ItemStore<T extends StoredItem> = {
  /** By id or alias, if it is in memory and nobody else can have changed it; never reads the disk. */
  peek: (name: string) => T | undefined
  /** By id. `gone`: erased, and the id stays taken forever. @throws {AppError} `damaged` */
  load: (id: string) => Promise<T | 'gone' | undefined>
  /** By id or alias; an id wins. An alias whose item is gone gives `gone`, one without an item `undefined`. @throws {AppError} `damaged` */
  loadNamed: (name: string) => Promise<T | 'gone' | undefined>
  /** Stores an item under a new id. `taken`: its owner may not have the alias. */
  create: (draft: Omit<T, 'id'>) => Promise<T | 'taken'>
  /**
   * Compare-and-swap: false if `former` is no longer the newest. If `next` names it as an earlier version, it is kept; a
   * version that `next` no longer names is removed.
   */
  replace: (former: T, next: T) => Promise<boolean>
  /** An earlier version; `undefined` if it is not kept. @throws {AppError} `damaged` */
  loadEarlier: (id: string, version: number) => Promise<T | undefined>
  /** Removes all earlier versions; false if `former` is no longer the newest. */
  removeEarlier: (former: T) => Promise<boolean>
  /** False if another request was faster. @param isNewest true to erase only this version */
  erase: (item: T, isNewest?: boolean) => Promise<boolean>
  /** Living items of an owner, or of all, newest first; fewer than `count` only at the end. */
  list: (owner: Owner, count: number, before?: Place) => Promise<Head<T>[]>
  /** How many items an owner has, or all. */
  count: (owner: Owner) => Promise<number>
  /** The items at these places, in this order; leaves out what is gone, expired or damaged. */
  heads: (places: readonly Place[]) => Promise<Head<T>[]>
  /** The rows that a killed process left unsettled, then those that have expired, oldest first. */
  due: (count: number) => Promise<Row[]>
  /** True if it erased an item that has expired, even a damaged one, or half erased; puts any other row right. */
  eraseDue: (row: Row) => Promise<boolean>
}

/** How the items of a kind are stored. */
export type KindParts<T> = {
  check: Check<T>
  cacheBytes: number
  newId: () => string
  isId: (name: string) => boolean
}

/** `building`: rows are missing. `memory`: it is whole, but no file can be written, so each start builds it again. */
export type IndexState = 'whole' | 'building' | 'memory'

/** All items. */
export type Collections = {
  /** Opens the items of a kind. Call it for all kinds before `start`. */
  store: <T extends StoredItem>(kind: string, parts: KindParts<T>) => ItemStore<T>
  /** Begins what goes on in the background. */
  start: () => void
  /** Items and bytes by kind and owner. @throws {AppError} storage errors */
  totals: () => Promise<Total[]>
  index: {
    /** Some of the rows that there are now, in order, starting after this one. */
    rowsAfter: (row: RowKey, count: number) => Row[] | Promise<Row[]>
    state: () => IndexState
  }
  search: Search
  /** These items were used more often. */
  used: (items: readonly Pick<RowKey, 'kind' | 'id'>[]) => void
  close: () => Promise<void>
}

/** News of what goes on in the background. */
export type Report = (
  level: 'info' | 'error',
  event: string,
  fields?: Readonly<Record<string, string | number>>,
) => void

/** Where everything is stored. */
export type Storage = {
  counts: (onDamage: (error: Error) => void) => CountsStore
  /** @param onDamage called for an unreadable item, which is left out of a list */
  items: (parts: { now: () => number; report: Report; onDamage: (error: Error) => void }) => Collections
  health: { isGood: () => boolean }
  /** True while no other server can open it that must not. */
  isLocked: () => boolean
  close: () => void | Promise<void>
}
