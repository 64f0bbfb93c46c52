import { rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { damaged } from '../../errors.ts'
import { compileCheck } from '../../items/check.ts'
import type { ItemKind } from '../../items/ids.ts'
import { StoredCounts } from '../../items/schema.ts'
import { existsNow, namesIn, writeDurably } from '../disk.ts'
import { checkedJson } from '../documents/json-file.ts'
import { foreign, type Inspected, inspectFile } from '../folder/inspect-file.ts'
import { type Count, countsName, newCountsFile, wasPutAside } from './counts-file.ts'

/** The folder of counts in format 2, with one file per collection and first two characters of the ids. */
export const formerCountsFolder = 'counts'

const kinds: Readonly<Record<string, ItemKind>> = { pastes: 'paste', links: 'link' }

const check = compileCheck(StoredCounts)
const problemOf = (text: string) => check.problem(checkedJson.decode(text))

const inspectFormer = (folder: string, path: string) => {
  if (/\/[a-z0-9]{2}\.json$/.test(path)) return inspectFile(folder, path, problemOf)
  return path.endsWith('.damaged') ? { path, problem: wasPutAside, isForeign: false } : foreign(path)
}

/** Every file of the old counts, with its problem if it has one. */
export async function* inspectFormerCounts(folder: string): AsyncGenerator<Inspected> {
  for (const collection of (await namesIn(join(folder, formerCountsFolder))).sort()) {
    const path = `${formerCountsFolder}/${collection}`
    if (!Object.hasOwn(kinds, collection)) yield foreign(path)
    else
      for (const name of (await namesIn(join(folder, path))).sort()) {
        const inspected = await inspectFormer(folder, `${path}/${name}`)
        if (inspected) yield inspected
      }
  }
}

export type FormerCounts = {
  /** Damaged files, whose counts are lost. They stay, for a person to check. */
  damaged: readonly Error[]
  /** Removes the files that were taken over, and only those. Call it when no version needs them. */
  remove: () => Promise<void>
}

const countsIn = ({ path, text }: { path: string; text: string }): Count[] => {
  const kind = kinds[path.split('/')[1] as string] as ItemKind
  return Object.entries(checkedJson.decode(text) as StoredCounts).map(([id, count]) => ({ kind, id, count }))
}

/**
 * Creates `counts.sqlite` from the counts of format 2. The new file appears as a whole, so if it exists, everything was taken
 * over. After a crash, it is either created again or complete.
 * @throws the error of a system call
 */
export const takeOverFormerCounts = async (
  folder: string,
  temporaryFolder: string,
): Promise<FormerCounts> => {
  const whole: { path: string; text: string }[] = []
  const problems: Error[] = []
  for await (const file of inspectFormerCounts(folder)) {
    if (!('problem' in file)) whole.push(file)
    else if (!file.isForeign) problems.push(damaged(join(folder, file.path), file.problem))
  }
  const path = join(folder, countsName)
  if (whole.length > 0 && !existsNow(path))
    await writeDurably(path, newCountsFile(whole.flatMap(countsIn)), temporaryFolder)
  return {
    damaged: problems,
    remove: async () => {
      for (const file of whole) await unlink(join(folder, file.path))
      const folders = [
        ...Object.keys(kinds).map((name) => `${formerCountsFolder}/${name}`),
        formerCountsFolder,
      ]
      // Folders with damaged or foreign files are not empty, and stay.
      for (const name of folders) await rmdir(join(folder, name)).catch(() => {})
    },
  }
}
