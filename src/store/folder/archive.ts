import { mkdirSync, statSync } from 'node:fs'
import { open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { packTar } from 'modern-tar'
import { AppError, isSystemError, unusableFolder } from '../../errors.ts'
import { largestPasteBytes } from '../../items/paste.ts'
import { makeFolder, syncFolder } from '../disk.ts'
import { type CollectionRules, type Inspected, inspectFolder, isOrphan } from './inspect.ts'
import { takeLock } from './lock.ts'

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

/** The files of a data folder, also of a running server. */
const filesOfFolder = ({ folder, rules }: ArchiveParts, { since }: Span) => {
  const isOld = (path: string) =>
    since !== undefined && !always.test(path) && changedAt(join(folder, path)) < since - slackMs
  return inspectFolder(folder, rules, { isKnown: isOld, areNamesLast: true })
}

type Packing = { files: AsyncIterable<Inspected> } & Pick<ArchiveParts, 'onFile' | 'stop'>

/** Packs one file at a time, so memory does not grow with the archive. All have the time at which it began. */
async function* tarChunks({ files, onFile }: Packing, { began, since }: Span, problems: Problem[]) {
  const mtime = new Date(began)
  if (since !== undefined) yield packed(sinceName, new TextEncoder().encode(`${since}`), mtime)
  for await (const file of files) {
    if ('problem' in file) problems.push(file)
    else yield packed(file.path, file.bytes ?? new TextEncoder().encode(file.text), mtime)
    onFile()
  }
  yield new Uint8Array(endBytes)
}

/**
 * Writes every intact file of these to a tar archive with gzip.
 * @returns the damaged and foreign files, which were left out
 */
export const packFiles = async (packing: Packing, span: Span, output: Writable): Promise<Problem[]> => {
  const problems: Problem[] = []
  const chunks = Readable.from(tarChunks(packing, span, problems))
  await pipeline(chunks, createGzip(), output, { signal: packing.stop })
  return problems
}

/** Writes a data folder, also of a running server, as `packFiles` does. */
export const writeArchive = (parts: ArchiveParts, span: Span, output: Writable) =>
  packFiles({ ...parts, files: filesOfFolder(parts, span) }, span, output)

/** JSON writes a control character of one byte as six, such as `\\u0001`. The other fields and earlier versions come to less than 1 MiB. */
const largestItem = 6 * largestPasteBytes + 1024 ** 2

/** 35 million counts of 30 bytes. */
const largestCounts = 1024 ** 3

/** 10,000 keys of 200 bytes. */
const largestKeys = 2 * 1024 ** 2

/** More than this would be 96 million items: ids spread over 961 folders. Their names are read at once. */
const mostInFolder = 100_000

type EntryRule = { shape: RegExp; maxBytes: number }

/** The names of what a backup may hold, and how large each can be. */
const entryRules = (rules: CollectionRules): readonly EntryRule[] => {
  const kinds = Object.keys(rules).join('|')
  const ofItem = (ending: string) => new RegExp(`^(?:${kinds})/[a-z0-9]{2}/[a-z0-9_-]+${ending}$`)
  return [
    { shape: /^since$/, maxBytes: 20 },
    { shape: /^shortcrust\.json$/, maxBytes: 1024 },
    { shape: /^keys\.json$/, maxBytes: largestKeys },
    { shape: /^keys\.revoked-[0-9a-f]{64}$/, maxBytes: 0 },
    { shape: /^counts\.sqlite$/, maxBytes: largestCounts },
    { shape: new RegExp(`^aliases/(?:${kinds})/[a-z0-9]{2}/[a-z0-9_-]+\\.json$`), maxBytes: 4096 },
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
    if (!rule) throw unusableFolder(`the backup holds "${name}", which no backup does`)
    if (size > rule.maxBytes)
      throw unusableFolder(
        `the backup holds "${name}" with ${size} bytes, where a backup has at most ${rule.maxBytes}`,
      )
    const files = (filesIn.get(dirname(name)) ?? 0) + 1
    if (files > mostInFolder)
      throw unusableFolder(`the backup holds more than ${mostInFolder} files in ${dirname(name)}`)
    filesIn.set(dirname(name), files)
  }
}

/** One file of an archive. Its `body` has to be read to its end before the next entry. */
type TarEntry = {
  name: string
  /** Bytes of the body. */
  size: number
  /** In milliseconds since the epoch. */
  mtime: number
  body: AsyncIterable<Uint8Array>
}

/** https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 */
const blockBytes = 512

/** `tar` fills up to this after the end of an archive. */
const recordBytes = 20 * blockBytes

const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)

const textAt = (header: Buffer, at: number, bytes: number) => {
  const field = header.subarray(at, at + bytes)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? bytes : end)
}

const numberAt = (header: Buffer, at: number, bytes: number) => {
  const [, digits] = /^ *([0-7]{1,11})[ \0]*$/.exec(header.toString('latin1', at, at + bytes)) ?? []
  if (digits === undefined) throw new Error('it holds a wrong number')
  return Number.parseInt(digits, 8)
}

const sumOf = (header: Buffer) =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)

