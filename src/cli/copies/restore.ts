import { createReadStream, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { isSystemError, unusableFolder } from '../../errors.ts'
import { collections } from '../../services/items.ts'
import { existsNow } from '../../store/disk.ts'
import { type ArchiveParts, restoreArchive } from '../../store/folder/archive.ts'
import { mergeArchive } from '../../store/standby/merge.ts'
import { plural } from '../lines.ts'
import { reasonOf } from '../system-errors.ts'
import type { Command } from '../terminal.ts'
import { cannot } from './cannot.ts'
import { counter } from './counter.ts'
import { interruptible } from './interruptible.ts'

const checkArchive = (archive: string) => {
  if (!existsNow(archive)) throw unusableFolder(`there is no file ${archive}`)
  if (statSync(archive).isDirectory())
    throw unusableFolder(`${archive} is a folder; name an archive, such as one in it`)
}

/** Not `Bun.file`, which cannot read devices and named pipes. */
const streamOf = (archive: string) =>
  archive === '-' ? Readable.from(Bun.stdin.stream()) : createReadStream(archive)

const unpack = async (parts: ArchiveParts, archive: string, isMerge: boolean) => {
  try {
    await (isMerge ? mergeArchive : restoreArchive)(parts, streamOf(archive))
  } catch (error) {
    if (isSystemError(error) && (error.path === archive || error.syscall === 'read'))
      throw unusableFolder(`cannot read ${archive}: ${reasonOf(error)}; nothing was restored`)
    throw cannot(`restore into ${resolve(parts.folder)}`, error)
  }
}

/** Makes a data folder from an archive; with `--merge`, brings a copy up to date. */
export const restore: Command = async ([archive = ''], { dataFolder }, terminal, { merge = false }) => {
  if (archive !== '-') checkArchive(archive)
  const { onFile, count } = counter(terminal, 'restored')
  await interruptible(terminal, 'nothing was restored', (stop) =>
    unpack({ folder: dataFolder, rules: collections, onFile, stop }, archive, merge),
  )
  terminal.printError(`${plural(count(), 'file')} restored into ${resolve(dataFolder)}`)
  return 0
}
