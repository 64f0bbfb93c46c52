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

/** Names of documents, one file each: which document a name leads to, and whose the name is. */
export type Names = {
  /** The record if it is in memory; never touches the disk. */
  peek: (alias: string) => StoredAlias | undefined
  /** Whether somebody ever had this name. Looks at once, 5 µs for one that is free. @throws {AppError} `storage-unavailable` */
  isTaken: (alias: string) => boolean
  /** `undefined`: nobody ever had this name. @throws {AppError} `damaged` */
  load: (alias: string) => Promise<StoredAlias | undefined>
  /**
   * Puts a record in place of the former one, durably.
   * @param isFirst true where there is none
   * @throws {AppError} `storage-full`, `storage-unavailable`
   */
  write: (record: StoredAlias, isFirst: boolean) => Promise<void>
}

export type NamesParts = { folder: string; temporaryFolder: string; health: Health }

/** A record takes about 400 bytes. */
const cachedRecords = 4096

export const aliasCheck = compileCheck(StoredAlias)

/** The folder of a name's record. By hash, because a name may have one character and many begin alike. */
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
    // A record replaced while it was being read must not come back into the cache.
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
    write: async (record, isFirst) => {
      const { alias } = record
      writes++
      try {
        await health.watch(put(record))
        cache.set(alias, record)
      } catch (error) {
        cache.delete(alias)
        // Only the last fsync may have failed. Of a record that replaced one, the owner is the same.
        if (isFirst) await unlink(pathOf(alias)).catch(() => {})
        throw storageFailure(error)
      } finally {
        writes++
      }
    },
  }
}
