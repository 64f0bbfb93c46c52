import { createReadStream, existsSync, statSync } from 'node:fs'
import { link, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isSystemError } from '../../errors.ts'
import { sizeText } from '../../format.ts'
import { largestPasteBytes } from '../../items/paste.ts'
import { reasonOf } from '../terminal.ts'
import { Failure } from './send.ts'

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

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'is a folder; name the files in it',
  EACCES: 'may not be read by you',
  EPERM: 'may not be read by you',
}

/** Takes each piece of an input on its way, before the next one is read. */
type PassOn = (chunk: Uint8Array) => Promise<void>

/** All bytes of a source, also of a pipe; `undefined` once there are more than any server accepts. */
const readAll = async (source: AsyncIterable<Uint8Array>, passOn?: PassOn) => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    await passOn?.(chunk)
    if (bytes <= largestPasteBytes) chunks.push(chunk)
    else if (passOn) chunks.length = 0
    else return undefined
  }
  return bytes > largestPasteBytes ? undefined : Buffer.concat(chunks)
}

const decode = (bytes: Uint8Array) => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Failure('is not UTF-8 text; if it is text, convert it first, for example with iconv', 1)
  }
}

const cannotBeRead = (error: unknown) => {
  const { code = '', message } = error as NodeJS.ErrnoException
  throw new Failure(reasons[code] ?? `cannot be read (${code || message})`, 1)
}

/**
 * The text of an open source, byte for byte.
 * @param passOn gets all of it, also bytes that are not text or too many for a paste
 * @throws {Failure}
 */
export const readText = async (source: AsyncIterable<Uint8Array>, passOn?: PassOn): Promise<string> => {
  const bytes = await readAll(source, passOn).catch(cannotBeRead)
  if (!bytes)
    throw new Failure(
      `is larger than ${sizeText(largestPasteBytes)}, the most a server can be set to take`,
      1,
    )
  if (bytes.length === 0) throw new Failure('is empty: there is nothing to paste', 1)
  return decode(bytes)
}

export const readTextFile = (path: string) => readText(createReadStream(path))

/** The text of a file of any size; it may contain many pastes. @throws {Failure} */
export const readWholeFile = async (path: string): Promise<string> =>
  decode(await readFile(path).catch(cannotBeRead))
