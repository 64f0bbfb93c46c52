import { Database } from 'bun:sqlite'
import { closeSync, openSync, unlinkSync } from 'node:fs'
import type { Place } from './index-file.ts'

/** Caches heads of documents for lists, by their place in the list of their owner. */
export type HeadCache = {
  /** Changes with every `drop`. */
  state: () => number
  /** The cached heads from `newest` to `oldest`, as JSON by id. */
  between: (kind: string, owner: string, newest: Place, oldest: Place) => ReadonlyMap<string, string>
  /** @param state from before reading the documents. After a `drop` nothing is added: it may have been one of these */
  add: (kind: string, owner: string, heads: readonly Place[], state: number) => void
  /** Call it for each document that is changed or erased. */
  drop: (kind: string, owner: string, place: Place) => void
  close: () => void
}

const settings = 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -2000'
const schema = `CREATE TABLE heads (kind TEXT, owner TEXT, created INTEGER, id TEXT, head TEXT,
  PRIMARY KEY (kind, owner, created, id)) WITHOUT ROWID`

/** Opens a database whose file has no name. */
const open = (temporaryFolder: string) => {
  const file = `${temporaryFolder}/${crypto.randomUUID()}-heads`
  closeSync(openSync(file, 'wx', 0o600))
  const database = new Database(file, { strict: true })
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    database.exec(`${settings}; ${schema}`)
    return {
      add: database.query('INSERT OR REPLACE INTO heads VALUES (?, ?, ?, ?, ?)'),
      drop: database.query('DELETE FROM heads WHERE kind = ? AND owner = ? AND created = ? AND id = ?'),
      between: database.query<{ id: string; head: string }, [string, string, number, string, number, string]>(
        `SELECT id, head FROM heads WHERE kind = ? AND owner = ? AND (created, id) >= (?, ?) AND (created, id) <= (?, ?)`,
      ),
      transaction: (work: () => void) => database.transaction(work)(),
      close: () => database.close(),
    }
  } catch (error) {
    database.close()
    throw error
  } finally {
    unlinkSync(file)
  }
}

/**
 * Only for this process, because no other changes documents. The file has no name, so deleted items cannot be read from it
 * later; 100,000 heads take 30 MB. If it cannot be written, nothing is cached.
 */
export const openHeadCache = (temporaryFolder: string): HeadCache => {
  let drops = 0

  let opened: ReturnType<typeof open> | undefined

  const attempt = (work: (cache: ReturnType<typeof open>) => void) => {
    try {
      opened ??= open(temporaryFolder)
      work(opened)
    } catch {
      opened?.close()
      opened = undefined
    }
  }

  return {
    state: () => drops,
    between: (kind, owner, newest, oldest) => {
      const found = new Map<string, string>()
      attempt(({ between }) => {
        const range = [oldest.createdAt, oldest.id, newest.createdAt, newest.id] as const
        for (const { id, head } of between.all(kind, owner, ...range)) found.set(id, head)
      })
      return found
    },
    add: (kind, owner, heads, state) => {
      if (state !== drops || heads.length === 0) return
      attempt(({ add, transaction }) =>
        transaction(() => {
          for (const head of heads) add.run(kind, owner, head.createdAt, head.id, JSON.stringify(head))
        }),
      )
    },
    drop: (kind, owner, { createdAt, id }) => {
      drops++
      if (opened) attempt(({ drop }) => drop.run(kind, owner, createdAt, id))
    },
    close: () => opened?.close(),
  }
}
