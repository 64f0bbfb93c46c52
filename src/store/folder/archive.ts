import { statSync } from 'node:fs'
import { open, readdir, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createTarDecoder, packTar } from 'modern-tar'
import { AppError, isSystemError, unusableFolder } from '../../errors.ts'
import { makeFolder, syncFolder } from '../disk.ts'
import { type Beside, openBeside } from './beside.ts'
import { type CollectionRules, inspectFolder, isOrphan } from './inspect.ts'
import type { Inspected } from './inspect-file.ts'

/** A damaged or foreign file of a data folder. */
export type Problem = Extract<Inspected, { problem: string }>
export type ArchiveParts = {
  folder: string
  rules: CollectionRules
  /** Called after each file. */
  onFile: () => void
  /** Ends the work, which then removes what it has not finished. */
  stop: AbortSignal
}

/** When an archive began, and what it holds: what was written since then, or everything. In milliseconds since the epoch. */
export type Span = { began: number; since?: number }

/** The entry of an archive that is a part, with its `since`. */
const sinceName = 'since'

/** A file gets its name some time after it was written. */
const slackMs = 60_000

/** A part has them as well. */
const always = /^(?:shortcrust|keys)\.json$/

/** For a file that is gone or cannot be looked at: reading it says so. */
const unknownTime = Number.POSITIVE_INFINITY

const changedAt = (path: string) => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? unknownTime
  } catch {
    return unknownTime
  }
}

/** A tar archive ends with two empty blocks; `packTar` adds them to each file. */
const endBytes = 1024

const packed = async (name: string, body: Uint8Array, mtime: Date) => {
  const header = { name, size: body.length, mode: 0o600, mtime }
  return (await packTar([{ header, body }])).subarray(0, -endBytes)
}

/** Packs one file at a time, so memory does not grow with the archive. All have the time at which it began. */
async function* tarChunks(parts: ArchiveParts, { began, since }: Span, problems: Problem[]) {
  const { folder, rules, onFile } = parts
  const mtime = new Date(began)
  if (since !== undefined) yield packed(sinceName, new TextEncoder().encode(`${since}`), mtime)
  const isOld = (path: string) =>
    since !== undefined && !always.test(path) && changedAt(join(folder, path)) < since - slackMs
  for await (const file of inspectFolder(folder, rules, isOld)) {
    if ('problem' in file) problems.push(file)
    else yield packed(file.path, file.bytes ?? new TextEncoder().encode(file.text), mtime)
    onFile()
  }
  yield new Uint8Array(endBytes)
}

/**
 * Writes every intact file of a data folder, also of a running server, to a tar archive with gzip.
 * @returns the damaged and foreign files, which were left out
 */
export const writeArchive = async (parts: ArchiveParts, span: Span, output: Writable): Promise<Problem[]> => {
  const problems: Problem[] = []
  await pipeline(Readable.from(tarChunks(parts, span, problems)), createGzip(), output, {
    signal: parts.stop,
  })
  return problems
}

const entryShape =
  /^(?:shortcrust\.json|keys\.json|counts\.sqlite|keys\.revoked-[0-9a-f]{64}|(?:aliases\/)?[a-z]+\/[a-z0-9]{2}\/[a-z0-9_-]+(?:\.[1-9]\d{0,8})?\.(?:json|gone)|counts\/[a-z]+\/[a-z0-9]{2}\.json)$/

const writeEntry = async (path: string, body: ReadableStream<Uint8Array>) => {
  await makeFolder(dirname(path))
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of body) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const longestNumber = 20

const readNumber = async (body: ReadableStream<Uint8Array>) => {
  const text = await new Response(body).text()
  if (!/^\d+$/.test(text) || text.length > longestNumber) throw new Error('its time is not a number')
  return Number(text)
}

/** @returns the folders that hold the files, and the span of the archive */
const unpack = async (
  archive: ReadableStream<Uint8Array>,
  folder: string,
  onFile: () => void,
  stop: AbortSignal,
) => {
  const folders = new Set<string>()
  const span: Span = { began: Number.POSITIVE_INFINITY }
  const tar = archive.pipeThrough(
    new DecompressionStream('gzip') as unknown as ReadableWritablePair<Uint8Array>,
    { signal: stop },
  )
  for await (const { header, body } of tar.pipeThrough(createTarDecoder({ strict: true }))) {
    stop.throwIfAborted()
    span.began = Math.min(span.began, header.mtime?.getTime() ?? 0)
    if (header.name === sinceName) {
      span.since = await readNumber(body)
      continue
    }
    if (!entryShape.test(header.name))
      throw unusableFolder(`the archive holds "${header.name}", which no backup does`)
    const path = join(folder, header.name)
    await writeEntry(path, body)
    folders.add(dirname(path))
    onFile()
  }
  return { folders, span }
}

/** Of a whole backup, an earlier version without its item is a problem; of a part of one, it is not. */
const firstProblem = async (folder: string, rules: CollectionRules, isPart: boolean) => {
  let isStamped = false
  for await (const file of inspectFolder(folder, rules)) {
    if ('problem' in file && !(isPart && file.problem === isOrphan)) return `${file.path} ${file.problem}`
    isStamped ||= file.path === 'shortcrust.json'
  }
  return isStamped ? undefined : 'shortcrust.json is missing'
}

const isEmptyOrMissing = async (folder: string) => {
  try {
    return (await readdir(folder)).length === 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}

/**
 * Unpacks next to the target, verifies every file, and only then lets `place` move them.
 * @param check called first with the span of the archive; throws if it does not fit
 * @throws {AppError} `unusable-folder`, or the error of a system call
 */
export const unpackBeside = async (
  { folder, rules, onFile, stop }: ArchiveParts,
  archive: ReadableStream<Uint8Array>,
  check: (span: Span) => void,
  place: (beside: Beside, span: Span) => Promise<void>,
) => {
  const beside = await openBeside(resolve(folder))
  try {
    const { folders, span } = await unpack(archive, beside.path, onFile, stop)
    check(span)
    const problem = await firstProblem(beside.path, rules, span.since !== undefined)
    if (problem) throw unusableFolder(`this is no whole backup: ${problem}`)
    for (const filled of folders) await syncFolder(filled)
    stop.throwIfAborted()
    await place(beside, span)
  } catch (error) {
    if (error instanceof AppError || isSystemError(error)) throw error
    // Every other error says that the archive cannot be unpacked.
    throw unusableFolder(
      `this file is not a backup, or only a part of one (${(error as Error).message}); nothing was restored`,
    )
  } finally {
    await beside.remove()
  }
}

/** Restores into an empty or missing folder. @throws {AppError} `unusable-folder`; the folder is then unchanged */
export const restoreArchive = async (parts: ArchiveParts, archive: ReadableStream<Uint8Array>) => {
  const target = resolve(parts.folder)
  if (!(await isEmptyOrMissing(target)))
    throw unusableFolder(`${target} is not empty; restore into a new folder`)
  const check = ({ since }: Span) => {
    if (since !== undefined)
      throw unusableFolder('this is a part of a backup (--since); restore it with --merge')
  }
  await unpackBeside(parts, archive, check, async (beside) => {
    await beside.unlock()
    await rename(beside.path, target)
    await syncFolder(dirname(target))
  })
}
