import { sha256 } from '../items/ids.ts'
import type { ListedAs } from '../store/derived/index-rebuild.ts'
import type { IndexEntry } from '../store/derived/index-record.ts'
import type { OwnerIndex } from '../store/derived/owner-index.ts'

type Item = { id: string; createdAt: number; owner: string }

/** What each key made of one kind, newest first. */
export type OwnerList = {
  /** Writes an item and lists it, both before this resolves. */
  during: (item: Item, write: () => Promise<void>) => Promise<void>
  remove: (item: Item) => Promise<void>
  /** Fewer than `count` only where there are no more. */
  page: (owner: string, count: number, before: IndexEntry | undefined) => Promise<IndexEntry[]>
  /** Takes an entry off the list whose item is gone. */
  drop: (owner: string, entry: IndexEntry) => Promise<void>
}

const listOf = (collection: string, owner: string) => `${sha256(owner).slice(0, 16)}/${collection}`

const listed = (collection: string, { id, createdAt, owner }: Item) => ({
  list: listOf(collection, owner),
  entry: { stamp: createdAt, id },
})

/** How an item stands in the index. Its owner is the name of the key, so a new key of that name owns it as well. */
export const listedAs: ListedAs = (collection, document) => listed(collection, document as Item)

export const createOwnerList = (index: OwnerIndex, collection: string): OwnerList => ({
  during: (item, write) => index.during(listed(collection, item), write),
  remove: (item) => index.remove(listed(collection, item)),
  page: (owner, count, before) => index.page(listOf(collection, owner), count, before),
  drop: (owner, entry) => index.remove({ list: listOf(collection, owner), entry }),
})
