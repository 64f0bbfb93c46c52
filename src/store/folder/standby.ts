import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError, unusableFolder } from '../../errors.ts'
import { secondsText } from '../../items/durations.ts'
import type { Changeable } from '../../items/ids.ts'
import { countsName } from '../derived/counts-store.ts'
import { checkedJson, isTemporary, makeFolder, namesIn, syncFolder, writeDurably } from '../disk.ts'
import { earlierOf } from '../documents/documents.ts'
import { aliasCheck, aliasShard } from '../documents/item-store.ts'
import { type ArchiveParts, type Problem, type Span, unpackBeside } from './archive.ts'
import { cannotWrite, isWithin, makeDataFolder, standbyName, sweep } from './data-folder.ts'
import { inspectFile, inspectFolder, shortText } from './inspect.ts'
import { takeLock } from './lock.ts'

/** What a copy has before anything is in it. A killed first pass may leave it, and a disk has `lost+found`. */
const emptyNames = [standbyName, 'keys.lock', 'tmp', 'lost+found', 'lock']

const isEmpty = (folder: string) =>
  !existsSync(folder) ||
  readdirSync(folder).every(
    (name) =>
      emptyNames.includes(name) && (name !== 'tmp' || readdirSync(join(folder, name)).every(isTemporary)),
  )

/** What the marker of a copy says: what is copied and, of merged backups, up to which time. */
const readMarker = (path: string) => {
  const file = join(path, standbyName)
  if (!existsSync(file)) return undefined
  const [of = '', until] = readFileSync(file, 'utf8').trim().split('\n')
  return { of, until: until === undefined ? undefined : Date.parse(until) }
}

/**
 * Does work on a folder that copies are written to, and keeps servers and other copies out of it meanwhile.
 * @param of what is copied, which is always the same
 * @param another what messages advise in place of the folder
 * @param mayMake called before a copy is made. @throws {AppError} if none should be
 * @throws {AppError} `unusable-folder` if the folder holds anything but copies of the same, or cannot be written
 */
const withCopy = async <T>(
  { folder, of, another, mayMake }: { folder: string; of: string; another: string; mayMake?: () => void },
  work: (copy: {
    path: string
    temporaryFolder: string
    /** Up to which time the copy is complete, in milliseconds since the epoch. */
    until: number | undefined
    /** Notes that it is complete up to this time. */
    reached: (until: number) => Promise<void>
  }) => Promise<T>,
) => {
  const path = resolve(folder)
  const naming = { what: 'the copy', another }
  const orCannotWrite = (error: unknown) => {
    throw error instanceof AppError ? error : cannotWrite(path, error, naming)
  }
  const open = async () => {
    const marker = readMarker(path)
    const wasMissing = !existsSync(path)
    if (!marker && !isEmpty(path))
      throw unusableFolder(
        `${path} is no copy, or a server has run on it since: nothing was changed; copy into a new folder`,
      )
    if (marker && marker.of !== of) throw unusableFolder(`${path} is a copy of ${marker.of}, not of ${of}`)
    if (!marker) mayMake?.()
    await makeDataFolder(path, naming)
    const lock = takeLock(join(path, 'lock'))
    if (!lock) throw unusableFolder(`${path} is in use by a server or by another copy`)
    return { marker, wasMissing, lock }
  }
  const { marker, wasMissing, lock } = await open().catch(orCannotWrite)
  const temporaryFolder = join(path, 'tmp')
  const note = (...lines: string[]) =>
    writeDurably(join(path, standbyName), `${lines.join('\n')}\n`, temporaryFolder)
  try {
    await (marker ? sweep(temporaryFolder, path) : note(of)).catch(orCannotWrite)
    const reached = (until: number) => note(of, new Date(until).toISOString())
    return await work({ path, temporaryFolder, until: marker?.until, reached })
  } finally {
    lock.release()
    // A copy that got nothing would only be in the way of the next command.
    if (!marker && isEmpty(path))
      try {
        for (const name of emptyNames) rmSync(join(path, name), { recursive: true, force: true })
        if (wasMissing) rmdirSync(path)
      } catch {}
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
export const mergeArchive = (parts: ArchiveParts, archive: Readable) =>
  withCopy(
    { folder: parts.folder, of: 'backups', another: 'choose another with --data' },
    ({ path, until, reached }) => {
      const own = { ...parts, folder: path }
      return unpackBeside(own, archive, checkFollows(until), async (beside, span) => {
        await moveAll(own, beside.path)
        await reached(Math.max(span.began, until ?? 0))
      })
    },
  )

const statOf = (path: string) => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    // Reading or writing it says what is wrong.
    return undefined
  }
}

