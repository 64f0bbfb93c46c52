import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { unusableFolder } from '../../errors.ts'
import { collections } from '../../services/items.ts'
import { shownStore } from '../../settings/values.ts'
import { standbyName } from '../../store/folder/data-folder.ts'
import { inspectFolder, inspectIndex, problemOfName } from '../../store/folder/inspect.ts'
import type { Command, Terminal } from '../terminal.ts'
import { plural } from '../terminal.ts'

/** True for the newest version of an item, which the index knows. */
const isItem = ({ path, text }: { path: string; text: string }) =>
  text !== '' && /^[^.]+\.json$/.test(path) && Object.hasOwn(collections, path.slice(0, path.indexOf('/')))

/** Compares the index with the documents. @returns one line per problem that the user should act on */
const compareIndex = async (
  folder: string,
  documents: ReadonlySet<string>,
  { print, printError }: Terminal,
) => {
  try {
    const found = await inspectIndex(folder, documents)
    if (found.state === 'in use') printError('the index is in use by a server, and was not compared')
    if (found.state !== 'compared') return []
    if (found.leftovers)
      await print(
        `the index has ${plural(found.leftovers, 'row')} without a document, which a crash may leave`,
      )
    return found.unlisted.map((path) => `does not know ${path}`)
  } catch (error) {
    return [(error as Error).message]
  }
}

/** Checks a database as the files that a backup of it has. @returns 1 if one is damaged */
const verifyStore = async (store: string, terminal: Terminal) => {
  const { readDatabase } = await import('../../store/postgres/archive.ts')
  let files = 0
  const damaged: string[] = []
  await readDatabase(store, collections, async (all) => {
    for await (const file of all) {
      terminal.progress(`verified ${plural(++files, 'file')}`)
      if ('problem' in file) damaged.push(`damaged  ${file.path}: ${file.problem}`)
    }
  })
  for (const line of damaged) await terminal.print(line)
  await terminal.print(
    `${plural(files, 'file')} of ${shownStore(store)} verified: ${damaged.length} damaged, 0 foreign`,
  )
  await terminal.written()
  return damaged.length === 0 ? 0 : 1
}

/** Checks a data folder or a database, also of a running server. @returns 1 if a file is damaged or foreign */
export const verify: Command = async (_, { dataFolder, store }, terminal) => {
  if (store !== undefined) return verifyStore(store, terminal)
  const folder = resolve(dataFolder)
  // A folder without its stamp should be checked as well.
  if (!existsSync(folder))
    throw unusableFolder(`there is no folder ${folder}; name it with --data or SHORTCRUST_DATA`)
  const documents = new Set<string>()
  const counts = { files: 0, damaged: 0, foreign: 0 }
  for await (const file of inspectFolder(folder, collections, { isShort: true })) {
    counts.files++
    terminal.progress(`verified ${plural(counts.files, 'file')}`)
    if (!('problem' in file)) {
      if (!isItem(file)) continue
      documents.add(file.path)
      const problem = await problemOfName(folder, file, terminal.now())
      if (problem === undefined) continue
      counts.damaged++
      await terminal.print(`damaged  ${file.path}: ${problem}`)
      continue
    }
    const kind = file.isForeign ? 'foreign' : 'damaged'
    counts[kind]++
    await terminal.print(`${kind}  ${file.path}: ${file.problem}`)
  }
  for (const problem of await compareIndex(folder, documents, terminal)) {
    counts.damaged++
    await terminal.print(
      `damaged  index.sqlite: ${problem}; remove it while no server runs: the next one builds it`,
    )
  }
  // A first pass of `mirror` may have been killed before it copied anything.
  if (counts.files === 0 && !existsSync(join(folder, standbyName)))
    throw unusableFolder(`${folder} is empty: no server has used it; name the data folder with --data`)
  const { files, damaged, foreign } = counts
  await terminal.print(
    `${plural(files, 'file')} of ${folder} verified: ${damaged} damaged, ${foreign} foreign`,
  )
  await terminal.written()
  return damaged + foreign === 0 ? 0 : 1
}
