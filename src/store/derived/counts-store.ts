import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { LRUCache } from 'lru-cache'
import { type AppError, damaged, isDamage } from '../../errors.ts'
import { compileCheck } from '../../items/check.ts'
import { StoredCounts } from '../../items/schema.ts'
import { checkedJson } from '../documents/codec.ts'
import { DurableJSONFile, makeFolder, writeUnsynced } from '../documents/durable-json-file.ts'
import { shardOf } from '../folder/names-in.ts'
import { exists } from '../folder/presence.ts'

/** What is added to the count of each id; a sum that is not positive forgets the id. */
export type CountChanges = ReadonlyMap<string, number>

/** Counts by collection and id. One change at a time: each reads a file, adds, and puts it back. */
export type CountsStore = {
  /** 0 for what was never counted. @throws the error of a read that failed */
  get: (collection: string, id: string) => Promise<number>
  /** Ids of one shard share a file, as their documents share a folder: a write costs what was counted, not what is stored. */
  shardOf: (id: string) => string
  /** @param changes of ids of that shard. @throws the error of a read or write that failed */
  add: (collection: string, shard: string, changes: CountChanges) => Promise<void>
}

export type CountsStoreParts = {
  folder: string
  temporaryFolder: string
  /** Told of a file that was damaged, and is now kept under another name. */
  onDamage: (error: AppError) => void
}

/** Where counts lie in a data folder. */
export const countsFolder = 'counts'

/** Marks a damaged file that was put aside, for somebody to look at and remove. */
export const damagedSuffix = '.damaged'

const check = compileCheck(StoredCounts)

/** Counts kept in memory, so that writing a file again does not read it again; one takes about 60 bytes. */
const cachedCounts = 100_000

const withChanges = (counts: StoredCounts, changes: CountChanges) => {
  const sums = new Map(Object.entries(counts))
  for (const [id, change] of changes) {
    const sum = (sums.get(id) ?? 0) + change
    if (sum > 0) sums.set(id, sum)
    else sums.delete(id)
  }
  return Object.fromEntries(sums)
}

const isEmpty = (counts: StoredCounts) => Object.keys(counts).length === 0

export const openCountsStore = ({ folder, temporaryFolder, onDamage }: CountsStoreParts): CountsStore => {
  const cache = new LRUCache<string, StoredCounts>({
    maxSize: cachedCounts,
    sizeCalculation: (counts) => Object.keys(counts).length + 1,
  })
  const baseOf = (collection: string, shard: string) => `${folder}/${collection}/${shard}`

  /** A write that is not synced: what it could lose, kill -9 does not, and 3 fsyncs a second would slow every creation. */
  const adapterOf = (path: string): Adapter<StoredCounts> => ({
    read: () => new DurableJSONFile<StoredCounts>(path, temporaryFolder, checkedJson).read(),
    write: (counts) => writeUnsynced(path, checkedJson.encode(counts), temporaryFolder),
  })

  /** Only this process owns the folder, so that a name that is free stays free. */
  const putAside = async (base: string, error: AppError) => {
    let number = 1
    while (await exists(`${base}.${number}${damagedSuffix}`)) number++
    await rename(`${base}.json`, `${base}.${number}${damagedSuffix}`)
    onDamage(error)
  }

  const open = async (base: string) => {
    const path = `${base}.json`
    const db = new Low<StoredCounts>(adapterOf(path), {})
    const known = cache.get(base)
    if (known) db.data = known
    else {
      try {
        await db.read()
        const problem = check.problem(db.data)
        if (problem) throw damaged(path, problem)
      } catch (error) {
        if (!isDamage(error)) throw error
        await putAside(base, error)
        db.data = {}
      }
      cache.set(base, db.data)
    }
    return db
  }

  return {
    shardOf,

    get: async (collection, id) => {
      const { data } = await open(baseOf(collection, shardOf(id)))
      return Object.hasOwn(data, id) ? (data[id] as number) : 0
    },

    add: async (collection, shard, changes) => {
      const base = baseOf(collection, shard)
      const db = await open(base)
      const changed = withChanges(db.data, changes)
      // Items that were never counted are deleted as well.
      if (isEmpty(changed) && isEmpty(db.data)) return
      db.data = changed
      await makeFolder(dirname(base))
      await db.write()
      cache.set(base, db.data)
    },
  }
}
