import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { largestPasteBytes } from '../../settings/values.ts'
import type { Failure } from '../client/failures.ts'

const failed = (problem: string): Failure => ({ problem, exitCode: 1 })

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'is a folder; name the files in it',
  EACCES: 'may not be read by you',
  EPERM: 'may not be read by you',
}

/** All bytes of a source, also of a pipe; `undefined` as soon as there are more than any server takes. */
const readAll = async (source: AsyncIterable<Uint8Array>) => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > largestPasteBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const decode = (bytes: Uint8Array) => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const cannotBeRead = (error: unknown) => {
  const { code = '', message } = error as NodeJS.ErrnoException
  return failed(reasons[code] ?? `cannot be read (${code || message})`)
}

const noText = failed('is not UTF-8 text; if it is text, convert it first, for example with iconv')

/** The text of an open source, byte for byte. */
export const readText = async (source: AsyncIterable<Uint8Array>): Promise<string | Failure> => {
  let bytes: Uint8Array | undefined
  try {
    bytes = await readAll(source)
  } catch (error) {
    return cannotBeRead(error)
  }
  if (!bytes)
    return failed(`is larger than ${largestPasteBytes / 1024 ** 2} MiB, the most a server can be set to take`)
  if (bytes.length === 0) return failed('is empty: there is nothing to paste')
  return decode(bytes) ?? noText
}

export const readTextFile = (path: string) => readText(createReadStream(path))

/** The text of a file of any size, which may hold many pastes. */
export const readWholeFile = async (path: string): Promise<string | Failure> => {
  try {
    return decode(await readFile(path)) ?? noText
  } catch (error) {
    return cannotBeRead(error)
  }
}