/** Copies at the same time: 3,300 a second where one alone makes 800. */
const atOnce = 8

/** Collects writes, and runs eight at once. */
const createBatch = () => {
  let running: Promise<void>[] = []
  const end = async () => {
    const results = await Promise.allSettled(running)
    running = []
    for (const one of results) if (one.status === 'rejected') throw one.reason
  }
  return {
    add: async (work: () => Promise<void>) => {
      const one = work()
      // `end` throws it.
      one.catch(() => {})
      running.push(one)
      if (running.length === atOnce) await end()
    },
    end,
  }
}

/** The file of the name of an item, if that document has one. */
const nameFileOf = (path: string, text: string) => {
  const [, kind] = /^(pastes|links)\/.*\.json$/.exec(path) ?? []
  const { alias } = kind ? (checkedJson.decode(text) as { alias?: string }) : {}
  return alias === undefined ? undefined : `aliases/${kind}/${aliasShard(alias)}/${alias}.json`
}

type Copying = ArchiveParts & { copy: string; temporaryFolder: string }

/** Compares the files of both folders, and writes those of the copy. */
const createCopyWriter = ({ folder, copy, temporaryFolder, stop }: Copying) => {
  const seen = new Set<string>()
  /** Before a file is read: if it changes after that, its time differs, and the next pass copies it. */
  const times = new Map<string, bigint>()
  let copied = 0
  return {
    seen,
    copied: () => copied,
    isUnchanged: (name: string) => {
      stop.throwIfAborted()
      seen.add(name)
      const [one, other] = [statOf(join(folder, name)), statOf(join(copy, name))]
      if (one) times.set(name, one.mtimeNs)
      if (!one || !other || one.size !== other.size) return false
      // A time is set by a number with 53 bits, which is exact to a microsecond.
      const apart = one.mtimeNs - other.mtimeNs
      return apart < 2000n && apart > -2000n
    },
    write: async (name: string, content: string | Uint8Array) => {
      const [goal, time] = [join(copy, name), times.get(name)]
      await makeFolder(dirname(goal))
      await writeDurably(goal, content, temporaryFolder)
      if (time !== undefined) utimesSync(goal, Number(time) / 1e9, Number(time) / 1e9)
      // Counts change with each read; what people look for are items.
      if (name !== countsName) copied++
    },
  }
}

