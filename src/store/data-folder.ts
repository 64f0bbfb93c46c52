import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Low } from 'lowdb'
import { unusableFolder } from '../errors.ts'
import { type Check, compileCheck, FormatStamp } from '../schema.ts'
import { type Collection, openCollection } from './collection.ts'
import { DurableJSONFile, makeFolder } from './durable-json-file.ts'
import { sweepTemporaryFolder } from './erasure.ts'
import { takeLock } from './lock.ts'

/** Format of the directory that this version writes and reads. */
export const dataFormat = 1

export type DataFolder = {
  path: string
  collection: <T extends { id: string }>(name: string, check: Check<T>, cacheBytes: number) => Collection<T>
  /** Lets the next server have the folder. */
  close: () => void
}

const temporaryName = 'tmp'
const stampCheck = compileCheck(FormatStamp)

/** @throws {AppError} `unusable-folder` when the folder cannot be made or written */
export const makeDataFolder = async (folder: string) => {
  const path = resolve(folder)
  try {
    await makeFolder(path)
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    await makeFolder(join(path, temporaryName))
    accessSync(join(path, temporaryName), constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const uid = process.getuid?.() ?? 'this user'
    const remedy =
      code === 'ENOTDIR' || code === 'EEXIST' ? `mv ${path} ${path}.old` : `sudo chown -R ${uid} ${path}`
    throw unusableFolder(`cannot write the data folder ${path} as uid ${uid} (${code}); type: ${remedy}`)
  }
  return path
}

/** @throws {AppError} `unusable-folder` when the stamp is damaged or newer than this version */
const checkStamp = async (path: string) => {
  const file = new DurableJSONFile<FormatStamp>(join(path, 'shortcrust.json'), join(path, temporaryName))
  const db = new Low<FormatStamp>(file, { product: 'shortcrust', format: dataFormat })
  const stamp = await file.read()
  if (stamp === null) return db.write()
  if (!stampCheck.isValid(stamp)) throw unusableFolder(`${path}/shortcrust.json is not a format stamp`)
  if (stamp.format !== dataFormat)
    throw unusableFolder(
      `the data folder ${path} has format ${stamp.format}, this version reads ${dataFormat}; run the version that made it`,
    )
}

/** Under the lock of the keys, for a command may be writing them in the same folder. */
const sweep = async (path: string) => {
  const keysLock = takeLock(join(path, 'keys.lock'), 30_000)
  await sweepTemporaryFolder(join(path, temporaryName), path)
  keysLock?.release()
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
export const openDataFolder = async (folder: string, holder: string): Promise<DataFolder> => {
  const path = await makeDataFolder(folder)
  const lock = takeLock(join(path, 'lock'), 0)
  if (!lock) throw unusableFolder(`the data folder ${path} is in use by ${holderOf(path)}`)
  try {
    writeFileSync(join(path, 'lock.holder'), `${holder}\n`, { mode: 0o600 })
    await checkStamp(path)
    await sweep(path)
  } catch (error) {
    lock.release()
    throw error
  }
  return {
    path,
    collection: (name, check, cacheBytes) =>
      openCollection({
        folder: join(path, name),
        temporaryFolder: join(path, temporaryName),
        check,
        cacheBytes,
      }),
    close: lock.release,
  }
}
