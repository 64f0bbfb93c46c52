import { createReadStream } from 'node:fs'
import { largestPasteBytes } from '../config-values.ts'
import type { Failure } from './failures.ts'

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

/** The text of an open source, byte for byte. */
export const readText = async (source: AsyncIterable<Uint8Array>): Promise<string | Failure> => {
  let bytes: Uint8Array | undefined
  try {
    bytes = await readAll(source)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return failed(reasons[code] ?? `cannot be read (${code || message})`)
  }
  if (!bytes)
    return failed(`is larger than ${largestPasteBytes / 1024 ** 2} MiB, the most a server can be set to take`)
  if (bytes.length === 0) return failed('is empty: there is nothing to paste')
  return decode(bytes) ?? failed('is not UTF-8 text; if it is text, convert it first, for example with iconv')
}

export const readTextFile = (path: string) => readText(createReadStream(path))
