import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError, unusableFolder } from '../../errors.ts'
import { secondsText } from '../../items/durations.ts'
import type { Changeable } from '../../items/versions.ts'
import { countsName } from '../derived/counts-store.ts'
import { checkedJson, isTemporary, makeFolder, namesIn, syncFolder, writeDurably } from '../disk.ts'
import { earlierOf } from '../documents/documents.ts'
import { aliasCheck, aliasShard } from '../documents/item-store.ts'
import { type ArchiveParts, type Problem, type Span, unpackBeside } from './archive.ts'
import { cannotWrite, isWithin, makeDataFolder, type Naming, standbyName, sweep } from './data-folder.ts'
import { inspectFile, inspectFolder, shortText } from './inspect.ts'
import { type Lock, takeLock } from './lock.ts'

/** What the marker says: what is copied, and up to which time, in milliseconds since the epoch, if that is known. */
type Marker = { of: string; until?: number }

export type Standby = Pick<Marker, 'until'> & {
  path: string
  temporaryFolder: string
  /** Notes that the copy is complete up to this time. */
  reached: (until: number) => Promise<void>
  /** Removes the copy, if this made it and nothing is in it. */
  discard: () => void
  lock: Lock
}

export type StandbyParts = {
  folder: string
  /** What is copied, which is always the same. */
  of: string
  naming: Naming
  /** Called before a copy is made. @throws {AppError} if none should be */
  mayMake?: (path: string) => void
}

const readMarker = (path: string): Marker | undefined => {
  const file = join(path, standbyName)
  if (!existsSync(file)) return undefined
  const [of = '', until] = readFileSync(file, 'utf8').trim().split('\n')
  return { of, ...(until !== undefined && { until: Date.parse(until) }) }
}

const lockName = 'lock'

/** What a copy has before anything is in it. A killed first pass may leave it, and a disk has `lost+found`. */
const emptyNames = [standbyName, lockName, 'keys.lock', 'tmp', 'lost+found']

const isEmpty = (folder: string) =>
  !existsSync(folder) ||
  readdirSync(folder).every(
    (name) =>
      emptyNames.includes(name) && (name !== 'tmp' || readdirSync(join(folder, name)).every(isTemporary)),
  )

/** Windows removes no file that is open, so the lock goes last. What cannot be removed is no reason to refuse the next copy. */
const removeEmpty = (path: string, lock: Lock, wasMissing: boolean) => {
  const remove = (name: string) => rmSync(join(path, name), { recursive: true, force: true })
  try {
    for (const name of emptyNames) if (name !== lockName) remove(name)
    lock.release()
    remove(lockName)
    if (wasMissing) rmdirSync(path)
  } catch {}
}

const openCopy = async ({ folder, of, naming, mayMake }: StandbyParts): Promise<Standby> => {
  const path = resolve(folder)
  const marker = readMarker(path)
  const wasMissing = !existsSync(path)
  if (!marker && !isEmpty(path))
    throw unusableFolder(
      `${path} is no copy, or a server has run on it since: nothing was changed; copy into a new folder`,
    )
  if (marker && marker.of !== of) throw unusableFolder(`${path} is a copy of ${marker.of}, not of ${of}`)
  if (!marker) mayMake?.(path)
  await makeDataFolder(path, naming)
  const lock = takeLock(join(path, lockName))
  if (!lock) throw unusableFolder(`${path} is in use by a server or by another copy`)
  const temporaryFolder = join(path, 'tmp')
  const note = (lines: readonly string[]) =>
    writeDurably(join(path, standbyName), `${lines.join('\n')}\n`, temporaryFolder)
  const discard = () => {
    if (!marker && isEmpty(path)) removeEmpty(path, lock, wasMissing)
  }
  try {
    if (marker) await sweep(temporaryFolder, path)
    else await note([of])
  } catch (error) {
    discard()
    lock.release()
    throw error
  }
  const reached = (until: number) => note([of, new Date(until).toISOString()])
  const known = marker?.until !== undefined && { until: marker.until }
  return { path, temporaryFolder, lock, reached, discard, ...known }
}

/**
 * Opens a folder that copies are written to, and keeps servers and other copies out of it meanwhile.
 * @throws {AppError} `unusable-folder` if the folder holds anything but copies of the same, or cannot be written
 */
export const openStandby = async (parts: StandbyParts): Promise<Standby> => {
  try {
    return await openCopy(parts)
  } catch (error) {
    throw error instanceof AppError ? error : cannotWrite(resolve(parts.folder), error, parts.naming)
  }
}

/** @throws {AppError} `unusable-folder` if there is a gap between the copy and the archive */
const checkFollows = (until: number | undefined) => (span: Span) => {
  if (span.since === undefined) return
  if (until === undefined) throw unusableFolder('this is a part of a backup; begin the copy with a whole one')
  if (span.since > until)
    throw unusableFolder(
      `the copy ends at ${secondsText(until)}, and this backup begins only at ${secondsText(span.since)}; ` +
        `send one with --since ${secondsText(until)}`,
    )
}

