import type { Config } from '../config.ts'
import type { SpawnChild } from '../highlight/protocol.ts'
import type { Ids } from '../services/ids.ts'

/** What a command may use of the world; made once, in `main.ts`. */
export type Terminal = {
  /** One line on standard output. */
  print: (line: string) => void
  /** One line on standard error. */
  printError: (line: string) => void
  /** Raw text on standard error. */
  writeError: (text: string) => void
  /** How far a long work is, in place of what it was; nothing where standard error is no terminal. */
  progress: (text: string) => void
  /** Resolves with the name of the first signal that asks the process to stop. */
  stopSignal: () => Promise<string>
  spawnChild: SpawnChild
  ids: Ids
  /** Milliseconds since the epoch. */
  now: () => number
  /** Milliseconds of a clock that never goes back. */
  monotonic: () => number
}

/** Runs one sub-command. @returns the exit code */
export type Command = (words: readonly string[], config: Config, terminal: Terminal) => Promise<number>
