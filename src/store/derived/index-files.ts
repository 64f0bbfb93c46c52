import { join } from 'node:path'
import { type IndexFile, openIndexFile } from './index-file.ts'
import type { IndexEntry } from './index-record.ts'

/** The files of an index by the names of their lists, of which only some are open at a time. */
export type IndexFiles = {
  /** @returns whether the list is new. @throws as `IndexFile` does */
  add: (list: string, entry: IndexEntry) => Promise<boolean>
  /** @returns whether the list held the entry. @throws as `IndexFile` does */
  remove: (list: string, entry: IndexEntry) => Promise<boolean>
  page: (list: string, count: number, before: IndexEntry | undefined) => Promise<IndexEntry[]>
  /** How many records each list has, at least. */
  counts: () => Record<string, number>
  /** Takes these as the lists there are; closes whatever is open. */
  know: (counts: Readonly<Record<string, number>>) => Promise<void>
  /** Syncs and closes every list. */
  rest: () => Promise<void>
}

/** Each owner who is creating or listing keeps up to two files open. */
const mostOpen = 64

export const createIndexFiles = (folder: string): IndexFiles => {
  let known = new Map<string, number>()
  const files = new Map<string, IndexFile>()
  /** In the order of their last use. */
  const open = new Set<string>()

  const close = async (list: string) => {
    open.delete(list)
    const count = await files.get(list)?.rest()
    if (count) known.set(list, count)
  }

  const use = async <T>(list: string, work: (file: IndexFile) => Promise<T>) => {
    const file = files.get(list) ?? openIndexFile(join(folder, list), known.get(list) ?? 0)
    files.set(list, file)
    open.delete(list)
    open.add(list)
    const result = await work(file)
    const [oldest] = open
    if (open.size > mostOpen && oldest) await close(oldest)
    return result
  }

  const rest = async () => {
    for (const list of [...open]) await close(list)
  }

  return {
    add: async (list, entry) => {
      await use(list, (file) => file.add(entry))
      const isNew = !known.has(list)
      if (isNew) known.set(list, 1)
      return isNew
    },
    remove: (list, entry) => use(list, (file) => file.remove(entry)),
    page: (list, count, before) => use(list, (file) => file.page(count, before)),
    counts: () => Object.fromEntries(known),
    know: async (counts) => {
      // What cannot be synced any more is made anew.
      await rest().catch(() => {})
      files.clear()
      open.clear()
      known = new Map(Object.entries(counts))
    },
    rest,
  }
}
