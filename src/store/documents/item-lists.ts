import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HeadCache } from '../derived/head-cache.ts'
import type { Place } from '../derived/index-file.ts'
import type { ItemIndex } from '../derived/item-index.ts'
import type { DocumentFiles } from './document-files.ts'
import type { Documents, StoredItem } from './documents.ts'
import type { Head } from './json-file.ts'

export type ItemListsParts<T extends StoredItem> = {
  kind: string
  index: ItemIndex
  heads: HeadCache
  files: Pick<DocumentFiles<T>, 'isThere'>
  documents: Pick<Documents<T>, 'loadHead'>
  now: () => number
  onDamage: (error: Error) => void
}

/** Documents read at once by a list, and looked at in one turn of the event loop: a disk that is asleep holds up nobody for long. */
const readsAtOnce = 8
const looksAtOnce = 25

/** Lists of what an owner made: the index says where to look, and the documents what is there. */
export const createItemLists = <T extends StoredItem>(parts: ItemListsParts<T>) => {
  const { kind, index, heads, files, documents, now, onDamage } = parts

  /** A row without a document is of a creation that did not come to its end. */
  const readHead = async (owner: string, { id, createdAt }: Place) => {
    try {
      const head = await documents.loadHead(id)
      if (head === 'gone') index.remove({ kind, owner, createdAt, id })
      else if (head?.owner === owner && head.createdAt === createdAt) return head
    } catch (error) {
      onDamage(error as Error)
    }
  }

  /** One look at the document tells that what a list has read before is still so: only the store changes it. */
  const knownHeads = async (owner: string, places: readonly Place[]) => {
    const [newest, oldest] = [places[0], places.at(-1)]
    const known = newest && oldest ? heads.between(kind, owner, newest, oldest) : new Map<string, string>()
    const found = new Map<string, Head<T>>()
    for (const [at, { id }] of places.entries()) {
      const head = known.get(id)
      if (head !== undefined && files.isThere(id)) found.set(id, JSON.parse(head))
      if (at % looksAtOnce === looksAtOnce - 1) await nextTurn()
    }
    return found
  }

  const headsOf = async (owner: string, places: readonly Place[]) => {
    const state = heads.state()
    const found = await knownHeads(owner, places)
    const missing = places.filter(({ id }) => !found.has(id))
    const read: Head<T>[] = []
    for (let at = 0; at < missing.length; at += readsAtOnce) {
      const some = missing.slice(at, at + readsAtOnce).map((place) => readHead(owner, place))
      for (const head of await Promise.all(some)) if (head) read.push(head)
    }
    heads.add(kind, owner, read, state)
    for (const head of read) found.set(head.id, head)
    return places.flatMap(({ id }) => found.get(id) ?? [])
  }

  const isLive = ({ expiresAt }: Head<T>) => expiresAt === undefined || expiresAt > now()

  return async (owner: string, count: number, before?: Place) => {
    const found: Head<T>[] = []
    let last = before
    for (let isMore = true; isMore && found.length < count; ) {
      const wanted = count - found.length
      const places = await index.page(kind, owner, wanted, last)
      found.push(...(await headsOf(owner, places)).filter(isLive))
      last = places.at(-1)
      isMore = places.length === wanted
    }
    return found
  }
}
