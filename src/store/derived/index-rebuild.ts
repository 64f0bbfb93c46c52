import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkedJson } from '../documents/codec.ts'
import { makeFolder, writeDurably } from '../documents/durable-json-file.ts'
import { type CollectionRules, inspectCollection } from '../folder/inspect.ts'
import { exists } from '../folder/presence.ts'
import { encodeRecord, type IndexEntry, sortKey } from './index-record.ts'
import { indexStateName } from './index-state.ts'

/** In which list a document of a collection stands, and how. */
export type Listed = { list: string; entry: IndexEntry }
export type ListedAs = (collection: string, document: unknown) => Listed

/** What keeps somebody from waiting for a scan that is not wanted any more. */
export class Stopped extends Error {}

export type ScanParts = {
  /** The data folder. */
  folder: string
  rules: CollectionRules
  listedAs: ListedAs
  /** Ids that need not be found. */
  isKnown: (id: string) => boolean
  isStopped: () => boolean
}

/** Reads every whole document, one at a time. @returns the sort keys of each list, in order. @throws the error of a look that failed */
export const scanDocuments = async ({ folder, rules, listedAs, isKnown, isStopped }: ScanParts) => {
  const keysOf = new Map<string, string[]>()
  for (const [name, rule] of Object.entries(rules)) {
    if (!(await exists(join(folder, name)))) continue
    for await (const file of inspectCollection(folder, name, rule)) {
      if (isStopped()) throw new Stopped()
      if ('problem' in file || file.text === '') continue
      const { list, entry } = listedAs(name, checkedJson.decode(file.text))
      if (isKnown(entry.id)) continue
      const keys = keysOf.get(list)
      if (keys) keys.push(sortKey(entry))
      else keysOf.set(list, [sortKey(entry)])
    }
  }
  for (const keys of keysOf.values()) keys.sort()
  return keysOf
}

/** Removes what lies in the index's folder but the files of these lists. */
const sweep = async (folder: string, lists: ReadonlySet<string>) => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1).replaceAll('\\', '/')
    if (entry.isFile() && !lists.has(name) && name !== indexStateName) await rm(path)
  }
}

/** Puts each list in place whole, in the stead of whatever was there. */
export const writeLists = async (
  folder: string,
  keysOf: ReadonlyMap<string, readonly string[]>,
  temporaryFolder: string,
) => {
  await makeFolder(folder)
  for (const [list, keys] of keysOf) {
    await makeFolder(dirname(join(folder, list)))
    await writeDurably(join(folder, list), keys.map(encodeRecord).join(''), temporaryFolder)
  }
  await sweep(folder, new Set(keysOf.keys()))
}
