import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError, unusableFolder } from '../../errors.ts'
import { writeDurably } from '../disk.ts'
import { makeDataFolder } from '../folder/data-folder.ts'
import { type Lock, takeLock } from '../folder/lock.ts'
import { standbyName } from './marker.ts'

/** What the marker says: what is copied, and up to which time, in milliseconds since the epoch, if that is known. */
type Marker = { of: string; until?: number }

export type Standby = Pick<Marker, 'until'> & {
  path: string
  temporaryFolder: string
  /** Notes that the copy is complete up to this time. */
  reached: (until: number) => Promise<void>
  lock: Lock
}

const readMarker = (path: string): Marker | undefined => {
  const file = join(path, standbyName)
  if (!existsSync(file)) return undefined
  const [of = '', until] = readFileSync(file, 'utf8').trim().split('\n')
  return { of, ...(until !== undefined && { until: Date.parse(until) }) }
}

const isEmpty = (folder: string) => !existsSync(folder) || readdirSync(folder).length === 0

/**
 * Opens a folder that copies are written to, and keeps servers and other copies out of it meanwhile.
 * @param of what is copied, which is always the same
 * @throws {AppError} `unusable-folder` if the folder holds anything but copies of it
 */
export const openStandby = async (folder: string, of: string): Promise<Standby> => {
  const path = resolve(folder)
  const marker = readMarker(path)
  if (!marker && !isEmpty(path))
    throw unusableFolder(
      `${path} is no copy, or a server has run on it since: nothing was changed; copy into a new folder`,
    )
  if (marker && marker.of !== of) throw unusableFolder(`${path} is a copy of ${marker.of}, not of ${of}`)
  await makeDataFolder(path)
  const lock = takeLock(join(path, 'lock'))
  if (!lock) throw unusableFolder(`${path} is in use by a server or by another copy`)
  const temporaryFolder = join(path, 'tmp')
  const note = (lines: readonly string[]) =>
    writeDurably(join(path, standbyName), `${lines.join('\n')}\n`, temporaryFolder)
  try {
    if (!marker) await note([of])
    const reached = (until: number) => note([of, new Date(until).toISOString()])
    return {
      path,
      temporaryFolder,
      lock,
      reached,
      ...(marker?.until !== undefined && { until: marker.until }),
    }
  } catch (error) {
    lock.release()
    throw error instanceof AppError
      ? error
      : unusableFolder(`cannot write ${path}: ${(error as Error).message}`)
  }
}
