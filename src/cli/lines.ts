import { jsonLine, type Output, type OutputName, withoutControls } from '../output.ts'
import { reasonOf, remedyOf } from './system-errors.ts'

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
  /** One line on standard error. */
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
    return printTo('standard error', `${withoutControls(line)}\n`)
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
