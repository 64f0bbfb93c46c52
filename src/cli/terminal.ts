import type { ReadStream } from 'node:tty'
import type { SpawnChild } from '../highlight/lane.ts'
import type { Ids } from '../items/ids.ts'
import type { LogSink } from '../log.ts'
import type { Config, Environment } from '../settings/config.ts'
import type { Lines } from './lines.ts'

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
