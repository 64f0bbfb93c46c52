import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { unusableFolder } from '../../errors.ts'
import { collections } from '../../services/collections.ts'
import { inspectFolder } from '../../store/folder/inspect.ts'
import { inspectOwners } from '../../store/folder/inspect-owners.ts'
import type { Command } from '../terminal.ts'

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

async function* inspectAll(folder: string) {
  yield* inspectFolder(folder, collections)
  yield* inspectOwners(folder, collections)
}

/** Walks a data folder, also of a running server. @returns 1 when a file is damaged or foreign */
export const verify: Command = async (_, { dataFolder }, terminal) => {
  const folder = resolve(dataFolder)
  // A folder that has lost its stamp is still to be looked at.
  if (!existsSync(folder))
    throw unusableFolder(`there is no folder ${folder}; name it with --data or SHORTCRUST_DATA`)
  const counts = { files: 0, damaged: 0, foreign: 0 }
  for await (const file of inspectAll(folder)) {
    counts.files++
    terminal.progress(`verified ${plural(counts.files, 'file')}`)
    if (!('problem' in file)) continue
    const kind = file.isForeign ? 'foreign' : 'damaged'
    counts[kind]++
    await terminal.print(`${kind}  ${file.path}: ${file.problem}`)
  }
  await terminal.written()
  const { files, damaged, foreign } = counts
  terminal.printError(
    `${plural(files, 'file')} of ${folder} verified: ${damaged} damaged, ${foreign} foreign`,
  )
  return damaged + foreign === 0 ? 0 : 1
}
