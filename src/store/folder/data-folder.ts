import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Low } from 'lowdb'
import { AppError, isDamage, isDiskFull, unusableFolder } from '../../errors.ts'
import { compileCheck } from '../../items/field.ts'
import { FormatStamp } from '../../items/schema.ts'
import { shellWord } from '../../shell-words.ts'
import { openCountsStore } from '../derived/counts-store.ts'
import { bootId, type Indexed, indexName, openItemIndex } from '../derived/item-index.ts'
import {
  createHealth,
  DurableJSONFile,
  existsNow,
  type Health,
  makeFolder,
  plainJson,
  writeDurably,
} from '../disk.ts'
import { openItemStore } from '../documents/item-store.ts'
import type { Collections, Storage } from '../store.ts'
import { createFinder, type UsesOf } from '../words/finder.ts'
import { type Lock, takeLock, waitForLock } from './lock.ts'

type CollectionsParts = Parameters<Storage['items']>[0] & {
  /** Boot id of the machine. */
  boot?: string
  /** How often items were used, by kind; as the counts say, if those were opened. */
  uses?: UsesOf
  /** As the finder has it. */
  restMs?: number
}

export type DataFolder = Omit<Storage, 'counts' | 'items'> & {
  path: string
  counts: (onDamage: (error: Error) => void) => ReturnType<typeof openCountsStore>
  items: (parts: CollectionsParts) => Collections
  health: Health
  /** Releases the folder for the next server. */
  close: () => void
}

const temporaryName = 'tmp'

/** The path itself, or the lowest folder above it that exists. */
export const nearestTo = (path: string): string =>
  existsSync(path) || path === dirname(path) ? path : nearestTo(dirname(path))

/** How messages call a folder, and what they advise in place of it. */
type Naming = { what: string; another: string }

const dataFolder: Naming = { what: 'the data folder', another: 'choose another with --data' }

/** What the user should do before the next start. Process 1 runs in a container, with other folders than the host. */
const remedyFor = (path: string, uid: number | string, { another }: Naming) => {
  if (process.pid === 1)
    return `mount a folder there that it may write; on the host, type: sudo chown -R ${uid} FOLDER`
  const owner = statSync(path, { throwIfNoEntry: false })?.uid
  if (owner === undefined) return `${another}, or type: sudo install -d -o ${uid} ${shellWord(path)}`
  const asOwner = owner === uid ? '' : `it belongs to uid ${owner}: start as that user, `
  return `${asOwner}${another}, or type: sudo chown -R ${uid} ${shellWord(path)}`
}

/** Why a folder cannot be used, and what to do. */
export const cannotWrite = (path: string, error: unknown, naming = dataFolder) => {
  const { what, another } = naming
  const nearest = nearestTo(path)
  if (statSync(nearest, { throwIfNoEntry: false })?.isDirectory() === false)
    return unusableFolder(`${path} cannot be ${what}: ${nearest} is a file, not a folder; ${another}`)
  if (isDiskFull(error))
    return unusableFolder(`cannot write ${what} ${path}: the disk is full; free some space and try again`)
  const { code = 'no reason given' } = error as NodeJS.ErrnoException
  // Neither another user nor another owner can write there.
  if (code === 'EROFS')
    return unusableFolder(
      `cannot write ${what} ${path}: the disk is read-only; mount it writable, or ${another}`,
    )
  const uid = process.getuid?.() ?? 'this user'
  return unusableFolder(
    `cannot write ${what} ${path} as uid ${uid} (${code}); ${remedyFor(path, uid, naming)}`,
  )
}

/**
 * Leaves an existing folder as it is; the first write syncs it. A server can still read from a disk that refuses writes.
 * @throws {AppError} `unusable-folder` if the folder cannot be created or written
 */
