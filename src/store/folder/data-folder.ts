import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Low } from 'lowdb'
import { AppError, unusableFolder } from '../../errors.ts'
import { type Check, compileCheck } from '../../items/check.ts'
import { FormatStamp } from '../../items/schema.ts'
import { shellWord } from '../../shell-words.ts'
import { type CountsStore, openCountsStore } from '../derived/counts-store.ts'
import { type ExpiryIndex, expiryFolder, openExpiryIndex } from '../derived/expiry-index.ts'
import { type FormerCounts, takeOverFormerCounts } from '../derived/former-counts.ts'
import { bootId } from '../derived/index-state.ts'
import { type OwnerIndex, type OwnerIndexParts, openOwnerIndex } from '../derived/owner-index.ts'
import { type AliasStore, openAliasStore } from '../documents/alias-store.ts'
import { plainJson } from '../documents/codec.ts'
import { type Collection, openCollection } from '../documents/collection.ts'
import { DurableJSONFile, makeFolder, writeDurably } from '../documents/durable-json-file.ts'
import { createHealth, type Health } from '../health.ts'
import { type Lock, takeLock, waitForLock } from './lock.ts'

/** Format of the directory that this version writes. */
export const dataFormat = 2
/** Formats that it reads: all they can hold is also of its own, so that a new stamp is enough. */
const olderFormats: readonly number[] = [1]

export type DataFolder = {
  path: string
  /** @param onErased told of each document that was erased */
  collection: <T extends { id: string }>(
    name: string,
    check: Check<T>,
    cacheBytes: number,
    onErased?: (id: string) => void,
  ) => Collection<T>
  /** @param onDamage told of a file of counts that was damaged and put aside */
  counts: (onDamage: (error: Error) => void) => CountsStore
  /** The names of the documents of a collection. */
  aliases: (name: string) => AliasStore
  health: Health
  expiry: ExpiryIndex
  /** True while no other server could take the folder. */
  isLocked: () => boolean
  /** What each owner made, of the collections that `rules` names. */
  ownerIndex: (parts: Pick<OwnerIndexParts, 'rules' | 'listedAs' | 'report'>) => Promise<OwnerIndex>
  /** Lets the next server have the folder. */
  close: () => void
}

const temporaryName = 'tmp'
const stampCheck = compileCheck(FormatStamp)

/** What to do so that the next start succeeds. Process 1 is in a container, whose folders are not those of the host. */
const remedyFor = (path: string, uid: number | string) => {
  if (process.pid === 1)
    return `mount a folder there that it may write; on the host, type: sudo chown -R ${uid} FOLDER`
  let nearest = path
  while (!existsSync(nearest) && nearest !== dirname(nearest)) nearest = dirname(nearest)
  if (statSync(nearest, { throwIfNoEntry: false })?.isFile())
    return `type: mv ${shellWord(nearest)} ${shellWord(`${nearest}.old`)}`
  const command = nearest === path ? 'chown -R' : 'install -d -o'
  return `type: sudo ${command} ${uid} ${shellWord(path)}`
}

export const cannotWrite = (path: string, error: unknown) => {
  const { code = 'no reason given' } = error as NodeJS.ErrnoException
  const uid = process.getuid?.() ?? 'this user'
  return unusableFolder(
    `cannot write the data folder ${path} as uid ${uid} (${code}); ${remedyFor(path, uid)}`,
  )
}

/** @throws {AppError} `unusable-folder` when the folder cannot be made or written */
export const makeDataFolder = async (folder: string) => {
  const path = resolve(folder)
  try {
    await makeFolder(path)
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    await makeFolder(join(path, temporaryName))
    accessSync(join(path, temporaryName), constants.W_OK)
  } catch (error) {
    throw cannotWrite(path, error)
  }
  return path
}

/** Stamps a folder that is new or of an older format. @throws {AppError} `unusable-folder` when the stamp is damaged or of another version */
const checkStamp = async (path: string) => {
  const file = new DurableJSONFile<FormatStamp>(
    join(path, 'shortcrust.json'),
    join(path, temporaryName),
    plainJson,
  )
  const db = new Low<FormatStamp>(file, { product: 'shortcrust', format: dataFormat })
  const stamp = await file.read()
  if (stamp === null) return db.write()
  if (!stampCheck.isValid(stamp)) throw unusableFolder(`${path}/shortcrust.json is not a format stamp`)
  if (olderFormats.includes(stamp.format)) return db.write()
  if (stamp.format !== dataFormat)
    throw unusableFolder(
      `the data folder ${path} has format ${stamp.format}, this version reads ${dataFormat}; run the version that made it`,
    )
}

/**
 * Removes what a crash left half-written. Under the lock of the keys, for a command may be writing there; one that
 * holds it for long is left alone. A folder is nobody's leftover: it stays.
 */
const sweep = async (temporaryFolder: string, path: string) => {
  const keysLock = await waitForLock(join(path, 'keys.lock'), 30_000)
  if (!keysLock) return
  try {
    for (const entry of await readdir(temporaryFolder, { withFileTypes: true }))
      if (!entry.isDirectory()) await unlink(join(temporaryFolder, entry.name))
  } finally {
    keysLock.release()
  }
}

const holderOf = (path: string) => {
  try {
    return readFileSync(join(path, 'lock.holder'), 'utf8').trim()
  } catch {
    return 'another process'
  }
}

/**
 * Opens a data folder for the one server that may have it.
 * @param holder who opens it, for the message a second server shows
 * @throws {AppError} `unusable-folder` when it is held, of another format, or cannot be written
 */
export const openDataFolder = async (
  folder: string,
  holder: string,
  onHealthChange: (isGood: boolean) => void,
): Promise<DataFolder> => {
  const path = await makeDataFolder(folder)
  const temporaryFolder = join(path, temporaryName)
  let lock: Lock | undefined
  let formerCounts: FormerCounts
  try {
    lock = takeLock(join(path, 'lock'))
    if (!lock) throw unusableFolder(`the data folder ${path} is in use by ${holderOf(path)}`)
    writeFileSync(join(path, 'lock.holder'), `${holder}\n`, { mode: 0o600 })
    await checkStamp(path)
    await sweep(temporaryFolder, path)
    formerCounts = await takeOverFormerCounts(path, temporaryFolder)
    await formerCounts.remove()
  } catch (error) {
    lock?.release()
    throw error instanceof AppError ? error : cannotWrite(path, error)
  }
  const health = createHealth({
    tryWrite: () => writeDurably(join(temporaryFolder, 'probe'), '.', temporaryFolder),
    onChange: onHealthChange,
  })
  return {
    path,
    health,
    expiry: openExpiryIndex({ folder: join(path, expiryFolder), temporaryFolder, health }),
    isLocked: lock.isInPlace,
    collection: (name, check, cacheBytes, onErased = () => {}) =>
      openCollection({
        folder: join(path, name),
        temporaryFolder,
        check,
        cacheBytes,
        health,
        onErased,
      }),
    counts: (onDamage) => {
      formerCounts.damaged.forEach(onDamage)
      return openCountsStore({ folder: path, temporaryFolder, onDamage })
    },
    ownerIndex: (parts) => openOwnerIndex({ ...parts, folder: path, temporaryFolder, boot: bootId() }),
    aliases: (name) => openAliasStore({ folder: join(path, 'aliases', name), temporaryFolder, health }),
    close: () => {
      health.close()
      lock.release()
    },
  }
}
