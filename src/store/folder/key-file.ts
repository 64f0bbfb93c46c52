import { statSync } from 'node:fs'
import { open, unlink, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Low } from 'lowdb'
import { AppError, damaged, storageFailure } from '../../errors.ts'
import { compileCheck } from '../../items/check.ts'
import { KeyFile, type StoredKey } from '../../items/schema.ts'
import { checkedJson, DurableJSONFile, makeFolder, namesIn, syncFolder } from '../disk.ts'
import { cannotWrite, makeDataFolder } from './data-folder.ts'
import { waitForLock } from './lock.ts'

/** Keys revoked while `keys.json` could not be written: an empty file for each, named after its hash. */
export type RevokedKeys = {
  /** SHA-256 of each key, in hexadecimal. */
  read: () => Promise<ReadonlySet<string>>
  /** Durable, and needs no free space on the disk. @throws the error of the system call */
  add: (sha256: string) => Promise<void>
  /** Never rejects: the mark of a removed key is harmless, and the next change removes it. */
  remove: (hashes: ReadonlySet<string>) => Promise<void>
}

const shape = /^keys\.revoked-([0-9a-f]{64})$/

/** The hash of the key that a file with this name revokes, if it is a mark. */
export const revokedBy = (name: string) => shape.exec(name)?.[1]

/** @param folder the data folder itself: a folder for the marks would need a block on a full disk */
export const openRevokedKeys = (folder: string): RevokedKeys => {
  const pathOf = (sha256: string) => join(folder, `keys.revoked-${sha256}`)
  return {
    read: async () => new Set((await namesIn(folder)).flatMap((name) => revokedBy(name) ?? [])),
    add: async (sha256) => {
      await (await open(pathOf(sha256), 'w', 0o600)).close()
      await syncFolder(folder)
    },
    remove: async (hashes) => {
      for (const sha256 of hashes) await unlink(pathOf(sha256)).catch(() => {})
    },
  }
}

const check = compileCheck(KeyFile)

type Changed = readonly StoredKey[]

/** `keys.json`, which the command line writes while a server reads it. */
export type KeyStore = {
  /** Changes whenever the file does; empty without a file. One `stat`, about 2 µs. */
  version: () => string
  /** `undefined` if there is no file yet. @throws {AppError} `damaged` */
  read: () => Promise<readonly StoredKey[] | undefined>
  /** Changes the keys under a lock, so no change by another command is lost. Keys can be revoked even on a full disk. */
  update: (change: (keys: readonly StoredKey[]) => Changed | Promise<Changed>) => Promise<void>
}

/** How long one command waits for another that is changing the keys. */
const lockWaitMs = 30_000

/** The smallest difference of times, in seconds, that every file system keeps, even FAT. */
const leastTick = 2

/** Reads and writes, without the lock. */
const openKeyFile = (folder: string, path: string) => {
  const file = new DurableJSONFile<KeyFile>(path, join(folder, 'tmp'), checkedJson)
  const revoked = openRevokedKeys(folder)

  const readFile = async () => {
    const data = await file.read()
    if (data === null) return undefined
    const problem = check.problem(data)
    if (problem) throw damaged(path, problem)
    return data.keys
  }

  const readRevoked = () =>
    revoked.read().catch((error) => {
      throw damaged(folder, 'cannot be read', error)
    })

  const write = async (keys: StoredKey[]) => {
    const db = new Low<KeyFile>(file, { keys: [] })
    db.data = { keys }
    await db.write()
  }

  /** Used when the disk is too full for a write. Servers only look at the time of the file, so it is moved too. */
  const mark = async (keys: readonly StoredKey[]) => {
    try {
      for (const { sha256 } of keys) await revoked.add(sha256)
      const { atimeMs, mtimeMs } = statSync(path)
      await utimes(path, atimeMs / 1000, mtimeMs / 1000 + leastTick)
    } catch (error) {
      throw storageFailure(error)
    }
  }

  return {
    read: async () => {
      // Before the file, because a change removes a mark once the file lacks the key.
      const hashes = await readRevoked()
      return (await readFile())?.filter(({ sha256 }) => !hashes.has(sha256))
    },
    change: async (before: readonly StoredKey[], after: StoredKey[]) => {
      const hashes = await readRevoked()
      try {
        await write(after)
      } catch (error) {
        const isFull = error instanceof AppError && error.kind === 'storage-full'
        if (!isFull || !after.every((key) => before.includes(key))) throw error
        return mark(before.filter((key) => !after.includes(key)))
      }
      await revoked.remove(hashes)
    },
  }
}

export const openKeyStore = (folder: string): KeyStore => {
  const path = join(folder, 'keys.json')
  const { read, change } = openKeyFile(folder, path)

  return {
    version: () => {
      const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
      return stat ? `${stat.ino}-${stat.mtimeNs}-${stat.size}` : ''
    },
    read,
    update: async (makeChange) => {
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
        await change(before, [...(await makeChange(before))])
      } finally {
        lock.release()
      }
    },
  }
}