/** Takes chunks apart into pieces of the wanted sizes. */
const createPieces = (chunks: AsyncIterable<Uint8Array>) => {
  const source = chunks[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array()

  /** At least one byte, and at most `most`; `undefined` at the end. */
  const next = async (most: number) => {
    while (rest.length === 0) {
      const { value, done } = await source.next()
      if (done) return undefined
      rest = value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    return piece
  }

  const whole = async function* (bytes: number) {
    for (let left = bytes; left > 0; ) {
      const piece = await next(left)
      if (!piece) throw new Error('it is cut short')
      left -= piece.length
      yield piece
    }
  }

  const block = async () => Buffer.concat(await Array.fromAsync(whole(blockBytes)))
  return { next, whole, block }
}

/**
 * Reads the entries of a tar archive, with one chunk in memory. It knows what `packTar` writes for files with short names, and
 * refuses everything else: links, sparse files, and names and sizes in entries of their own, which have no upper limit.
 */
async function* tarEntries(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const { next, whole, block } = createPieces(chunks)
  for (;;) {
    const header = await block()
    if (isZero(header)) break
    if (numberAt(header, 148, 8) !== sumOf(header)) throw new Error('it has a wrong checksum')
    const name = [textAt(header, 345, 155), textAt(header, 0, 100)].filter((part) => part !== '').join('/')
    if (!['0', ''].includes(textAt(header, 156, 1))) throw new Error(`"${name}" is not a plain file`)
    const size = numberAt(header, 124, 12)
    yield { name, size, mtime: numberAt(header, 136, 12) * 1000, body: whole(size) }
    for await (const _ of whole(-size & (blockBytes - 1)));
  }
  if (!isZero(await block())) throw new Error('it has a wrong end')
  for (let left = recordBytes; ; ) {
    const piece = await next(recordBytes)
    if (!piece) return
    left -= piece.length
    if (left < 0 || !isZero(piece)) throw new Error('it has a wrong end')
  }
}

const lockName = 'lock'

/** Removes what killed processes left of the same target: nobody holds the lock. */
const removeAbandoned = async (target: string) => {
  const beginning = `${basename(target)}.restoring-`
  const entries = await readdir(dirname(target), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isDirectory() || !entry.name.startsWith(beginning)) continue
    if (!/^\d{1,10}$/.test(entry.name.slice(beginning.length))) continue
    const path = join(dirname(target), entry.name)
    try {
      // A folder without a lock is none of ours, unless the process was killed before it could make one.
      if (!statSync(join(path, lockName), { throwIfNoEntry: false })?.isFile()) await rmdir(path)
      else {
        const lock = takeLock(join(path, lockName))
        if (!lock) continue
        // Windows removes no file that is open.
        lock.release()
        await rm(path, { recursive: true, force: true })
      }
    } catch {
      // It may be another user's, and is then no business of this one.
    }
  }
}

/** Makes a folder next to the target, where an archive is unpacked. The kernel's lock says that its process lives. */
const openBeside = async (target: string) => {
  await makeFolder(dirname(target))
  await removeAbandoned(target)
  const path = `${target}.restoring-${process.pid}`
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // In containers, many processes have the same id.
    throw unusableFolder(`${path} is in the way: another restore into ${target} is running, or left it`)
  }
  const lock = takeLock(join(path, lockName))
  return {
    path,
    /** Removes the lock, so the folder can become the target. */
    unlock: async () => {
      lock?.release()
      await rm(join(path, lockName), { force: true })
    },
    remove: async () => {
      lock?.release()
      await rm(path, { recursive: true, force: true })
    },
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
  place: (beside: Awaited<ReturnType<typeof openBeside>>, span: Span) => Promise<void>,
) => {
  const { folder, rules, stop } = parts
  const beside = await openBeside(resolve(folder))
  try {
    const { folders, span } = await unpack(parts, archive, beside.path)
    check(span)
    const problem = await firstProblem(beside.path, rules, span.since !== undefined)
    if (problem) throw unusableFolder(`this is not a whole backup: ${problem}`)
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

const refusePart = ({ since }: Span) => {
  if (since !== undefined)
    throw unusableFolder('this is a part of a backup (--since); restore it with --merge')
}

/**
 * Unpacks a whole archive next to a folder, for a moment. @param fill takes what is there, verified
 * @throws {AppError} `unusable-folder`; what `fill` throws
 */
export const unpackFor = (parts: ArchiveParts, archive: Readable, fill: (folder: string) => Promise<void>) =>
  unpackBeside(parts, archive, refusePart, ({ path }) => fill(path))

/** Restores into an empty or missing folder. @throws {AppError} `unusable-folder`; the folder is then unchanged */
export const restoreArchive = async (parts: ArchiveParts, archive: Readable) => {
  const target = resolve(parts.folder)
  if (!(await isEmptyOrMissing(target)))
    throw unusableFolder(`${target} is not empty; restore into a new folder`)
  await unpackBeside(parts, archive, refusePart, async (beside) => {
    await beside.unlock()
    await rename(beside.path, target)
    await syncFolder(dirname(target))
  })
}
