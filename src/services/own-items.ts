import { invalid } from '../errors.ts'
import type { ItemKind } from '../items/ids.ts'
import type { IndexEntry } from '../store/derived/index-record.ts'
import type { Collection } from '../store/documents/collection.ts'
import type { Head } from '../store/documents/document-codec.ts'
import { isExpired } from './expiry.ts'
import { deletedItem, noSuchItem } from './item-errors.ts'
import type { Items } from './item-types.ts'
import type { OwnerList } from './owner-lists.ts'

type Item = { id: string; createdAt: number; owner: string; deletionHash: string; expiresAt?: number }

/** An item without its text. */
export type Listed<T> = Head<T>

/** Some of a key's items, newest first, and where to go on; `undefined` when there are no more. */
export type OwnPage<T> = { items: readonly Listed<T>[]; after: string | undefined }

/** What the holder of a key may do with what that key made. */
export type OwnItems<T> = {
  /** @param after what the page before gave. @throws {AppError} `invalid` for any other; storage errors */
  list: (owner: string, limit: number, after?: string) => Promise<OwnPage<T>>
  /** @throws {AppError} `not-found`, also for another key's; `gone`, `damaged` */
  find: (owner: string, rawId: string) => Promise<T>
  /** @throws {AppError} as `find` does; storage errors */
  delete: (owner: string, rawId: string) => Promise<T>
}

export type OwnItemsParts<T extends Item> = {
  kind: ItemKind
  items: Pick<Items<T>, 'find' | 'erase'>
  collection: Pick<Collection<T>, 'loadHead'>
  /** What of an item a list is to hold. */
  listed: (item: Listed<T>) => Listed<T>
  ownerList: Pick<OwnerList, 'page' | 'drop'>
  /** Milliseconds since the epoch. */
  now: () => number
  /** Told of an item that cannot be read: it is left out of the list. */
  onDamage: (error: Error) => void
}

/** Documents read at once by a list. */
const readsAtOnce = 8

const encodeCursor = ({ stamp, id }: IndexEntry) => Buffer.from(`${stamp}.${id}`).toString('base64url')

const decodeCursor = (cursor: string): IndexEntry => {
  const [, stamp, id = ''] =
    /^(\d{1,13})\.([0-9a-z]{1,13})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (stamp === undefined) throw invalid('"after" must be what the page before gave as "after"')
  return { stamp: Number(stamp), id }
}

export const createOwnItems = <T extends Item>(parts: OwnItemsParts<T>): OwnItems<T> => {
  const { kind, items, collection, ownerList, listed, now, onDamage } = parts

  const read = async (owner: string, entry: IndexEntry) => {
    try {
      const item = await collection.loadHead(entry.id)
      if (item === 'gone') return void (await ownerList.drop(owner, entry))
      return item?.owner === owner && !isExpired(item, now) ? { item: listed(item), entry } : undefined
    } catch (error) {
      onDamage(error as Error)
    }
  }

  /** Entries without a document are of creations that did not come to their end. */
  const readAll = async (owner: string, entries: readonly IndexEntry[]) => {
    const found: { item: Listed<T>; entry: IndexEntry }[] = []
    for (let at = 0; at < entries.length; at += readsAtOnce) {
      const some = entries.slice(at, at + readsAtOnce).map((entry) => read(owner, entry))
      found.push(...(await Promise.all(some)).filter((one) => one !== undefined))
    }
    return found
  }

  const find: OwnItems<T>['find'] = async (owner, rawId) => {
    const item = await items.find(rawId)
    // The same words as for an id that was never used: nobody learns what others have.
    if (item.owner !== owner) throw noSuchItem(kind)
    return item
  }

  return {
    list: async (owner, limit, after) => {
      const found: Awaited<ReturnType<typeof readAll>> = []
      let before = after === undefined ? undefined : decodeCursor(after)
      for (let isMore = true; isMore && found.length <= limit; ) {
        const wanted = limit + 1 - found.length
        const entries = await ownerList.page(owner, wanted, before)
        found.push(...(await readAll(owner, entries)))
        before = entries.at(-1)
        isMore = entries.length === wanted
      }
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1)?.entry : undefined
      return { items: page.map(({ item }) => item), after: last && encodeCursor(last) }
    },

    find,

    delete: async (owner, rawId) => {
      const item = await find(owner, rawId)
      if (!(await items.erase(item))) throw deletedItem(kind)
      return item
    },
  }
}
