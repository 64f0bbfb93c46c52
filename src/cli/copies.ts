import { createReadStream, existsSync, statSync } from 'node:fs'
import { mkdir, open, readdir, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { isSystemError, unusableFolder } from '../errors.ts'
import { parseSince, secondsText } from '../items/durations.ts'
import { collections } from '../services/items.ts'
import type { Config } from '../settings/config.ts'
import { shownStore } from '../settings/values.ts'
import { existsNow, syncFolder } from '../store/disk.ts'
import { type Problem, packFiles, restoreArchive, type Span, writeArchive } from '../store/folder/archive.ts'
import { isWithin, stampedFolder } from '../store/folder/data-folder.ts'
import { mergeArchive, mirrorFolder } from '../store/folder/standby.ts'
import { isAbandoned, openPartial, partialOf } from './client/files.ts'
import { type ExitCode, Failure, wrongUsage } from './client/send.ts'
import type { Command, ServerFlags, StopSignal, Terminal } from './terminal.ts'
import { plural, reasonOf, remedyOf } from './terminal.ts'

/** The error of a system call as a message: what could not be done, why, and what to do. Other errors stay as they are. */
const cannot = (what: string, error: unknown) =>
  isSystemError(error) ? unusableFolder(`cannot ${what}: ${reasonOf(error)}; ${remedyOf(error)}`) : error

/** Counts files, and shows the number while it grows. */
const counter = (terminal: Terminal, verb: string) => {
  let files = 0
  return { onFile: () => terminal.progress(`${verb} ${plural(++files, 'file')}`), count: () => files }
}

/** Their numbers, and the exit codes that shells give to a program that they ended. */
const signals: Readonly<Record<StopSignal, { number: number; exitCode: ExitCode }>> = {
  SIGHUP: { number: 1, exitCode: 129 },
  SIGINT: { number: 2, exitCode: 130 },
  SIGTERM: { number: 15, exitCode: 143 },
}

/** The mask of the signals that this process should ignore; `undefined` where the system does not say. */
const ignoredMask = ({ readFile }: Terminal) => {
  try {
    return BigInt(`0x${/^SigIgn:\s{0,9}([0-9a-f]{1,16})$/m.exec(readFile('/proc/self/status'))?.[1] ?? 0}`)
  } catch {
    return undefined
  }
}

/** Those that would end the process. A handler would undo `nohup`, so where that is unknown, a hangup gets none. */
const endingSignals = (terminal: Terminal) => {
  const mask = ignoredMask(terminal)
  return (Object.keys(signals) as StopSignal[]).filter((name) =>
    mask === undefined ? name !== 'SIGHUP' : (mask & (1n << BigInt(signals[name].number - 1))) === 0n,
  )
}

/**
 * Does work that removes what it has not finished when it is stopped, however often. Work that cannot stop any more ends as if
 * nothing had come.
 * @param outcome says what a stop means, for the message
 */
const interruptible = async <T>(
  terminal: Terminal,
  outcome: string,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  let stoppedBy: StopSignal | undefined
  terminal.firstSignal(endingSignals(terminal)).then((signal) => {
    stoppedBy = signal
    controller.abort(new Error('stopped'))
  })
  try {
    return await work(controller.signal)
  } catch (error) {
    if (stoppedBy === undefined) throw error
    throw new Failure(`stopped by ${stoppedBy}; ${outcome}`, signals[stoppedBy].exitCode)
  }
}

/** A name that sorts by time, such as `shortcrust-2026-11-23T14-05-00Z.tgz`. */
const archiveName = (now: number) => `shortcrust-${secondsText(now).replaceAll(':', '-')}.tgz`
const isArchive = (name: string) => /^shortcrust-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tgz$/.test(name)

const isPartial = (name: string) => isArchive(partialOf(name) ?? '')

/**
 * Removes the oldest archives, and what killed backups left, those of this command alone. Archives of a time to come stay
 * and do not count: where the clock was wrong once, each new archive would be the oldest.
 * @param now of the newest archive, in milliseconds
 */
const keepNewest = async (folder: string, most: number, now: number) => {
  const names = (await readdir(folder)).sort()
  const old = names.filter((name) => isArchive(name) && name <= archiveName(now)).slice(0, -most)
  const left = names.filter((name) => isPartial(name) && isAbandoned(join(folder, name), now))
  for (const name of [...old, ...left]) await unlink(join(folder, name))
  await syncFolder(folder)
}

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
    throw wrongUsage('--keep needs a folder instead of -, as in: shortcrust backup --keep 7 backups')
  if (isTerminal)
    throw wrongUsage(
      'a backup is not for a terminal: name a file, or send it on, as in: shortcrust backup - > backup.tgz',
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
    throw cannot(`keep backups in ${raw}`, error)
  })
  return join(raw, archiveName(now))
}

/** Where everything is, for people, and what writes it to an archive. @param raw where the archive goes */
const sourceOf = ({ dataFolder, store }: Config, raw: string, onFile: () => void, span: Span) => {
  const parts = { rules: collections, onFile }
  if (store === undefined) {
    const folder = stampedFolder(dataFolder)
    if (raw !== '-') checkPlace(raw, folder)
    const write = (stop: AbortSignal, output: Writable) =>
      writeArchive({ ...parts, folder, stop }, span, output)
    return { where: folder, write }
  }
  if (span.since !== undefined)
    throw wrongUsage('--since saves a part of a data folder; a database is saved as a whole')
  const write = async (stop: AbortSignal, output: Writable) => {
    const { readDatabase } = await import('../store/postgres/archive.ts')
    const problems: Problem[] = []
    await readDatabase(store, collections, async (files) => {
      problems.push(...(await packFiles({ files, onFile, stop }, span, output)))
    })
    return problems
  }
  return { where: shownStore(store), write }
}