/** Files of an item that the copy has, and that a later document or tombstone of it replaces. */
const replacedBy = async (folder: string, beside: string, path: string) => {
  const [, place = '', id = '', ending] = /^((?:pastes|links)\/..)\/([^./]+)\.(json|gone)$/.exec(path) ?? []
  if (ending === undefined) return []
  const names = (await namesIn(join(folder, place))).filter((name) => name.startsWith(`${id}.`))
  const earlier =
    ending === 'gone' ? [] : (checkedJson.decode(await shortText(join(beside, path))) as Changeable).earlier
  const kept = new Set(earlier?.map(({ version }) => version))
  return names
    .filter((name) => {
      const [, version] = earlierOf(name) ?? []
      return version === undefined ? ending === 'gone' && name.endsWith('.json') : !kept.has(version)
    })
    .map((name) => join(folder, place, name))
}

/** Moves every file of `beside` to its place, and removes what it replaces. */
const moveAll = async ({ folder, rules }: ArchiveParts, beside: string) => {
  const changed = new Set<string>()
  for await (const { path } of inspectFolder(beside, rules, { isShort: true })) {
    const replaced = await replacedBy(folder, beside, path)
    const goal = join(folder, path)
    await makeFolder(dirname(goal))
    await rename(join(beside, path), goal)
    for (const file of replaced) await unlink(file)
    changed.add(dirname(goal))
  }
  for (const place of changed) await syncFolder(place)
}

/**
 * Writes a backup, or a part of one (`--since`), into a copy that earlier backups made: newer files replace older ones, and
 * what was deleted goes. Nothing is changed if the archive is damaged, or if something between it and the copy is missing.
 * @throws {AppError} `unusable-folder`
 */
export const mergeArchive = async (parts: ArchiveParts, archive: Readable) => {
  const naming = { what: 'the copy', another: 'choose another with --data' }
  const { path, until, reached, discard, lock } = await openStandby({
    ...{ folder: parts.folder, of: 'backups', naming },
  })
  const own = { ...parts, folder: path }
  let isBegun = false
  try {
    await unpackBeside(own, archive, checkFollows(until), async (beside, span) => {
      isBegun = true
      await moveAll(own, beside.path)
      await reached(Math.max(span.began, until ?? 0))
    })
  } catch (error) {
    // A copy that got nothing would only be in the way of the next command.
    if (!isBegun) discard()
    throw error
  } finally {
    lock.release()
  }
}

export type MirrorParts = ArchiveParts & {
  /** The folder that becomes a copy of `folder`. */
  target: string
  /** True if this pass should make no copy, only bring one up to date. */
  mustExist: boolean
}

/** What one pass did. `problems` are damaged or foreign files of the source; the copy keeps what it has of them. */
export type Mirrored = { files: number; copied: number; removed: number; problems: readonly Problem[] }

/** Copies at the same time: 3,300 a second where one alone makes 800. */
const atOnce = 8

/** Unset for a file that is gone or cannot be looked at: reading or writing it says so. */
const statOf = (path: string) => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

type Stat = NonNullable<ReturnType<typeof statOf>>

/** A time is set by a number with 53 bits, which is exact to a microsecond. */
const isSame = (one: Stat, other: Stat) => {
  const apart = one.mtimeNs - other.mtimeNs
  return one.size === other.size && apart < 2000n && apart > -2000n
}

/** Paths of all files of items and names, relative to the folder. `<id>.3.json` comes before `<id>.json`. */
async function* itemFiles(folder: string, kinds: readonly string[]): AsyncGenerator<string> {
  for (const kind of kinds.flatMap((name) => [name, `aliases/${name}`]))
    for (const shard of await namesIn(join(folder, kind)))
      for (const name of (await readdir(join(folder, kind, shard))).sort()) yield `${kind}/${shard}/${name}`
}

/** Runs some at once; the first error is thrown by `add` or `end`. */
const createPool = (most: number) => {
  const running = new Set<Promise<void>>()
  return {
    add: async (work: () => Promise<void>) => {
      if (running.size >= most) await Promise.race(running)
      const one = work().finally(() => running.delete(one))
      // `end` throws it.
      one.catch(() => {})
      running.add(one)
    },
    end: () => Promise.all(running),
    /** Waits for those that run, also if some fail. */
    settle: () => Promise.allSettled(running),
  }
}

const refuseToMake = (path: string) => {
  throw unusableFolder(
    `there is no copy at ${path}: is its disk mounted? The first pass, without --update, makes one`,
  )
}

const checkParent = (path: string) => {
  if (!existsSync(dirname(path)))
    throw unusableFolder(
      `there is no folder ${dirname(path)} for the copy: mount its disk, or make the folder`,
    )
}

const hasBytes = (path: string, bytes: Uint8Array) => {
  const size = statOf(path)?.size
  return size === BigInt(bytes.length) && readFileSync(path).equals(bytes)
}

type Removal = Pick<ArchiveParts, 'folder' | 'stop'> & {
  kinds: readonly string[]
  isKept: (name: string) => boolean
}