export const makeDataFolder = async (folder: string, naming = dataFolder) => {
  const path = resolve(folder)
  try {
    if (!existsNow(path)) await makeFolder(path)
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    if (!existsNow(join(path, temporaryName))) await makeFolder(join(path, temporaryName))
    accessSync(join(path, temporaryName), constants.W_OK)
  } catch (error) {
    throw cannotWrite(path, error, naming)
  }
  return path
}

/**
 * Removes half-written files after a crash. It takes the lock of the keys, because a command may be writing there; if a
 * command holds that for long, the files stay. Folders stay too: no crash leaves one.
 */
export const sweep = async (temporaryFolder: string, path: string) => {
  const keysLock = await waitForLock(join(path, 'keys.lock'), 30_000)
  if (!keysLock) return
  try {
    for (const entry of await readdir(temporaryFolder, { withFileTypes: true }))
      if (!entry.isDirectory()) await unlink(join(temporaryFolder, entry.name))
  } finally {
    keysLock.release()
  }
}

const holderOf = (path: string) => {
  try {
    return readFileSync(join(path, 'lock.holder'), 'utf8').trim()
  } catch {
    return 'another process'
  }
}

/** What is counted in the next second comes with it. A file that fails counts nothing: the counts report that. */
const usesIn =
  (counts: ReturnType<typeof openCountsStore> | undefined): UsesOf =>
  (kind, ids) => {
    try {
      const stored = counts?.get(kind === 'pastes' ? 'paste' : 'link', ids)
      return ids.map((id) => stored?.get(id) ?? 0)
    } catch {
      return ids.map(() => 0)
    }
  }

const openItems = (path: string, health: Health, parts: CollectionsParts & { uses: UsesOf }): Collections => {
  const { now, report, onDamage, boot = bootId(), uses, restMs } = parts
  const temporaryFolder = join(path, temporaryName)
  const kinds = new Map<string, Indexed>()
  const finder = createFinder({
    ...{ folder: path, boot, report, uses, restMs },
    rowsAfter: (after, count) => index.allRowsAfter(after, count),
  })
  const index = openItemIndex({
    ...{ file: join(path, indexName), boot, kinds, report },
    ...{ onSettled: finder.changed, onRemoved: finder.removed },
  })
  return {
    store: (kind, kindParts) => {
      const { store, indexed } = openItemStore({
        ...{ ...kindParts, kind, index, health, now, onDamage, temporaryFolder },
        folder: join(path, kind),
        aliases: join(path, 'aliases', kind),
      })
      kinds.set(kind, indexed)
      return store
    },
    start: () => {
      index.start()
      finder.start()
    },
    totals: index.totals,
    index,
    search: finder.search,
    used: finder.used,
    close: async () => {
      await finder.close()
      await index.close()
    },
  }
}

/**
 * Opens a data folder for this server alone.
 * @param holder names this server in the message for a second one
 * @throws {AppError} `unusable-folder` if it is in use, has another format, or cannot be written
 */
export const openDataFolder = async (
  folder: string,
  holder: string,
  onHealthChange: (isGood: boolean) => void,
): Promise<DataFolder> => {
  const path = await makeDataFolder(folder)
  const temporaryFolder = join(path, temporaryName)
  let lock: Lock | undefined
  try {
    lock = takeLock(join(path, 'lock'))
    if (!lock) throw unusableFolder(`the data folder ${path} is in use by ${holderOf(path)}`)
    writeFileSync(join(path, 'lock.holder'), `${holder}\n`, { mode: 0o600 })
    endStandby(path)
    await checkStamp(path, temporaryFolder)
    await sweep(temporaryFolder, path)
  } catch (error) {
    lock?.release()
    throw error instanceof AppError ? error : cannotWrite(path, error)
  }
  const health = createHealth({
    tryWrite: () => writeDurably(join(temporaryFolder, 'probe'), '.', temporaryFolder),
    onChange: onHealthChange,
  })
  let counts: ReturnType<typeof openCountsStore> | undefined
  return {
    path,
    health,
    isLocked: lock.isInPlace,
    counts: (onDamage) => {
      counts = openCountsStore(path, temporaryFolder, onDamage)
      return counts
    },
    items: (parts) => openItems(path, health, { uses: usesIn(counts), ...parts }),
    close: () => {
      health.close()
      lock.release()
    },
  }
}