/** Copies what is new or changed, in an order in which the copy is a sound data folder at every moment. */
const copyChanged = async (parts: Copying) => {
  const { folder, copy, rules, onFile } = parts
  const { seen, copied, isUnchanged, write } = createCopyWriter(parts)
  const problems = new Map<string, Problem>()

  /** Earlier versions whose item the copy does not have yet: without it, nothing would ever remove them there. */
  const waiting = new Set<string>()
  const isWaiting = (name: string) => {
    const [id] = earlierOf(basename(name)) ?? []
    if (id === undefined || existsSync(join(copy, dirname(name), `${id}.json`))) return false
    waiting.add(name)
    return true
  }
  /** A server that runs may have written the name of an item after the names were read, but before the item. */
  const writeNameOf = async (path: string, text: string) => {
    const name = nameFileOf(path, text)
    if (name === undefined || isUnchanged(name)) return
    const record = await inspectFile(folder, name, (json) => aliasCheck.problem(checkedJson.decode(json)))
    if (record && 'text' in record) await write(name, record.text)
  }
  const isInCopy = (name: string, bytes: Uint8Array) =>
    existsSync(join(copy, name)) && readFileSync(join(copy, name)).equals(bytes)

  const copyAll = async (isLeftOut: (name: string) => boolean) => {
    const batch = createBatch()
    let isName = false
    try {
      for await (const file of inspectFolder(folder, rules, { isKnown: isLeftOut })) {
        // Names come first, and are there before any item that has one.
        if (isName && !file.path.startsWith('aliases/')) await batch.end()
        isName = file.path.startsWith('aliases/')
        if ('problem' in file) problems.set(file.path, file)
        else if (!file.bytes || !isInCopy(file.path, file.bytes))
          await batch.add(async () => {
            await writeNameOf(file.path, file.text)
            await write(file.path, file.bytes ?? file.text)
          })
      }
    } finally {
      await batch.end()
    }
  }
  await copyAll((name) => {
    onFile()
    return isUnchanged(name) || isWaiting(name)
  })
  if (waiting.size > 0) await copyAll((name) => !waiting.has(name))
  return { seen, problems, copied: copied() }
}

/** Removes the files of items and names that are not to be kept. @returns how many */
const removeOthers = async (
  { rules, stop }: ArchiveParts,
  copy: string,
  isKept: (name: string) => boolean,
) => {
  let removed = 0
  for (const kind of Object.keys(rules).flatMap((name) => [name, `aliases/${name}`]))
    for (const shard of await namesIn(join(copy, kind))) {
      // `<id>.3.json` comes before `<id>.json`.
      const names = (await readdir(join(copy, kind, shard))).sort()
      const others = names.filter((name) => !isKept(`${kind}/${shard}/${name}`))
      for (const name of others) {
        stop.throwIfAborted()
        await unlink(join(copy, kind, shard, name))
        removed++
      }
      if (others.length > 0) await syncFolder(join(copy, kind, shard))
    }
  return removed
}

/**
 * Brings a copy of a data folder, also of a running server, up to date: writes what is new or changed, each file whole and
 * checked, then removes what is gone. The copy is a data folder that a server can start on.
 * @param target the folder that becomes a copy of `parts.folder`
 * @param mustExist true if this pass should make no copy, only bring one up to date
 * @returns what it did; `problems` are damaged or foreign files of the source: the copy keeps what it has of them
 * @throws {AppError} `unusable-folder`
 */
export const mirrorFolder = async (parts: ArchiveParts, target: string, mustExist: boolean) => {
  const [folder, copy] = [resolve(parts.folder), resolve(target)]
  if (isWithin(folder, copy) || isWithin(copy, folder))
    throw unusableFolder(`${copy} and ${folder} lie in each other; choose a folder apart`)
  const mayMake = () => {
    if (mustExist)
      throw unusableFolder(
        `there is no copy at ${copy}: is its disk mounted? The first pass, without --update, makes one`,
      )
    if (!existsSync(dirname(copy)))
      throw unusableFolder(
        `there is no folder ${dirname(copy)} for the copy: mount its disk, or make the folder`,
      )
  }
  return withCopy({ folder: copy, of: folder, another: 'choose another DEST', mayMake }, async (opened) => {
    const { temporaryFolder } = opened
    const { seen, problems, copied } = await copyChanged({ ...parts, folder, copy, temporaryFolder })
    /** True below a folder that could not be read: what it holds is unknown, not gone. */
    const isUnread = (name: string) => [...problems.keys()].some((unread) => name.startsWith(`${unread}/`))
    const removed = await removeOthers(parts, copy, (name) => seen.has(name) || isUnread(name))
    return { files: seen.size, copied, removed, problems: [...problems.values()] }
  })
}