/** @returns how many files it removed */
const removeOthers = async ({ folder, kinds, isKept, stop }: Removal) => {
  const changed = new Set<string>()
  let removed = 0
  for await (const name of itemFiles(folder, kinds)) {
    stop.throwIfAborted()
    if (isKept(name)) continue
    await unlink(join(folder, name))
    changed.add(dirname(name))
    removed++
  }
  for (const name of changed) await syncFolder(join(folder, name))
  return removed
}

/** The file of the name of an item, if that document has one. */
const nameOf = (path: string, text: string) => {
  const [, kind] = /^(pastes|links)\/.*\.json$/.exec(path) ?? []
  const { alias } = kind ? (checkedJson.decode(text) as { alias?: string }) : {}
  return alias === undefined ? undefined : `aliases/${kind}/${aliasShard(alias)}/${alias}.json`
}

type Copying = Omit<ArchiveParts, 'folder'> & {
  source: string
  path: string
  temporaryFolder: string
  pool: ReturnType<typeof createPool>
}

/** Copies what is new or changed, in an order in which the copy is a sound data folder at every moment. */
const copyChanged = async ({ source, path, temporaryFolder, rules, onFile, stop, pool }: Copying) => {
  const seen = new Set<string>()
  const problems = new Map<string, Problem>()
  let copied = 0

  /** Before a file is read: if it changes after that, its time differs, and the next pass copies it. */
  const times = new Map<string, bigint>()
  const isUnchanged = (name: string) => {
    stop.throwIfAborted()
    seen.add(name)
    const [one, other] = [statOf(join(source, name)), statOf(join(path, name))]
    if (one) times.set(name, one.mtimeNs)
    return one !== undefined && other !== undefined && isSame(one, other)
  }
  const write = async (name: string, content: string | Uint8Array) => {
    const [goal, time] = [join(path, name), times.get(name)]
    await makeFolder(dirname(goal))
    await writeDurably(goal, content, temporaryFolder)
    if (time !== undefined) utimesSync(goal, Number(time) / 1e9, Number(time) / 1e9)
    // Counts change with each read; what people look for are items.
    if (name !== countsName) copied++
  }

  /** Earlier versions whose item the copy does not have yet: without it, nothing would ever remove them there. */
  const waiting = new Set<string>()
  const isWaiting = (name: string) => {
    const [id] = earlierOf(basename(name)) ?? []
    if (id === undefined || existsSync(join(path, dirname(name), `${id}.json`))) return false
    waiting.add(name)
    return true
  }
  /** A server that runs may have written the name of an item after the names were read, but before the item. */
  const writeNameOf = async (path: string, text: string) => {
    const name = nameOf(path, text)
    if (name === undefined || isUnchanged(name)) return
    const record = await inspectFile(source, name, (json) => aliasCheck.problem(checkedJson.decode(json)))
    if (record && 'text' in record) await write(name, record.text)
  }
  const copyAll = async (isLeftOut: (name: string) => boolean) => {
    let isName = false
    for await (const file of inspectFolder(source, rules, { isKnown: isLeftOut })) {
      // Names come first, and are there before any item that has one.
      if (isName && !file.path.startsWith('aliases/')) await pool.end()
      isName = file.path.startsWith('aliases/')
      if ('problem' in file) problems.set(file.path, file)
      else if (!file.bytes || !hasBytes(join(path, file.path), file.bytes))
        await pool.add(async () => {
          await writeNameOf(file.path, file.text)
          await write(file.path, file.bytes ?? file.text)
        })
    }
    await pool.end()
  }
  await copyAll((name) => {
    onFile()
    return isUnchanged(name) || isWaiting(name)
  })
  if (waiting.size > 0) await copyAll((name) => !waiting.has(name))
  return { seen, problems, copied }
}

/**
 * Brings a copy of a data folder, also of a running server, up to date: writes what is new or changed, each file whole and
 * checked, then removes what is gone. The copy is a data folder that a server can start on.
 * @throws {AppError} `unusable-folder`
 */
export const mirrorFolder = async ({
  folder,
  rules,
  onFile,
  stop,
  target,
  mustExist,
}: MirrorParts): Promise<Mirrored> => {
  const [source, copy] = [resolve(folder), resolve(target)]
  if (isWithin(source, copy) || isWithin(copy, source))
    throw unusableFolder(`${copy} and ${source} lie in each other; choose a folder apart`)
  const naming = { what: 'the copy', another: 'choose another DEST' }
  const mayMake = mustExist ? refuseToMake : checkParent
  const { path, temporaryFolder, lock } = await openStandby({ folder: copy, of: source, naming, mayMake })
  const pool = createPool(atOnce)
  try {
    const parts = { source, path, temporaryFolder, rules, onFile, stop, pool }
    const { seen, problems, copied } = await copyChanged(parts)
    /** True below a folder that could not be read: what it holds is unknown, not gone. */
    const isUnread = (name: string) => [...problems.keys()].some((unread) => name.startsWith(`${unread}/`))
    const isKept = (name: string) => seen.has(name) || isUnread(name)
    const removed = await removeOthers({ folder: path, kinds: Object.keys(rules), isKept, stop })
    return { files: seen.size, copied, removed, problems: [...problems.values()] }
  } finally {
    await pool.settle()
    lock.release()
  }
}
