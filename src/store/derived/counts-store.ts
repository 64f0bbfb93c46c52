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
  logSuffix,
  newCountsFile,
  sharedMemorySuffix,
} from './counts-file.ts'

/** What is added to a count; `'forgotten'` takes it away. */
export type CountChange = Omit<Count, 'count'> & { by: number | 'forgotten' }

/** Counts of items, and when keys were last used. All but `prepare` happens at once, so that a number is never seen half written. */
export type CountsStore = {
  /** Makes the file where there is none. @throws the error of a system call */
  prepare: () => Promise<void>
  /** The counts that are not 0. @throws SQLite's error */
  get: (kind: ItemKind, ids: readonly string[]) => ReadonlyMap<string, number>
  /** All of it or nothing. @param uses minute of the last use of a key, by its name. @throws SQLite's error */
  write: (changes: readonly CountChange[], uses: ReadonlyMap<string, number>) => void
  close: () => void
}

export type CountsStoreParts = {
  folder: string
  temporaryFolder: string
  /** Told of a file that was damaged, and is now kept under another name. */
  onDamage: (error: Error) => void
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino

/** With its log, which belongs to it. Only this process owns the folder, so that a name that is free stays free. */
const putAside = (folder: string) => {
  const path = join(folder, countsName)
  let number = 1
  while (existsNow(join(folder, asideName(number)))) number++
  const aside = join(folder, asideName(number))
  if (existsNow(path + logSuffix)) renameSync(path + logSuffix, aside + logSuffix)
  renameSync(path, aside)
}

/** Opened when it is first needed, and again after a failure: the server starts and answers without its counts. */
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
    /** Lets go of a file that somebody removed or replaced: what is written to it would be lost. */
    closeReplaced: () => {
      if (open && inodeOf(path) !== open.inode) close()
    },
    /** @returns `undefined` where there is no file, or none any more */
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
          // After the renaming, for it empties the log into the file and removes what has the name of the log.
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
      // The log of another file would be taken for one of the new file.
      for (const suffix of [logSuffix, sharedMemorySuffix]) rmSync(path + suffix, { force: true })
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
