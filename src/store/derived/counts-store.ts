import { Database } from 'bun:sqlite'
import { renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ItemKind } from '../../items/ids.ts'
import { existsNow, writeDurably } from '../disk.ts'
import {
  asideName,
  beginWriting,
  type Count,
  countsName,
  isDamagedFile,
  isUnclosed,
  newCountsFile,
} from './counts-file.ts'
import { logSuffix } from './file-copy.ts'

/** Added to a count; `'forgotten'` deletes it. */
export type CountChange = Omit<Count, 'count'> & { by: number | 'forgotten' }

/** Counts of items and last uses of keys. All methods except `prepare` are synchronous, so no caller sees a partial write. */
export type CountsStore = {
  /** Creates the file if it is missing. @throws the error of a system call */
  prepare: () => Promise<void>
  /** The counts above 0. @throws SQLite's error */
  get: (kind: ItemKind, ids: readonly string[]) => ReadonlyMap<string, number>
  /** Writes all or nothing. @param uses minute of the last use of each key, by name. @throws SQLite's error */
  write: (changes: readonly CountChange[], uses: ReadonlyMap<string, number>) => void
  close: () => void
}

export type CountsStoreParts = {
  folder: string
  temporaryFolder: string
  /** Called after a damaged file was put aside under another name. */
  onDamage: (error: Error) => void
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino

/** Renames the file and its log. Only this process owns the folder, so a free name stays free. */
const putAside = (folder: string) => {
  const path = join(folder, countsName)
  let number = 1
  while (existsNow(join(folder, asideName(number)))) number++
  const aside = join(folder, asideName(number))
  if (existsNow(path + logSuffix)) renameSync(path + logSuffix, aside + logSuffix)
  renameSync(path, aside)
}

/** Opens the file at the first use, and again after a failure, so the server starts and answers without counts. */
const createConnection = (folder: string, onDamage: CountsStoreParts['onDamage']) => {
  const path = join(folder, countsName)
  let open: { database: Database; inode: number | undefined } | undefined

  const connect = () => {
    const isSuspect = isUnclosed(path)
    open = { database: new Database(path, { readwrite: true }), inode: inodeOf(path) }
    beginWriting(open.database, path, isSuspect)
  }
  const close = () => {
    open?.database.close()
    open = undefined
  }

  return {
    close,
    /** Closes a file that was removed or replaced: writes to it would be lost. */
    closeReplaced: () => {
      if (open && inodeOf(path) !== open.inode) close()
    },
    /** @returns `undefined` if there is no file, or it was just put aside */
    use: <T>(work: (database: Database) => T): T | undefined => {
      try {
        if (!open && existsNow(path)) connect()
        return open && work(open.database)
      } catch (error) {
        try {
          if (!isDamagedFile(error)) throw error
          putAside(folder)
          onDamage(error as Error)
          return undefined
        } finally {
          // Only after renaming: closing writes the log into the file, and removes the file with the log's name.
          close()
        }
      }
    },
  }
}

export const openCountsStore = ({ folder, temporaryFolder, onDamage }: CountsStoreParts): CountsStore => {
  const path = join(folder, countsName)
  const { use, close, closeReplaced } = createConnection(folder, onDamage)

  return {
    prepare: async () => {
      closeReplaced()
      if (use(() => true)) return
      // The log of an older file would be applied to the new one.
      rmSync(path + logSuffix, { force: true })
      await writeDurably(path, newCountsFile(), temporaryFolder)
    },

    get: (kind, ids) => {
      const sql = 'SELECT id, count FROM counts WHERE kind = ? AND id IN (SELECT value FROM json_each(?))'
      const rows = use((database) =>
        database.query<[string, number], [string, string]>(sql).values(kind, JSON.stringify(ids)),
      )
      return new Map(rows as [string, number][] | undefined)
    },

    write: (changes, uses) => {
      const isWritten = use((database) => {
        const add = database.query(
          'INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count',
        )
        const forget = database.query('DELETE FROM counts WHERE kind = ? AND id = ?')
        const note = database.query('INSERT OR REPLACE INTO keys VALUES (?, ?)')
        database.transaction(() => {
          for (const { kind, id, by } of changes)
            by === 'forgotten' ? forget.run(kind, id) : add.run(kind, id, by)
          for (const [name, usedAt] of uses) note.run(name, usedAt)
        })()
        return true
      })
      if (!isWritten) throw new Error(`${path} is gone`)
    },

    close,
  }
}
