import { existsSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { isSystemError, unusableFolder } from '../../errors.ts'
import { parseSince } from '../../items/durations.ts'
import { collections } from '../../services/items.ts'
import { syncFolder } from '../../store/disk.ts'
import { type Problem, writeArchive } from '../../store/folder/archive.ts'
import { isWithin } from '../../store/folder/data-folder.ts'
import { wrongUsage } from '../client/failures.ts'
import { openPartial } from '../client/new-file.ts'
import { plural } from '../lines.ts'
import { stampedFolder } from '../server/known-folder.ts'
import type { Command, ServerFlags, Terminal } from '../terminal.ts'
import { cannot } from './cannot.ts'
import { counter } from './counter.ts'
import { interruptible } from './interruptible.ts'
import { archiveName, keepNewest } from './rotation.ts'

const syncFile = async (path: string) => {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}

/** Writes to a temporary name first, so an archive with the final name is complete. */
const toFile = async (target: string, now: number, write: (output: Writable) => Promise<Problem[]>) => {
  if (existsSync(target)) throw unusableFolder(`${target} exists already; choose another name`)
  // Opened before anything can stop the writing, so no file comes after its removal.
  const partial = await openPartial(target, now).catch((error) => {
    throw cannot(`write ${target}`, error)
  })
  try {
    const problems = await write(partial.handle.createWriteStream())
    await syncFile(partial.path)
    await partial.publish()
    await syncFolder(dirname(resolve(target)))
    return problems
  } catch (error) {
    await partial.remove()
    // Errors of other files are errors of the data folder.
    if (isSystemError(error) && (error.path ?? partial.path) !== partial.path) throw error
    throw cannot(`write ${target}`, error)
  }
}

/** Standard output as a stream. The command waits for what is still unwritten at its end. */
const asStream = ({ printBytes }: Terminal) =>
  new Writable({ write: (chunk, _, done) => void printBytes(chunk).then(() => done(), done) })

/** The time of `--since`: a date, or how long ago. */
const sinceOf = (raw: string, now: number) => {
  const time = parseSince(raw, now)
  if (time !== undefined) return time
  throw wrongUsage(`--since: expected a date, or how long ago, such as 10m, not "${raw}"`)
}

const keptOf = (raw: string) => {
  if (!/^[1-9]\d{0,3}$/.test(raw)) throw wrongUsage(`--keep: expected a number from 1 to 9999, not "${raw}"`)
  return Number(raw)
}

/** What the flags ask for. */
const spanOf = ({ keep, since }: ServerFlags, began: number) => {
  if (keep !== undefined && since !== undefined)
    throw wrongUsage('--keep keeps whole backups, and --since makes a part of one: choose one of them')
  return { began, ...(since !== undefined && { since: sinceOf(since, began) }) }
}

const checkOutput = (keep: number | undefined, { isTerminal }: Terminal) => {
  if (keep !== undefined)
    throw wrongUsage('--keep needs a folder in place of -, as in: shortcrust backup --keep 7 backups')
  if (isTerminal)
    throw wrongUsage(
      'an archive is not for a terminal: name a file, or send it on, as in: shortcrust backup - > backup.tgz',
    )
}

const checkPlace = (place: string, folder: string) => {
  if (isWithin(folder, place))
    throw unusableFolder(
      `${resolve(place)} is in the data folder ${folder}: nothing was written; choose another place`,
    )
}

const targetOf = async (raw: string, keep: number | undefined, now: number) => {
  if (keep === undefined) return raw
  await mkdir(raw, { recursive: true, mode: 0o700 }).catch((error) => {
    throw cannot(`keep archives in ${raw}`, error)
  })
  return join(raw, archiveName(now))
}

/** Writes a data folder, also of a running server, to a compressed archive. @returns 1 if something was left out */
export const backup: Command = async ([raw = ''], { dataFolder }, terminal, flags) => {
  const began = terminal.now()
  const keep = flags.keep === undefined ? undefined : keptOf(flags.keep)
  const span = spanOf(flags, began)
  const isOutput = raw === '-'
  if (isOutput) checkOutput(keep, terminal)
  const folder = stampedFolder(dataFolder)
  if (!isOutput) checkPlace(raw, folder)
  const { onFile, count } = counter(terminal, 'saved')
  const parts = { folder, rules: collections, onFile }
  const problems = isOutput
    ? // A signal ends it at once: it leaves nothing behind.
      await writeArchive({ ...parts, stop: AbortSignal.any([]) }, span, asStream(terminal))
    : await interruptible(terminal, 'no archive was written', async (stop) =>
        toFile(await targetOf(raw, keep, began), began, (output) =>
          writeArchive({ ...parts, stop }, span, output),
        ),
      )
  await terminal.written()
  // An archive with something left out is no reason to remove a whole one.
  if (keep !== undefined && problems.length === 0) await keepNewest(raw, keep, began)
  for (const { path, problem } of problems) await terminal.printError(`left out  ${path}: ${problem}`)
  terminal.printError(
    `${plural(count() - problems.length, 'file')} of ${folder} saved, ${problems.length} left out`,
  )
  return problems.length === 0 ? 0 : 1
}
