import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { unusableFolder } from '../../errors.ts'
import { countsName } from '../derived/counts-store.ts'
import { makeFolder, namesIn, syncFolder, writeDurably } from '../disk.ts'
import { earlierOf } from '../documents/documents.ts'
import { checkedJson } from '../documents/json-file.ts'
import { aliasCheck, aliasShard } from '../documents/names.ts'
import type { ArchiveParts, Problem } from '../folder/archive.ts'
import { isWithin } from '../folder/data-folder.ts'
import { inspectFolder } from '../folder/inspect.ts'
import { inspectFile } from '../folder/inspect-file.ts'
import { openStandby } from './open-standby.ts'

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
