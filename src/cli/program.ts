import { readFileSync, write } from 'node:fs'
import { homedir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty, type ReadStream } from 'node:tty'
import { AppError, isSystemError, unusableFolder } from '../errors.ts'
import { spawnSelf } from '../highlight/highlighter.ts'
import { createIds } from '../items/ids.ts'
import { createLogSink } from '../log.ts'
import { createOutput, type Output } from '../output.ts'
import type { Environment } from '../settings/config.ts'
import { Failure } from './client/send.ts'
import {
  createLines,
  type Lines,
  type StopSignal,
  systemProblem,
  type Terminal,
  versionLine,
} from './terminal.ts'

export type ProgramParts = Pick<Terminal, 'env' | 'now' | 'monotonic'> & {
  /** The arguments after the name of the program. */
  args: readonly string[]
  /** The module with which the highlighting child starts. */
  mainModule: string
}

const readFile = (path: string) => readFileSync(path, 'utf8')

const usageError = (problems: readonly string[], { printError }: Terminal) => {
  for (const problem of problems) printError(`shortcrust: ${problem}`)
  return 2
}

const printHelp = async (name: string | undefined, { print, columns }: Terminal) => {
  const { commandHelp, help } = await import('./help.ts')
  for (const line of (name === undefined ? help(columns) : commandHelp(name, columns)).split('\n'))
    print(line)
  return 0
}

const run = async (args: readonly string[], terminal: Terminal): Promise<number> => {
  const { completionsOf, isServer, readArguments } = await import('./arguments.ts')
  if (args[0] === '__complete') {
    const lines = await completionsOf(args.slice(1))
    terminal.printBytes(Buffer.from(lines.map((line) => `${line}\n`).join('')))
    return 0
  }
  const asked = readArguments(args)
  if (asked.what === 'nothing') return usageError([asked.problem], terminal)
  if (asked.what === 'help') return printHelp(asked.command, terminal)
  if (asked.what === 'version') {
    terminal.print(versionLine())
    return 0
  }
  const { entry, words, flags } = asked
  // The executable starts without optimising. The server goes on so until it listens.
  if (!isServer(entry)) Bun.unsafe.setJITPolicy(1)
  if (entry.flags) return (await entry.load())(words, flags, terminal)
  const { readConfig } = await import('../settings/config.ts')
  const result = readConfig({ flags: flags as Environment, env: terminal.env, readFile })
  if ('problems' in result) return usageError(result.problems, terminal)
  const { notOfStore } = entry
  if (notOfStore !== undefined && result.config.store !== undefined)
    throw unusableFolder(`${notOfStore}; unset SHORTCRUST_STORE to use a folder`)
  return (await entry.load())(words, result.config, terminal, flags)
}

/** The program may have arguments, as in `code --wait`, so a shell reads it. */
const openWith = (program: string, file: string) => {
  const words =
    process.platform === 'win32'
      ? ['cmd', '/c', `${program} "${file}"`]
      : ['sh', '-c', `${program} "$1"`, 'sh', file]
  return Bun.spawn(words, { stdio: ['inherit', 'inherit', 'inherit'] }).exited
}

/** A terminal or a supervisor may send the same signal to a process twice, at once. */
const sameSignalMs = 1000

/** The first of these signals; later ones do nothing. */
const firstSignal = (names: readonly StopSignal[]) =>
  new Promise<StopSignal>((resolve) => {
    for (const signal of names) process.on(signal, () => resolve(signal))
  })

/** The first signal to stop. A later one, after a second, ends the process at once. */
const firstStopSignal = (monotonic: () => number) =>
  new Promise<StopSignal>((resolve) => {
    let firstAt: number | undefined
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const onSignal = () => {
        firstAt ??= monotonic()
        resolve(signal)
        if (monotonic() - firstAt < sameSignalMs) return
        process.off(signal, onSignal)
        process.kill(process.pid, signal)
      }
      process.on(signal, onSignal)
    }
  })

/** Runs a command to its end. @returns its exit code */
export const runProgram = ({ args, mainModule, ...given }: ProgramParts): Promise<number> => {
  const output = createOutput({
    'standard output': (bytes, done) => write(1, bytes, done),
    'standard error': (bytes, done) => write(2, bytes, done),
  })
  const [isTerminal, isWatched] = [isatty(1), isatty(2)]
  const lines = createLines(output, isWatched)
  const terminal: Terminal = {
    ...lines,
    ...given,
    logSink: createLogSink(output),
    drained: () => output.flushed('standard error').catch(() => {}),
    giveUp: output.giveUp,
    isTerminal,
    isWatched,
    // A serial line has 0 columns.
    columns: (isTerminal && process.stdout.columns) || undefined,
    stdin: () => process.stdin as ReadStream,
    readFile,
    home: homedir,
    platform: process.platform,
    openWith,
    stopSignal: () => firstStopSignal(given.monotonic),
    firstSignal,
    spawnChild: spawnSelf(mainModule),
    sleep,
    ids: createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
  }
  return exitCodeOf(run(args, terminal), output, lines)
}

/** The exit code of a shell for a program that SIGPIPE ended. */
const readerGone = 141

const outputs = ['standard output', 'standard error'] as const

/** Waits for a command and for the readers of its output. @returns the exit code: not 0 unless all was written */
export const exitCodeOf = async (command: Promise<number>, output: Output, lines: Lines) => {
  const failures = () => outputs.flatMap((name) => output.failureOf(name) ?? [])
  const codeOfError = (error: unknown) => {
    if (failures().includes(error as Error)) return 0
    if (error instanceof Failure) {
      lines.printError(`shortcrust: ${error.message}`)
      return error.exitCode
    }
    if (error instanceof AppError) lines.printError(`shortcrust: ${error.message}`)
    else if (isSystemError(error)) lines.printError(`shortcrust: ${systemProblem(error)}`)
    else throw error
    return 1
  }
  const isWritten = (name: (typeof outputs)[number]) =>
    output.flushed(name).then(
      () => true,
      () => false,
    )
  const settle = async () => {
    if (!(await isWritten('standard output'))) lines.tellUnwritten()
    await isWritten('standard error')
  }
  const code = await command.catch(codeOfError).finally(settle)
  if (code !== 0 || failures().length === 0) return code
  return failures().every((failure) => failure.code === 'EPIPE') ? readerGone : 1
}
