import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { isSystemError, unusableFolder } from '../../errors.ts'
import { collections } from '../../services/collections.ts'
import { syncFolder } from '../../store/disk.ts'
import { type Problem, restoreArchive, writeArchive } from '../../store/folder/archive.ts'
import { plural } from '../lines.ts'
import { reasonOf } from '../system-errors.ts'
import type { Command, Terminal } from '../terminal.ts'
import { stampedFolder } from './known-folder.ts'

const counter = (terminal: Terminal, verb: string) => {
  let files = 0
  return { onFile: () => terminal.progress(`${verb} ${plural(++files, 'file')}`), count: () => files }
}

const syncFile = async (path: string) => {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}

/** Writes to a temporary name first, so an archive with the final name is complete. */
const toFile = async (target: string, write: (path: string) => Promise<Problem[]>) => {
  if (existsSync(target)) throw unusableFolder(`${target} exists already; choose another name`)
  const partial = `${target}.partial`
  try {
    const problems = await write(partial)
    await syncFile(partial)
    await rename(partial, target)
    await syncFolder(dirname(resolve(target)))
    return problems
  } catch (error) {
    await unlink(partial).catch(() => {})
    // Errors of other files are errors of the data folder.
    if (!isSystemError(error) || (error.path ?? partial) !== partial) throw error
    throw unusableFolder(`cannot write ${target}: ${reasonOf(error)}`)
  }
}

/** Standard output as a stream. The command waits for what is still unwritten at its end. */
const asStream = ({ printBytes }: Terminal) =>
  new Writable({ write: (chunk, _, done) => void printBytes(chunk).then(() => done(), done) })

/** Writes a data folder, also of a running server, to a compressed archive. @returns 1 if something was left out */
export const backup: Command = async ([target = ''], { dataFolder }, terminal) => {
  const folder = stampedFolder(dataFolder)
  const { onFile, count } = counter(terminal, 'saved')
  const parts = { folder, rules: collections, onFile }
  const problems =
    target === '-'
      ? await writeArchive(parts, asStream(terminal))
      : await toFile(target, (path) => writeArchive(parts, createWriteStream(path, { mode: 0o600 })))
  await terminal.written()
  for (const { path, problem } of problems) await terminal.printError(`left out  ${path}: ${problem}`)
  terminal.printError(
    `${plural(count() - problems.length, 'file')} of ${folder} saved, ${problems.length} left out`,
  )
  return problems.length === 0 ? 0 : 1
}

/** Creates a data folder from an archive; the folder must be empty or missing. */
export const restore: Command = async ([archive = ''], { dataFolder }, terminal) => {
  if (!existsSync(archive)) throw unusableFolder(`there is no file ${archive}`)
  const { onFile, count } = counter(terminal, 'restored')
  await restoreArchive({ folder: dataFolder, rules: collections, onFile }, Bun.file(archive).stream())
  terminal.printError(`${plural(count(), 'file')} restored into ${resolve(dataFolder)}`)
  return 0
}
