import type { ReadStream } from 'node:tty'
import type { SpawnChild } from '../highlight/child/protocol.ts'
import type { Ids } from '../items/ids.ts'
import type { LogSink } from '../log-sink.ts'
import type { Config } from '../settings/config.ts'
import type { Environment } from '../settings/sources.ts'
import type { Lines } from './lines.ts'

/** What a command may use of the world; made once, in `main.ts`. */
export type Terminal = Lines & {
  /** What the log writes, on standard error. */
  logSink: LogSink
  /** Resolves when all was written, or cannot be. */
  drained: () => Promise<void>
  /** Drops what nobody has read; the exit code tells. */
  giveUp: () => void
  /** Whether standard error is a terminal. */
  isWatched: boolean
  /** Columns of the terminal that standard output is; `undefined` where it is none. */
  columns: number | undefined
  /** Opened only when asked for. */
  stdin: () => ReadStream
  /** Text of a file. @throws the error of the system call */
  readFile: (path: string) => string
  env: Environment
  /** The user's folder. */
  home: () => string
  /** Operating system, as Node.js names it. */
  platform: string
  /** Resolves with the name of the first signal that asks the process to stop. */
  stopSignal: () => Promise<string>
  spawnChild: SpawnChild
  ids: Ids
  /** Milliseconds since the epoch. */
  now: () => number
  /** Milliseconds of a clock that never goes back. */
  monotonic: () => number
}

/** Flags of `keys add`, as they were given. */
export type KeyFlags = { expires?: string; rate?: string; only?: string; create?: boolean }

/** Runs one sub-command of the server. @returns the exit code */
export type Command = (
  words: readonly string[],
  config: Config,
  terminal: Terminal,
  flags: KeyFlags,
) => Promise<number>

/** Flags of the commands that are clients of a server, as they were given. */
export type OwnClientFlags = {
  server?: string
  key?: string
  timeout?: string
  limit?: string
  write?: boolean
  json?: boolean
}

/** The same, and those that fill in the fields of a new item. */
export type ClientFlags = OwnClientFlags & Readonly<Record<string, string | boolean | undefined>>

/** Runs one sub-command that needs no settings of a server. @returns the exit code */
export type ClientCommand = (
  words: readonly string[],
  flags: ClientFlags,
  terminal: Terminal,
) => Promise<number>
