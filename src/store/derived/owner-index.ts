import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { damaged, isDamage, storageFailure } from '../../errors.ts'
import type { CollectionRules } from '../folder/inspect.ts'
import { ownersName } from '../folder/inspect-file.ts'
import { exists, isMissing } from '../folder/presence.ts'
import { createIndexFiles } from './index-files.ts'
import { createJournal, type Journal } from './index-journal.ts'
import { type Listed, type ListedAs, scanDocuments, writeLists } from './index-rebuild.ts'
import type { IndexEntry } from './index-record.ts'
import { indexStateName, readIndexState, writeIndexState } from './index-state.ts'

/** What each owner made, by lists that stand beside the documents and can be made of them at any time. */
export type OwnerIndex = {
  /** Notes an entry, then lets its document be written: after a kill the index has more than there is, never less. */
  during: <T>(listed: Listed, write: () => Promise<T>) => Promise<T>
  /** Notes that the document of an entry is gone. */
  remove: (listed: Listed) => Promise<void>
  /**
   * Living entries, newest first; fewer than `count` only where there are no more. Waits for an index that is being made.
   * @throws {AppError} storage errors
   */
  page: (list: string, count: number, before: IndexEntry | undefined) => Promise<IndexEntry[]>
  /** Makes the index anew, in the background, if it cannot be trusted. */
  start: () => void
  /** Syncs everything, so that the next start can trust it after whatever happens between. */
  close: () => Promise<void>
}

export type Report = (
  level: 'info' | 'error',
  event: string,
  fields?: Readonly<Record<string, string | number>>,
) => void

export type OwnerIndexParts = {
  /** The data folder. */
  folder: string
  temporaryFolder: string
  rules: CollectionRules
  listedAs: ListedAs
  /** Boot of the machine; empty where it is not known. */
  boot: string
  report: Report
}

/** Opens the index as it was left; finding out whether it can be trusted takes one small file. */
export const openOwnerIndex = async (parts: OwnerIndexParts): Promise<OwnerIndex> => {
  const { temporaryFolder, rules, listedAs, boot, report } = parts
  const folder = join(parts.folder, ownersName)
  const files = createIndexFiles(folder)
  const inFlight = new Set<Listed>()
  /** There while the index is being made. */
  let journal: Journal | undefined
  let making: Promise<void> | undefined
  let isTrusted = false
  let isStopped = false
  let isCleanOnDisk = false
  let lastState: Promise<void> = Promise.resolve()

  const writeState = (isClean: boolean) => {
    const write = async () => {
      await writeIndexState(folder, { boot, isClean, lists: files.counts() }, temporaryFolder)
      isCleanOnDisk = isClean
    }
    lastState = lastState.then(write, write)
    return lastState
  }

  const distrust = (error: unknown) => {
    if (isTrusted) report('error', 'the index of own items is damaged', { cause: (error as Error).message })
    isTrusted = false
  }

  /** An index that cannot be written is no reason to refuse an item: it is made anew when somebody asks for it. */
  const note = async (listed: Listed, isRemoved: boolean) => {
    const { list, entry } = listed
    try {
      if (isTrusted && isCleanOnDisk) await writeState(false)
      if (journal) return journal.note(listed, isRemoved)
      if (!isTrusted) return
      if (!isRemoved) {
        if (await files.add(list, entry)) await writeState(false)
      } else if (!(await files.remove(list, entry))) throw damaged(list, `does not hold ${entry.id}`)
    } catch (error) {
      distrust(error)
    }
  }

  const make = async () => {
    const current = createJournal(inFlight)
    journal = current
    await lastState.catch(() => {})
    await unlink(join(folder, indexStateName)).catch((error) => {
      if (!isMissing(error)) throw error
    })
    const { has: isKnown } = current
    const keysOf = await scanDocuments({
      folder: parts.folder,
      rules,
      listedAs,
      isKnown,
      isStopped: () => isStopped,
    })
    await writeLists(folder, keysOf, temporaryFolder)
    await files.know(Object.fromEntries([...keysOf].map(([list, keys]) => [list, keys.length])))
    await current.apply(files)
    // Nothing was awaited since the journal was empty: from here on the files are told everything.
    journal = undefined
    isTrusted = true
    await writeState(false)
    const items = [...keysOf.values()].reduce((sum, keys) => sum + keys.length, 0)
    report('info', 'own items are listed', { items })
  }

  const whenTrusted = async () => {
    if (isTrusted) return
    making ??= make()
      .catch((error) => {
        isTrusted = false
        throw storageFailure(error)
      })
      .finally(() => {
        journal = undefined
        making = undefined
      })
    await making
  }

  const state = await readIndexState(folder, boot)
  if (state) await files.know(state.lists)
  isTrusted = state !== undefined
  isCleanOnDisk = state?.isClean ?? false
  // A new folder is ready at once. Where nobody could look, it is no new one.
  const isThere = (name: string) => exists(join(parts.folder, name)).catch(() => true)
  const isNew = !(await Promise.all(Object.keys(rules).map(isThere))).includes(true)
  if (isNew) await whenTrusted()

  return {
    during: async (listed, write) => {
      inFlight.add(listed)
      try {
        await note(listed, false)
        return await write()
      } catch (error) {
        await note(listed, true)
        throw error
      } finally {
        inFlight.delete(listed)
      }
    },

    remove: (listed) => note(listed, true),

    page: async (list, count, before) => {
      await whenTrusted()
      try {
        return await files.page(list, count, before)
      } catch (error) {
        if (!isDamage(error)) throw storageFailure(error)
        distrust(error)
      }
      await whenTrusted()
      return files.page(list, count, before)
    },

    start: () => {
      whenTrusted().catch((error: Error) => {
        if (!isStopped) report('error', 'own items cannot be listed', { cause: String(error.cause ?? error) })
      })
    },

    close: async () => {
      isStopped = true
      await making?.catch(() => {})
      await lastState.catch(() => {})
      if (!isTrusted || isCleanOnDisk) return files.rest()
      try {
        await files.rest()
        await writeState(true)
      } catch (error) {
        report('error', 'own items are not kept in order', { cause: (error as Error).message })
      }
    },
  }
}
