import { existsSync, statSync } from 'node:fs'
import { link, open, rename, unlink } from 'node:fs/promises'
import { isSystemError } from '../../errors.ts'
import { reasonOf } from '../system-errors.ts'
import { Failure } from './failures.ts'

/** What has not been written for so long was left by a command that was killed: one that runs writes all the time. */
const abandonedMs = 3_600_000

/** @param now milliseconds since the epoch */
export const isAbandoned = (path: string, now: number) => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.mtimeMs < now - abandonedMs
}

/** Names a finished file without replacing another one. FAT and some network folders have no hard links. */
const publish = async (partial: string, file: string) => {
  try {
    await link(partial, file)
  } catch (error) {
    if (!isSystemError(error) || error.code === 'EEXIST') throw error
    return rename(partial, file)
  }
  await unlink(partial)
}

/**
 * Opens `<file>.partial`, which nobody else writes: a file with its final name is complete.
 * @param now milliseconds since the epoch
 * @throws {Failure} if another command writes it; errors of the file system
 */
export const openPartial = async (file: string, now: number) => {
  const path = `${file}.partial`
  if (isAbandoned(path, now)) await unlink(path)
  const handle = await open(path, 'wx', 0o600).catch((error) => {
    if (error.code !== 'EEXIST') throw error
    const what = `another command is writing ${file}, or was killed less than an hour ago`
    throw new Failure(`${path} is in the way: ${what}; wait, or choose another name`, 1)
  })
  return {
    path,
    handle,
    publish: () => publish(path, file),
    remove: () => unlink(path).catch(() => {}),
  }
}

/**
 * Writes to a temporary name first, so a file with the final name is complete.
 * @param now milliseconds since the epoch
 * @throws {Failure} also if there is such a file
 */
export const toNewFile = async <T>(
  file: string,
  now: number,
  work: (append: (text: string) => Promise<void>) => Promise<T>,
) => {
  const asFailure = (error: unknown) =>
    error instanceof Failure ? error : new Failure(`cannot write ${file}: ${reasonOf(error as Error)}`, 1)
  if (existsSync(file)) throw new Failure(`${file} exists already; choose another name`, 1)
  const { handle, publish, remove } = await openPartial(file, now).catch((error) => {
    throw asFailure(error)
  })
  try {
    const result = await work((text) => handle.appendFile(text)).finally(() => handle.close())
    await publish()
    return result
  } catch (error) {
    await remove()
    throw asFailure(error)
  }
}
