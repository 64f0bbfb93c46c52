import { jsonLine, withoutControls } from '../control-characters.ts'
import type { Output } from '../output.ts'
import { reasonOf, remedyOf } from './system-errors.ts'

/**
 * How a command prints. No text brings control characters to a terminal. Whoever prints in a loop awaits each line, so that
 * little waits for a slow reader; the promise rejects when the output has failed, and the work ends there.
 */
export type Lines = {
  /** One line on standard output. */
  print: (line: string) => Promise<void>
  /** One line of JSON on standard output, with control characters escaped. */
  printJson: (value: unknown) => Promise<void>
  /** Bytes on standard output, as they are. */
  printBytes: (bytes: Uint8Array) => Promise<void>
  /** One line on standard error. */
  printError: (line: string) => Promise<void>
  /** Text on standard error behind which somebody types. */
  prompt: (text: string) => void
  /** Ends the line of a prompt whose answer was not shown. */
  endPrompt: () => void
  /** How far a long work is, in place of what it was; nothing where standard error is no terminal. */
  progress: (text: string) => void
  /** Resolves when everything was written. @throws when standard output has failed */
  written: () => Promise<void>
  /**
   * Says, once, that standard output cannot be written, and what follows from it. A reader that has gone wants to hear
   * nothing, unless something follows.
   * @returns whether it has failed
   */
  tellUnwritten: (consequence?: string) => boolean
}

/** Back to the start of the line and wipe it: what stands there is how far a work was. */
const wipe = '\r\x1b[K'

/** So many characters of progress may wait for a terminal. */
const mostProgress = 4096

/** @param isWatched whether standard error is a terminal */
export const createLines = (
  { put, room, flushed, waiting, failureOf }: Output,
  isWatched: boolean,
): Lines => {
  let hasProgress = false
  let isTold = false

  const roomFor = (name: Parameters<Output['room']>[0]) => {
    const free = room(name)
    // Who prints a line or two need not wait; the exit code tells of the failure.
    free.catch(() => {})
    return free
  }
  const wipeProgress = () => {
    if (hasProgress) put('standard error', wipe)
    hasProgress = false
  }
  const printLine = (line: string) => {
    wipeProgress()
    put('standard output', `${line}\n`)
    return roomFor('standard output')
  }
  const printError = (line: string) => {
    wipeProgress()
    put('standard error', `${withoutControls(line)}\n`)
    return roomFor('standard error')
  }

  return {
    print: (line) => printLine(withoutControls(line)),
    printJson: (value) => printLine(jsonLine(value)),
    printBytes: (bytes) => {
      put('standard output', bytes)
      return roomFor('standard output')
    },
    printError,
    prompt: (text) => put('standard error', withoutControls(text)),
    endPrompt: () => put('standard error', '\n'),
    progress: (text) => {
      if (!isWatched || (text === '' && !hasProgress)) return
      // A terminal that stands still is not told how far the work was meanwhile.
      if (text !== '' && waiting() > mostProgress) return
      put('standard error', wipe + withoutControls(text))
      hasProgress = text !== ''
    },
    written: () => flushed('standard output'),
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
