import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { unusableFolder } from '../../errors.ts'
import { collections } from '../../services/collections.ts'
import { restoreArchive } from '../../store/folder/archive.ts'
import { mergeArchive } from '../../store/standby/merge.ts'
import { plural } from '../lines.ts'
import type { Command } from '../terminal.ts'
import { counter } from './counter.ts'

/** Makes a data folder from an archive; with `--merge`, brings a copy up to date. */
export const restore: Command = async ([archive = ''], { dataFolder }, terminal, { merge }) => {
  if (archive !== '-' && !existsSync(archive)) throw unusableFolder(`there is no file ${archive}`)
  const { onFile, count } = counter(terminal, 'restored')
  const parts = { folder: dataFolder, rules: collections, onFile }
  const stream = (archive === '-' ? Bun.stdin : Bun.file(archive)).stream()
  if (merge) await mergeArchive(parts, stream)
  else await restoreArchive(parts, stream)
  terminal.printError(`${plural(count(), 'file')} restored into ${resolve(dataFolder)}`)
  return 0
}
