import type { Ids, ItemKind } from '../items/ids.ts'
import type { Limitable } from '../items/uses.ts'
import type { AliasStore } from '../store/documents/alias-store.ts'
import type { Collection } from '../store/documents/collection.ts'
import type { OwnerList } from './owner-lists.ts'
import type { AddExpiry } from './sweep.ts'

/** What every stored item has. */
export type Item = {
  id: string
  createdAt: number
  owner: string
  deletionHash: string
  expiresAt?: number
  alias?: string
}

export type ItemParts<T extends Item & Limitable> = {
  kind: ItemKind
  collection: Collection<T>
  /** What each key made. */
  ownerList: Pick<OwnerList, 'during' | 'remove'>
  aliases: AliasStore
  ids: Ids
  /** Milliseconds since the epoch. */
  now: () => number
  addExpiry: AddExpiry
}

/** What a creator may choose for any item, already checked. */
export type ItemOptions = {
  /** Milliseconds; `undefined`: for ever. */
  lifetimeMs: number | undefined
  /** As it is stored; `undefined`: the id alone. */
  alias: string | undefined
}

/** A new item and its deletion key, which is not stored and cannot be shown again. */
export type Created<T> = { item: T; deletionKey: string }

/** What pastes and links have in common. */
export type Items<T extends Item & Limitable> = {
  /** @throws {AppError} `conflict` when the alias is taken; storage errors */
  create: (fields: Omit<T, keyof Item>, owner: string, options: ItemOptions) => Promise<Created<T>>
  /** The item of an id or alias as it is stored, if it is in memory and plainly readable; costs nothing that a reader would notice. */
  peek: (name: string) => T | undefined
  /** True for what has the shape of an id, whether or not there is such an item. */
  isId: (rawId: string) => boolean
  /** By id or alias. A promise only where the disk is asked. @throws {AppError} `not-found`, `gone`, `damaged` */
  find: (rawName: string) => T | Promise<T>
  /** True for an item of which nothing may be shown but to who spends a use of it. */
  isLimited: (item: Limitable) => boolean
  /**
   * Uses a limited item once; of simultaneous ones exactly as many succeed as there are uses left.
   * @returns the item as it was before, when the use is on disk; `undefined` for an item that is not limited
   * @throws {AppError} `not-found`, `gone`, `damaged`; storage errors, after which nobody has seen anything
   */
  spend: (rawName: string) => Promise<T | undefined>
  /** The item a deletion key belongs to. @throws {AppError} `not-found`; `gone` when it was deleted or has expired */
  findByDeletionKey: (deletionKey: string) => Promise<T>
  /** @throws {AppError} `not-found` as above; storage errors */
  delete: (deletionKey: string) => Promise<T>
  /** Deletes an item that was found; `false` when somebody else was faster. */
  erase: (item: T) => Promise<boolean>
}
