import type { ReadStream } from 'node:tty'
import { version } from '../../package.json' with { type: 'json' }
import { asSentence } from '../format.ts'
import type { SpawnChild } from '../highlight/highlighter.ts'
import type { Ids } from '../items/ids.ts'
import type { LogSink } from '../log.ts'
import { jsonLine, type Output, type OutputName, withoutControls } from '../output.ts'
import type { Config, Environment } from '../settings/config.ts'
import { ownCommit } from './server/commit.ts' with { type: 'macro' }

/** The signals that a command can heed before it ends. */
export type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP'

/** Everything outside that a command may use; created once, in `main.ts`. */
export type Terminal = Lines & {
  /** Writes log lines to standard error. */
  logSink: LogSink
  /** Resolves when all is written, or cannot be. */
  drained: () => Promise<void>
  /** Drops unread output; the exit code then reports it. */
  giveUp: () => void
  /** True if standard error is a terminal. */
  isWatched: boolean
  /** True if standard output is a terminal. */
  isTerminal: boolean
  /** Width of the terminal at standard output; `undefined` if there is none, or if it does not say. */
  columns: number | undefined
  /** Opened at the first use. */
  stdin: () => ReadStream
  /** Text of a file. @throws the error of the system call */
  readFile: (path: string) => string
  env: Environment
  /** The user's home folder. */
  home: () => string
  /** Operating system, as Node.js names it. */
  platform: string
  /** Opens a file in a program that the user named, at this terminal. @returns its exit code */
  openWith: (program: string, file: string) => Promise<number>
  /** Resolves with the first signal that stops a server. A second after it, another one ends the process. */
  stopSignal: () => Promise<StopSignal>
  /** Resolves with the first of these signals. They no longer end the process. */
  firstSignal: (names: readonly StopSignal[]) => Promise<StopSignal>
  spawnChild: SpawnChild
  ids: Ids
  sleep: (milliseconds: number) => Promise<unknown>
  /** Milliseconds since the epoch. */
  now: () => number
  /** A clock that never goes back, in milliseconds. */
  monotonic: () => number
}

/** Flags of `keys add` and `keys set`, unparsed. */
export type KeyFlags = { expires?: string; rate?: string; only?: string; admin?: string; create?: boolean }

/** Flags of server commands, apart from settings. */
export type ServerFlags = KeyFlags & {
  url?: string
  since?: string
  keep?: string
  merge?: boolean
  update?: boolean
}

/** Runs a sub-command of the server. @returns the exit code */
export type Command = (
  words: readonly string[],
  config: Config,
  terminal: Terminal,
  flags: ServerFlags,
) => Promise<number>

/** Flags of the client commands, unparsed. */
export type OwnClientFlags = {
  server?: string
  key?: string
  timeout?: string
  'no-wait'?: boolean
  limit?: string
  all?: boolean
  search?: string
  since?: string
  sort?: string
  write?: boolean
  output?: string
  copy?: boolean
  tee?: boolean
  mask?: boolean
  unmask?: string
  'dry-run'?: boolean
  version?: string
  lines?: string
  grep?: string
  from?: string
  data?: string
  json?: boolean
}

/** With the flags for the fields of a new item. */
export type ClientFlags = OwnClientFlags & Readonly<Record<string, string | boolean | undefined>>

/** Runs a sub-command without server settings. @returns the exit code */
export type ClientCommand = (
  words: readonly string[],
  flags: ClientFlags,
  terminal: Terminal,
) => Promise<number>

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBADF: 'it is closed',
  EDQUOT: 'your share of the disk is used up',
  EEXIST: 'a file has this name',
  EFBIG: 'the file would be too large',
  EIO: 'the device failed',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of its path is a file, not a folder',
  EPERM: 'permission denied',
  EPIPE: 'its reader has gone',
  EROFS: 'the disk is read-only',
}

/** Why a system call failed, in words. */
export const reasonOf = ({ code = '', message }: NodeJS.ErrnoException) =>
  Object.hasOwn(reasons, code) ? `${reasons[code]} (${code})` : message

const isFull = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What to do before trying again. */
export const remedyOf = ({ code = '' }: NodeJS.ErrnoException) =>
  isFull.has(code) ? 'free some space and try again' : 'write to another place'

