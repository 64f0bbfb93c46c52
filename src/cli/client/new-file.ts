import { existsSync, statSync } from 'node:fs'
import { link, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
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

const ending = /^\.[0-9a-f]{8}\.partial$/

/** The file that a name of a half-written one belongs to; `undefined` for any other name. */
export const partialOf = (name: string) => (ending.test(name.slice(-17)) ? name.slice(0, -17) : undefined)

/**
 * Opens `<file>.<8 letters>.partial`, which nobody else writes: a file with its final name is complete. Removes what killed
 * commands left of the same file.
 * @param now milliseconds since the epoch
 * @throws errors of the file system
 */
export const openPartial = async (file: string, now: number) => {
  const folder = dirname(file)
  // One may write to a folder that one may not list.
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if (partialOf(name) === basename(file) && isAbandoned(path, now)) await unlink(path)
  }
  const path = `${file}.${crypto.randomUUID().slice(0, 8)}.partial`
  const handle = await open(path, 'wx', 0o600)
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
