import { statSync } from 'node:fs'
import { open, readdir, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { packTar } from 'modern-tar'
import { AppError, isSystemError, unusableFolder } from '../../errors.ts'
import { largestPasteBytes } from '../../items/paste.ts'
import { makeFolder, syncFolder } from '../disk.ts'
import { type Beside, openBeside } from './beside.ts'
import { type CollectionRules, inspectFolder, isOrphan } from './inspect.ts'
import type { Inspected } from './inspect-file.ts'
import { type TarEntry, tarEntries } from './tar-entries.ts'

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
  for await (const file of inspectFolder(folder, rules, { isKnown: isOld, areNamesLast: true })) {
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

const kibibyte = 1024
const mebibyte = 1024 ** 2

/** JSON writes a control character of one byte as six, such as `\\u0001`. The other fields and earlier versions come to less than 1 MiB. */
const largestItem = 6 * largestPasteBytes + mebibyte

/** 35 million counts of 30 bytes. */
const largestCounts = 1024 * mebibyte

/** 10,000 keys of 200 bytes. */
const largestKeys = 2 * mebibyte

/** More than this would be 96 million items: ids spread over 961 folders. Their names are read at once. */
const mostInFolder = 100_000

type EntryRule = { shape: RegExp; maxBytes: number }

/** The names of what a backup may hold, and how large each can be. */
const entryRules = (rules: CollectionRules): readonly EntryRule[] => {
  const kinds = Object.keys(rules).join('|')
  const ofItem = (ending: string) => new RegExp(`^(?:${kinds})/[a-z0-9]{2}/[a-z0-9_-]+${ending}$`)
  return [
    { shape: /^since$/, maxBytes: 20 },
    { shape: /^shortcrust\.json$/, maxBytes: kibibyte },
    { shape: /^keys\.json$/, maxBytes: largestKeys },
    { shape: /^keys\.revoked-[0-9a-f]{64}$/, maxBytes: 0 },
    { shape: /^counts\.sqlite$/, maxBytes: largestCounts },
    { shape: new RegExp(`^counts/(?:${kinds})/[a-z0-9]{2}\\.json$`), maxBytes: mebibyte },
    { shape: new RegExp(`^aliases/(?:${kinds})/[a-z0-9]{2}/[a-z0-9_-]+\\.json$`), maxBytes: 4 * kibibyte },
    { shape: ofItem('\\.gone'), maxBytes: 0 },
    { shape: ofItem('(?:\\.[1-9]\\d{0,8})?\\.json'), maxBytes: largestItem },
  ]
}

/**
 * Checks what headers say, before anything of the bodies is unpacked, so no archive takes more memory than a whole backup.
 * @returns a function that throws `unusable-folder`
 */
export const createEntryCheck = (rules: CollectionRules) => {
  const known = entryRules(rules)
  const filesIn = new Map<string, number>()
  return ({ name, size }: Pick<TarEntry, 'name' | 'size'>) => {
    const rule = known.find(({ shape }) => shape.test(name))
    if (!rule) throw unusableFolder(`the archive holds "${name}", which no backup does`)
    if (size > rule.maxBytes)
      throw unusableFolder(
        `the archive holds "${name}" with ${size} bytes, where a backup has at most ${rule.maxBytes}`,
      )
    const files = (filesIn.get(dirname(name)) ?? 0) + 1
    if (files > mostInFolder)
      throw unusableFolder(`the archive holds more than ${mostInFolder} files in ${dirname(name)}`)
    filesIn.set(dirname(name), files)
  }
}

const writeEntry = async (path: string, body: TarEntry['body']) => {
  await makeFolder(dirname(path))
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of body) await handle.writeFile(chunk)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const readNumber = async (body: TarEntry['body']) => {
  const text = Buffer.concat(await Array.fromAsync(body)).toString()
  if (!/^\d+$/.test(text)) throw new Error('its time is not a number')
  return Number(text)
}

/** @returns the folders that hold the files, and the span of the archive */
const unpack = async ({ rules, onFile, stop }: ArchiveParts, archive: Readable, folder: string) => {
  const folders = new Set<string>()
  const span: Span = { began: Number.POSITIVE_INFINITY }
  const check = createEntryCheck(rules)
  const gunzip = createGunzip()
  // Reading from `gunzip` throws its error.
  pipeline(archive, gunzip, { signal: stop }).catch(() => {})
  for await (const entry of tarEntries(gunzip)) {
    stop.throwIfAborted()
    check(entry)
    span.began = Math.min(span.began, entry.mtime)
    if (entry.name === sinceName) {
      span.since = await readNumber(entry.body)
      continue
    }
    const path = join(folder, entry.name)
    await writeEntry(path, entry.body)
    folders.add(dirname(path))
    onFile()
  }
  return { folders, span }
}

/** Of a whole backup, an earlier version without its item is a problem; of a part of one, it is not. */
const firstProblem = async (folder: string, rules: CollectionRules, isPart: boolean) => {
  let isStamped = false
  for await (const file of inspectFolder(folder, rules, { isShort: true })) {
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
  parts: ArchiveParts,
  archive: Readable,
  check: (span: Span) => void,
  place: (beside: Beside, span: Span) => Promise<void>,
) => {
  const { folder, rules, stop } = parts
  const beside = await openBeside(resolve(folder))
  try {
    const { folders, span } = await unpack(parts, archive, beside.path)
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
export const restoreArchive = async (parts: ArchiveParts, archive: Readable) => {
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
