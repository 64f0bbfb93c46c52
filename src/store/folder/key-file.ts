import { statSync } from 'node:fs'
import { open, unlink, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Low } from 'lowdb'
import { AppError, damaged, storageFailure } from '../../errors.ts'
import { compileCheck } from '../../items/field.ts'
import { KeyFile, type StoredKey } from '../../items/schema.ts'
import { checkedJson, DurableJSONFile, makeFolder, namesIn, syncFolder } from '../disk.ts'
import { cannotWrite, makeDataFolder } from './data-folder.ts'
import { waitForLock } from './lock.ts'

/** The hash of the key that a file with this name revokes, if it is a mark. */
export const revokedBy = (name: string) => /^keys\.revoked-([0-9a-f]{64})$/.exec(name)?.[1]

export const keysCheck = compileCheck(KeyFile)

type Changed = readonly StoredKey[]

/** API keys, which the command line changes while servers read them: in `keys.json`, or a database. */
export type KeyStore = {
  /** Differs from one change to the next. Of a file: one `stat`, about 2 µs; empty without a file. @throws {AppError} storage errors */
  version: () => string | Promise<string>
  /** `undefined` if there never was a key. @throws {AppError} `damaged`, storage errors */
  read: () => Promise<readonly StoredKey[] | undefined>
  /**
   * Changes the keys; no change by another command is lost. Of a file, keys can be revoked even on a full disk.
   * @param change called again if another command was faster. @throws {AppError} `damaged`, storage errors; what `change` throws
   */
  update: (change: (keys: readonly StoredKey[]) => Changed | Promise<Changed>) => Promise<void>
}

/** How long one command waits for another that is changing the keys. */
const lockWaitMs = 30_000

/** The smallest difference of times, in seconds, that every file system keeps, even FAT. */
const leastTick = 2

/** Reads and writes, without the lock. */
const openKeyFile = (folder: string, path: string) => {
  const file = new DurableJSONFile<KeyFile>(path, join(folder, 'tmp'), checkedJson)
  /** In the data folder itself: a folder for the marks would need a block on a full disk. */
  const markOf = (sha256: string) => join(folder, `keys.revoked-${sha256}`)

  /** Hashes of the keys that were revoked while `keys.json` could not be written: each has an empty file. */
  const readMarks = async () => {
    const names = await namesIn(folder).catch((error) => {
      throw damaged(folder, 'cannot be read', error)
    })
    return new Set(names.flatMap((name) => revokedBy(name) ?? []))
  }

  const read = async () => {
    // Before the file, because a change removes a mark once the file lacks the key.
    const marks = await readMarks()
    const data = await file.read()
    if (data === null) return undefined
    const problem = keysCheck.problem(data)
    if (problem) throw damaged(path, problem)
    return data.keys.filter(({ sha256 }) => !marks.has(sha256))
  }

  /** Used when the disk is too full for a write. Servers only look at the time of the file, so it is moved too. */
  const mark = async (keys: readonly StoredKey[]) => {
    try {
      for (const { sha256 } of keys) {
        await (await open(markOf(sha256), 'w', 0o600)).close()
        await syncFolder(folder)
      }
      const { atimeMs, mtimeMs } = statSync(path)
      await utimes(path, atimeMs / 1000, mtimeMs / 1000 + leastTick)
    } catch (error) {
      throw storageFailure(error)
    }
  }

  const write = async (before: readonly StoredKey[], after: StoredKey[]) => {
    const marks = await readMarks()
    try {
      const db = new Low<KeyFile>(file, { keys: [] })
      db.data = { keys: after }
      await db.write()
    } catch (error) {
      const isFull = error instanceof AppError && error.kind === 'storage-full'
      if (!isFull || !after.every((key) => before.includes(key))) throw error
      return mark(before.filter((key) => !after.includes(key)))
    }
    // The mark of a removed key is harmless, and the next change removes it.
    for (const sha256 of marks) await unlink(markOf(sha256)).catch(() => {})
  }

  return { read, write }
}

/** `keys.json`, which the command line writes under a lock while a server reads it. */
export const openKeyStore = (folder: string): KeyStore => {
  const path = join(folder, 'keys.json')
  const { read, write } = openKeyFile(folder, path)
  return {
    version: () => {
      const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
      return stat ? `${stat.ino}-${stat.mtimeNs}-${stat.size}` : ''
    },
    read,
    update: async (change) => {
      await makeDataFolder(folder)
      const lock = await waitForLock(join(folder, 'keys.lock'), lockWaitMs).catch((error) => {
        throw cannotWrite(folder, error)
      })
      if (!lock) throw damaged(path, 'is being changed by another command; try again')
      try {
        // A server that was killed as it started may have made the folder, and not synced it.
        await makeFolder(resolve(folder)).catch((error) => {
          throw storageFailure(error)
        })
        const before = (await read()) ?? []
        await write(before, [...(await change(before))])
      } finally {
        lock.release()
      }
    },
  }
}
