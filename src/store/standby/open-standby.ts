import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError, unusableFolder } from '../../errors.ts'
import { isTemporary, writeDurably } from '../disk.ts'
import { cannotWrite, makeDataFolder, type Naming, sweep } from '../folder/data-folder.ts'
import { type Lock, takeLock } from '../folder/lock.ts'
import { standbyName } from './marker.ts'

/** What the marker says: what is copied, and up to which time, in milliseconds since the epoch, if that is known. */
type Marker = { of: string; until?: number }

export type Standby = Pick<Marker, 'until'> & {
  path: string
  temporaryFolder: string
  /** Notes that the copy is complete up to this time. */
  reached: (until: number) => Promise<void>
  /** Removes the copy, if this made it and nothing is in it. */
  discard: () => void
  lock: Lock
}

export type StandbyParts = {
  folder: string
  /** What is copied, which is always the same. */
  of: string
  naming: Naming
  /** Called before a copy is made. @throws {AppError} if none should be */
  mayMake?: (path: string) => void
}

const readMarker = (path: string): Marker | undefined => {
  const file = join(path, standbyName)
  if (!existsSync(file)) return undefined
  const [of = '', until] = readFileSync(file, 'utf8').trim().split('\n')
  return { of, ...(until !== undefined && { until: Date.parse(until) }) }
}

const lockName = 'lock'

/** What a copy has before anything is in it. A killed first pass may leave it, and a disk has `lost+found`. */
const emptyNames = [standbyName, lockName, 'keys.lock', 'tmp', 'lost+found']

const isEmpty = (folder: string) =>
  !existsSync(folder) ||
  readdirSync(folder).every(
    (name) =>
      emptyNames.includes(name) && (name !== 'tmp' || readdirSync(join(folder, name)).every(isTemporary)),
  )

/** Windows removes no file that is open, so the lock goes last. What cannot be removed is no reason to refuse the next copy. */
const removeEmpty = (path: string, lock: Lock, wasMissing: boolean) => {
  const remove = (name: string) => rmSync(join(path, name), { recursive: true, force: true })
  try {
    for (const name of emptyNames) if (name !== lockName) remove(name)
    lock.release()
    remove(lockName)
    if (wasMissing) rmdirSync(path)
  } catch {}
}

const openCopy = async ({ folder, of, naming, mayMake }: StandbyParts): Promise<Standby> => {
  const path = resolve(folder)
  const marker = readMarker(path)
  const wasMissing = !existsSync(path)
  if (!marker && !isEmpty(path))
    throw unusableFolder(
      `${path} is no copy, or a server has run on it since: nothing was changed; copy into a new folder`,
    )
  if (marker && marker.of !== of) throw unusableFolder(`${path} is a copy of ${marker.of}, not of ${of}`)
  if (!marker) mayMake?.(path)
  await makeDataFolder(path, naming)
  const lock = takeLock(join(path, lockName))
  if (!lock) throw unusableFolder(`${path} is in use by a server or by another copy`)
  const temporaryFolder = join(path, 'tmp')
  const note = (lines: readonly string[]) =>
    writeDurably(join(path, standbyName), `${lines.join('\n')}\n`, temporaryFolder)
  const discard = () => {
    if (!marker && isEmpty(path)) removeEmpty(path, lock, wasMissing)
  }
  try {
    if (marker) await sweep(temporaryFolder, path)
    else await note([of])
  } catch (error) {
    discard()
    lock.release()
    throw error
  }
  const reached = (until: number) => note([of, new Date(until).toISOString()])
  const known = marker?.until !== undefined && { until: marker.until }
  return { path, temporaryFolder, lock, reached, discard, ...known }
}

/**
 * Opens a folder that copies are written to, and keeps servers and other copies out of it meanwhile.
 * @throws {AppError} `unusable-folder` if the folder holds anything but copies of the same, or cannot be written
 */
export const openStandby = async (parts: StandbyParts): Promise<Standby> => {
  try {
    return await openCopy(parts)
  } catch (error) {
    throw error instanceof AppError ? error : cannotWrite(resolve(parts.folder), error, parts.naming)
  }
}
