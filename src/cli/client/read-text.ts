import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { sizeText } from '../../format.ts'
import { largestPasteBytes } from '../../items/paste.ts'
import { Failure } from './failures.ts'

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