/** The file, if there is one, and why it could not be used. */
export const systemProblem = (error: NodeJS.ErrnoException) =>
  [error.path, reasonOf(error)].filter((part) => part !== undefined && part !== '').join(': ')

/**
 * How a command prints. Control characters never reach a terminal. A loop awaits each line, so little is buffered for a slow
 * reader; the promise rejects if the output fails, which ends the loop.
 */
export type Lines = {
  /** One line on standard output. */
  print: (line: string) => Promise<void>
  /** One line of JSON on standard output, with control characters escaped. */
  printJson: (value: unknown) => Promise<void>
  /** Bytes on standard output, unchanged. */
  printBytes: (bytes: Uint8Array) => Promise<void>
  /** One line on standard error; a sentence if it begins with the name of the program, as errors do. */
  printError: (line: string) => Promise<void>
  /** A prompt on standard error, without a line end. */
  prompt: (text: string) => void
  /** Ends the line of a prompt with a hidden answer. */
  endPrompt: () => void
  /** Puts a text on the clipboard by OSC 52, which many terminals know. @returns false unless standard error is a terminal */
  copyText: (text: string) => boolean
  /** Replaces the progress line; does nothing unless standard error is a terminal. */
  progress: (text: string) => void
  /** Resolves when everything is written. @throws if standard output failed */
  written: () => Promise<void>
  /** Resolves when everything is written. @throws if standard error failed */
  told: () => Promise<void>
  /**
   * Reports once that standard output failed, and the consequence. If its reader is gone, it reports only a consequence.
   * @returns true if it failed
   */
  tellUnwritten: (consequence?: string) => boolean
}

/** `1 file`, `2 files` */
export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Goes to the start of the line and erases it, with the progress on it. */
const wipe = '\r\x1b[K'

/** Most characters that may wait for a terminal when progress is added: the hundred percents of one text fit. */
const mostProgress = 16 * 1024

/** @param isWatched true if standard error is a terminal */
export const createLines = (output: Output, isWatched: boolean): Lines => {
  const { put, room, flushed, waiting, failureOf } = output
  /** The progress on the terminal, empty if there is none. */
  let shown = ''
  let isTold = false

  const printTo = (name: OutputName, data: string | Uint8Array) => {
    put(name, data)
    const free = room(name)
    // Callers that print a line or two need not await it; the exit code reports the failure.
    free.catch(() => {})
    return free
  }
  const wipeProgress = () => {
    if (shown !== '') put('standard error', wipe)
    shown = ''
  }
  const printLine = (line: string) => {
    wipeProgress()
    return printTo('standard output', `${line}\n`)
  }
  const printError = (line: string) => {
    wipeProgress()
    const words = line.startsWith('shortcrust: ') ? asSentence(line) : line
    return printTo('standard error', `${withoutControls(words)}\n`)
  }

  return {
    print: (line) => printLine(withoutControls(line)),
    printJson: (value) => printLine(jsonLine(value)),
    printBytes: (bytes) => printTo('standard output', bytes),
    printError,
    prompt: (text) => put('standard error', withoutControls(text)),
    endPrompt: () => put('standard error', '\n'),
    copyText: (text) => {
      if (isWatched) put('standard error', `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`)
      return isWatched
    },
    progress: (text) => {
      if (!isWatched || text === shown) return
      // A blocked terminal skips progress.
      if (text !== '' && waiting() > mostProgress) return
      put('standard error', wipe + withoutControls(text))
      shown = text
    },
    written: () => flushed('standard output'),
    told: () => flushed('standard error'),
    tellUnwritten: (consequence) => {
      const failure = failureOf('standard output')
      if (failure && !isTold && (failure.code !== 'EPIPE' || consequence !== undefined)) {
        const follows = consequence ?? remedyOf(failure)
        printError(`shortcrust: cannot write to standard output: ${reasonOf(failure)}; ${follows}`)
      }
      isTold ||= failure !== undefined
      return failure !== undefined
    },
  }
}

/** The output of `--version`. */
export const versionLine = () => `shortcrust ${version} (commit ${ownCommit()}, Bun ${Bun.version})`
