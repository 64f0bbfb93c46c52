import { createHash } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { LRUCache } from 'lru-cache'
import { damaged, storageFailure } from '../../errors.ts'
import { compileCheck } from '../../items/check.ts'
import { StoredAlias } from '../../items/schema.ts'
import { existsNow, type Health, makeFolder } from '../disk.ts'
import { checkedJson, DurableJSONFile } from './json-file.ts'

/** Aliases, with one file each: the document that an alias leads to, and its owner. */
export type Names = {
  /** The record if it is in memory; never reads the disk. */
  peek: (alias: string) => StoredAlias | undefined
  /** True if the alias was ever used. Synchronous, 5 µs for a free one. @throws {AppError} `storage-unavailable` */
  isTaken: (alias: string) => boolean
  /** `undefined` if the alias was never used. @throws {AppError} `damaged` */
  load: (alias: string) => Promise<StoredAlias | undefined>
  /** Replaces a record durably. A failed one may be there. @throws {AppError} `storage-full`, `storage-unavailable` */
  write: (record: StoredAlias) => Promise<void>
  /** Makes an alias free again that never led to an item. @throws the error of the system call */
  remove: (alias: string) => Promise<void>
}

export type NamesParts = { folder: string; temporaryFolder: string; health: Health }

/** A record takes about 400 bytes. */
const cachedRecords = 4096

export const aliasCheck = compileCheck(StoredAlias)

/** The folder of an alias. By hash, because aliases may have one character, and many have the same beginning. */
export const aliasShard = (alias: string) => createHash('sha256').update(alias).digest('hex').slice(0, 2)

export const openNames = ({ folder, temporaryFolder, health }: NamesParts): Names => {
  const cache = new LRUCache<string, StoredAlias>({ max: cachedRecords })
  let writes = 0

  const folderOf = (alias: string) => join(folder, aliasShard(alias))
  const pathOf = (alias: string) => join(folderOf(alias), `${alias}.json`)
  const fileOf = (alias: string) =>
    new DurableJSONFile<StoredAlias>(pathOf(alias), temporaryFolder, checkedJson)

  const load: Names['load'] = async (alias) => {
    const writesBefore = writes
    const db = new Low<StoredAlias | null>(fileOf(alias) as Adapter<StoredAlias | null>, null)
    await db.read()
    const record = db.data
    if (record === null) return undefined
    const problem = aliasCheck.problem(record) ?? (record.alias === alias ? undefined : 'holds another alias')
    if (problem) throw damaged(pathOf(alias), problem)
    // A record that was replaced during the read must not get into the cache.
    if (writes === writesBefore) cache.set(alias, record)
    return record
  }

  const put = async (record: StoredAlias) => {
    await makeFolder(folderOf(record.alias))
    await new Low(fileOf(record.alias), record).write()
  }

  return {
    peek: (alias) => cache.get(alias),
    isTaken: (alias) => {
      try {
        return cache.has(alias) || existsNow(pathOf(alias))
      } catch (error) {
        throw storageFailure(error)
      }
    },
    load,
    write: async (record) => {
      const { alias } = record
      writes++
      try {
        await health.watch(put(record))
        cache.set(alias, record)
      } catch (error) {
        cache.delete(alias)
        throw storageFailure(error)
      } finally {
        writes++
      }
    },
    remove: (alias) => {
      writes++
      cache.delete(alias)
      return unlink(pathOf(alias)).finally(() => writes++)
    },
  }
}