const upwards = (path: string): string[] =>
  path === dirname(path) ? [path] : [path, ...upwards(dirname(path))]

/**
 * True if a path is a folder or lies in it, also by way of a symbolic link, another mount or other letter case. Neither needs
 * to exist. @throws the error of a system call
 */
export const isWithin = (folder: string, path: string) => {
  const goal = statSync(folder, { bigint: true, throwIfNoEntry: false })
  return upwards(realpathSync(nearestTo(resolve(path)))).some((above) => {
    const { dev, ino } = statSync(above, { bigint: true })
    return goal?.dev === dev && goal.ino === ino
  })
}

/** Marks a folder that only copies are written to. A server that starts there removes it. */
export const standbyName = 'standby'

/** A server serves this folder from now on, so a copy over it would lose what it acknowledges. */
const endStandby = (folder: string) => rmSync(join(folder, standbyName), { force: true })

/** The only format there is so far. */
export const dataFormat = 1

const stampCheck = compileCheck(FormatStamp)

const ownStamp: FormatStamp = { product: 'shortcrust', format: dataFormat }

/** The stamp of a new folder. */
export const newStamp = () => plainJson.encode(ownStamp)

/** Why a stamp is none that this version reads. */
export const problemOfStamp = (stamp: unknown): string | undefined => {
  if (!stampCheck.isValid(stamp)) return 'is not a format stamp'
  return stamp.format === dataFormat
    ? undefined
    : `has format ${stamp.format}, and this version reads ${dataFormat}`
}

/** The stamp says nothing that the version in use does not know, so a person can write it again. */
const refuseStamp = (file: string, problem: string) => {
  const write = `echo '${JSON.stringify(ownStamp)}' > ${shellWord(file)}`
  return unusableFolder(
    `${file} ${problem}; run the newer version if one has run here, or else put the file back from a backup, or type: ${write}`,
  )
}

/** Stamps a new folder. @throws {AppError} `unusable-folder` if the stamp is damaged or of another version */
const checkStamp = async (path: string, temporaryFolder: string) => {
  const stampFile = join(path, stampName)
  const file = new DurableJSONFile<FormatStamp>(stampFile, temporaryFolder, plainJson)
  const found = await file.read().catch((error) => {
    throw isDamage(error) ? refuseStamp(stampFile, 'is damaged') : error
  })
  const problem = found === null ? undefined : problemOfStamp(found)
  if (problem) throw refuseStamp(stampFile, problem)
  if (found === null) await new Low<FormatStamp>(file, ownStamp).write()
}

/** A server writes this stamp when it first starts in a folder. */
const stampName = 'shortcrust.json'

/** Before that, a folder from `keys add --create` has only keys. */
const keyFile = 'keys.json'

/** The absolute path of an existing data folder. Only starting a server creates one, so a wrong path is an error. */
const folderWith = (marks: readonly string[], folder: string, advice: string) => {
  const path = resolve(folder)
  // Throws without permission to look: another user's folder is not a missing one.
  if (marks.some((name) => existsNow(join(path, name)))) return path
  throw unusableFolder(`there is no data folder at ${path}; ${advice}`)
}

const nameIt = 'name it with --data or SHORTCRUST_DATA'

/** For commands that need more than keys. @throws {AppError} `unusable-folder`, with the path */
export const stampedFolder = (folder: string, advice = nameIt) => folderWith([stampName], folder, advice)

/** @throws {AppError} `unusable-folder`, with the path */
export const folderOfKeys = (folder: string, advice = nameIt) =>
  folderWith([stampName, keyFile], folder, advice)