/** Writes everything, also of a running server, to a compressed archive. @returns 1 if something was left out */
export const backup: Command = async ([raw = ''], config, terminal, flags) => {
  const began = terminal.now()
  const keep = flags.keep === undefined ? undefined : keptOf(flags.keep)
  const span = spanOf(flags, began)
  const isOutput = raw === '-'
  if (isOutput) checkOutput(keep, terminal)
  const { onFile, count } = counter(terminal, 'saved')
  const { where, write } = sourceOf(config, raw, onFile, span)
  const problems = isOutput
    ? // A signal ends it at once: it leaves nothing behind.
      await write(AbortSignal.any([]), asStream(terminal))
    : await interruptible(terminal, 'no backup was written', async (stop) =>
        toFile(await targetOf(raw, keep, began), began, (output) => write(stop, output)),
      )
  await terminal.written()
  // An archive with something left out is no reason to remove a whole one.
  if (keep !== undefined && problems.length === 0) await keepNewest(raw, keep, began)
  for (const { path, problem } of problems) await terminal.printError(`left out  ${path}: ${problem}`)
  terminal.printError(
    `${plural(count() - problems.length, 'file')} of ${where} saved, ${problems.length} left out`,
  )
  return problems.length === 0 ? 0 : 1
}

const checkArchive = (archive: string) => {
  if (!existsNow(archive)) throw unusableFolder(`there is no file ${archive}`)
  if (statSync(archive).isDirectory())
    throw unusableFolder(`${archive} is a folder; name a backup, such as one in it`)
}

/** Not `Bun.file`, which cannot read devices and named pipes. */
const streamOf = (archive: string) =>
  archive === '-' ? Readable.from(Bun.stdin.stream()) : createReadStream(archive)

const unpack = async (archive: string, where: string, into: (archive: Readable) => Promise<void>) => {
  try {
    await into(streamOf(archive))
  } catch (error) {
    if (isSystemError(error) && (error.path === archive || error.syscall === 'read'))
      throw unusableFolder(`cannot read ${archive}: ${reasonOf(error)}; nothing was restored`)
    throw cannot(`restore into ${where}`, error)
  }
}

/** Where a restore goes, for people, and what fills it. */
const targetOfRestore = ({ dataFolder, store }: Config, isMerge: boolean, onFile: () => void) => {
  const parts = { rules: collections, onFile }
  if (store === undefined) {
    const place = isMerge ? mergeArchive : restoreArchive
    const into = (stop: AbortSignal) => (archive: Readable) =>
      place({ ...parts, folder: dataFolder, stop }, archive)
    return { where: resolve(dataFolder), into }
  }
  if (isMerge) throw wrongUsage('--merge updates a copy of a data folder; a database is restored as a whole')
  const into = (stop: AbortSignal) => async (archive: Readable) => {
    const { restoreDatabase } = await import('../store/postgres/archive.ts')
    await restoreDatabase(store, { ...parts, stop }, archive)
  }
  return { where: shownStore(store), into }
}

/** Fills a new data folder or database from an archive; with `--merge`, brings a copy of a folder up to date. */
export const restore: Command = async ([archive = ''], config, terminal, { merge = false }) => {
  if (archive !== '-') checkArchive(archive)
  const { onFile, count } = counter(terminal, 'restored')
  const { where, into } = targetOfRestore(config, merge, onFile)
  await interruptible(terminal, 'nothing was restored', (stop) => unpack(archive, where, into(stop)))
  terminal.printError(`${plural(count(), 'file')} restored into ${where}`)
  return 0
}

/** Brings the copy of a data folder up to date. @returns 1 if the source has damaged or foreign files */
export const mirror: Command = async ([source = '', target = ''], _, terminal, { update = false }) => {
  const folder = stampedFolder(source, 'give the data folder of a server as SOURCE')
  const begin = terminal.monotonic()
  let files = 0
  const onFile = () => terminal.progress(`looked at ${plural(++files, 'file')}`)
  const { copied, removed, problems } = await interruptible(terminal, 'the next pass goes on', (stop) =>
    mirrorFolder({ folder, rules: collections, onFile, stop }, target, update),
  ).catch((error) => {
    // An error that names a file of the source is about that; all others are about the copy.
    if (isSystemError(error) && `${error.path}/`.startsWith(`${folder}/`)) throw error
    throw cannot(`write the copy ${resolve(target)}`, error)
  })
  const seconds = ((terminal.monotonic() - begin) / 1000).toFixed(1)
  for (const { path, problem } of problems) await terminal.printError(`left as it was  ${path}: ${problem}`)
  const done = `${copied} copied, ${removed} removed, ${problems.length} left as they were`
  terminal.printError(`${plural(files, 'file')} of ${folder}: ${done}, in ${seconds} s`)
  return problems.length === 0 ? 0 : 1
}
