import { rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { storageFailure } from '../../errors.ts'
import { makeFolder, writeDurably } from '../documents/durable-json-file.ts'
import { namesIn } from '../folder/names-in.ts'
import { exists } from '../folder/presence.ts'
import type { Health } from '../health.ts'

/** What is to be erased, and from when on, in milliseconds since the epoch. */
export type Mark = { kind: string; id: string; expiresAt: number }

/** Empty files whose names say what is to be erased, in one folder for each hour: `expiry/<hour>/<time>-<kind>-<id>`. */
export type ExpiryIndex = {
  /** The hour since the epoch that a time is in. */
  hourOf: (time: number) => number
  /** Durable once it answers. @throws {AppError} storage errors */
  add: (mark: Mark) => Promise<void>
  /** Not durable: a mark that comes back leads to what is erased already. */
  remove: (mark: Mark) => Promise<void>
  /** The hours since the epoch that have a folder. */
  hours: () => Promise<number[]>
  marksOf: (hour: number) => Promise<Mark[]>
  /** Removes the folder of an hour if nothing is in it. */
  close: (hour: number) => Promise<void>
  /** False when marks may be missing: in a folder of an older version, or after a restore. @throws the error of a look that failed */
  isComplete: () => Promise<boolean>
  setComplete: () => Promise<void>
}

/** Folder of the marks, in the data folder. */
export const expiryFolder = 'expiry'
/** Stands in it when no mark is missing. */
export const completeName = 'complete'

const hourMs = 3_600_000

const hourOf = (time: number) => Math.floor(time / hourMs)

/** The mark that the name of a file is, if it is one. */
export const parseMark = (name: string): Mark | undefined => {
  const [, time, kind = '', id = ''] = /^(\d{1,15})-([a-z]+)-([a-z0-9_-]+)$/.exec(name) ?? []
  return time === undefined ? undefined : { kind, id, expiresAt: Number(time) }
}

/** True for the name of the folder of an hour. */
export const isHour = (name: string) => /^\d{1,9}$/.test(name)

const ignoring = (codes: readonly string[]) => (error: NodeJS.ErrnoException) => {
  if (!codes.includes(error.code ?? '')) throw error
}

export type ExpiryIndexParts = { folder: string; temporaryFolder: string; health: Health }

export const openExpiryIndex = ({ folder, temporaryFolder, health }: ExpiryIndexParts): ExpiryIndex => {
  const folderOf = (hour: number) => join(folder, String(hour))
  const pathOf = ({ kind, id, expiresAt }: Mark) =>
    join(folderOf(hourOf(expiresAt)), `${expiresAt}-${kind}-${id}`)

  /** The folder is made only when it turns out to be missing: it may have been closed a moment ago. */
  const put = async (parent: string, path: string) => {
    try {
      await writeDurably(path, '', temporaryFolder)
    } catch (error) {
      ignoring(['ENOENT'])(error as NodeJS.ErrnoException)
      await makeFolder(parent)
      await writeDurably(path, '', temporaryFolder)
    }
  }
  const putWatched = (parent: string, path: string) =>
    health.watch(put(parent, path)).catch((error) => {
      throw storageFailure(error)
    })

  const completePath = join(folder, completeName)

  return {
    hourOf,
    add: (mark) => putWatched(folderOf(hourOf(mark.expiresAt)), pathOf(mark)),
    remove: (mark) => unlink(pathOf(mark)).catch(ignoring(['ENOENT'])),
    hours: async () => (await namesIn(folder)).filter(isHour).map(Number),
    marksOf: async (hour) =>
      (await namesIn(folderOf(hour))).flatMap((name) => {
        const mark = parseMark(name)
        return mark && hourOf(mark.expiresAt) === hour ? [mark] : []
      }),
    close: (hour) => rmdir(folderOf(hour)).catch(ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'])),
    isComplete: () => exists(completePath),
    setComplete: () => putWatched(folder, completePath),
  }
}
