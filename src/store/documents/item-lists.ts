import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HeadCache } from '../derived/head-cache.ts'
import type { ListPlace, Owner, Place } from '../derived/index-file.ts'
import type { ItemIndex } from '../derived/item-index.ts'
import type { Documents, StoredItem } from './documents.ts'
import type { Head } from './json-file.ts'

export type ItemListsParts<T extends StoredItem> = {
  kind: string
  index: ItemIndex
  heads: HeadCache
  documents: Pick<Documents<T>, 'loadHead'>
  now: () => number
  onDamage: (error: Error) => void
}

/** Documents that a list reads at the same time. */
const readsAtOnce = 8

/** Lists the items of an owner, or of all: the index knows the places, the documents have the contents. */
export const createItemLists = <T extends StoredItem>(parts: ItemListsParts<T>) => {
  const { kind, index, heads, documents, now, onDamage } = parts

  /** A row without a document is of a creation or an erasure: nobody but who makes or erases an item removes its row. */
  const readHead = async (owner: string, { id, createdAt }: Place) => {
    try {
      const head = await documents.loadHead(id)
      if (typeof head === 'object' && head.owner === owner && head.createdAt === createdAt) return head
    } catch (error) {
      onDamage(error as Error)
    }
  }

  /** The heads read before: only this process changes documents, and a change drops the head. Checking 200 took 1 ms. */
  const knownHeads = (owner: string, [newest, ...others]: readonly Place[]) => {
    const known = newest && heads.between(kind, owner, newest, others.at(-1) ?? newest)
    return new Map([...(known ?? [])].map(([id, head]) => [id, JSON.parse(head) as Head<T>]))
  }

  const headsOf = async (places: readonly ListPlace[]) => {
    const state = heads.state()
    const found = new Map(
      [...Map.groupBy(places, ({ owner }) => owner)].flatMap(([owner, own]) => [...knownHeads(owner, own)]),
    )
    const missing = places.filter(({ id }) => !found.has(id))
    const read: Head<T>[] = []
    for (let at = 0; at < missing.length; at += readsAtOnce) {
      const some = missing.slice(at, at + readsAtOnce).map((place) => readHead(place.owner, place))
      for (const head of await Promise.all(some)) if (head) read.push(head)
    }
    for (const [owner, own] of Map.groupBy(read, (head) => head.owner)) heads.add(kind, owner, own, state)
    for (const head of read) found.set(head.id, head)
    return places.flatMap(({ id }) => found.get(id) ?? [])
  }

  const isLive = ({ expiresAt }: Head<T>) => expiresAt === undefined || expiresAt > now()

  return async (owner: Owner, count: number, before?: Place) => {
    const found: Head<T>[] = []
    let last = before
    for (let isMore = true; isMore && found.length < count; ) {
      // There are further rounds only if items have expired, perhaps many, so other requests get a turn.
      if (last !== before) await nextTurn()
      const wanted = count - found.length
      const places = await index.page(kind, owner, wanted, last)
      found.push(...(await headsOf(places)).filter(isLive))
      last = places.at(-1)
      isMore = places.length === wanted
    }
    return found
  }
}

/** Reads heads by id, in this order; leaves out what is gone, expired or damaged. */
export const createHeadReading = <T extends StoredItem>({
  documents,
  now,
  onDamage,
}: Pick<ItemListsParts<T>, 'documents' | 'now' | 'onDamage'>) => {
  const readHead = (id: string) =>
    documents.loadHead(id).catch((error) => {
      onDamage(error)
      return undefined
    })

  return async (ids: readonly string[]) => {
    const heads: Head<T>[] = []
    for (let at = 0; at < ids.length; at += readsAtOnce)
      for (const head of await Promise.all(ids.slice(at, at + readsAtOnce).map(readHead)))
        if (typeof head === 'object' && (head.expiresAt === undefined || head.expiresAt > now()))
          heads.push(head)
    return heads
  }
}
