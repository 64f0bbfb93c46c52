import type { Changeable, ItemKind } from '../items/ids.ts'

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
 * disk; when it rejects with a storage error, it may have happened.
 */
export type ItemStore<T extends StoredItem> = {
  /** By id or alias, if it is in memory; never reads the disk. */
  peek: (name: string) => T | undefined
  /** By id. `gone`: erased, and the id stays taken forever. @throws {AppError} `damaged` */
  load: (id: string) => Promise<T | 'gone' | undefined>
  /** By id or alias; an id wins. An alias whose item is gone gives `gone`, one without an item `undefined`. @throws {AppError} `damaged` */
  loadNamed: (name: string) => Promise<T | 'gone' | undefined>
  /** Stores an item under a new id. `taken`: its owner may not have the alias. @throws {AppError} storage errors */
  create: (draft: Omit<T, 'id'>) => Promise<T | 'taken'>
  /**
   * Compare-and-swap: false if `former` is no longer the newest. If `next` names it as an earlier version, it is kept; a
   * version that `next` no longer names is removed. @throws {AppError} storage errors
   */
  replace: (former: T, next: T) => Promise<boolean>
  /** An earlier version; `undefined` if it is not kept. @throws {AppError} `damaged` */
  loadEarlier: (id: string, version: number) => Promise<T | undefined>
  /** Removes all earlier versions; false if `former` is no longer the newest. @throws {AppError} storage errors */
  removeEarlier: (former: T) => Promise<boolean>
  /** False if another request was faster. @param isNewest true to erase only this version. @throws {AppError} storage errors */
  erase: (item: T, isNewest?: boolean) => Promise<boolean>
  /**
   * Living items of an owner, or of all, newest first; fewer than `count` only at the end.
   * @throws {AppError} storage errors
   */
  list: (owner: Owner, count: number, before?: Place) => Promise<Head<T>[]>
  /** How many items an owner has, or all. @throws {AppError} storage errors */
  count: (owner: Owner) => Promise<number>
  /** The items at these places, in this order; leaves out what is gone, expired or damaged. @throws {AppError} storage errors */
  heads: (places: readonly Place[]) => Promise<Head<T>[]>
  /** The rows that a killed process left unsettled, then those that have expired, oldest first. */
  due: (count: number) => Row[]
  /**
   * Erases an item that has expired, even a damaged one, or whose erasure was begun; puts the row of any other right.
   * @returns true if it was erased. @throws {AppError} storage errors
   */
  eraseDue: (row: Row) => Promise<boolean>
}

/** Number of reads or visits of an item. */
export type Count = { kind: ItemKind; id: string; count: number }
/** Added to a count; `'forgotten'` deletes it. */
export type CountChange = Omit<Count, 'count'> & { by: number | 'forgotten' }

/** Counts of items and last uses of keys. All methods except `prepare` are synchronous, so no caller sees a partial write. */
export type CountsStore = {
  /** Creates what is missing. @throws the error of a system call */
  prepare: () => Promise<void>
  /** The counts above 0. @throws SQLite's error */
  get: (kind: ItemKind, ids: readonly string[]) => ReadonlyMap<string, number>
  /** Writes all or nothing. @param uses minute of the last use of each key, by name. @throws SQLite's error */
  write: (changes: readonly CountChange[], uses: ReadonlyMap<string, number>) => void
  close: () => void
}
