import { AppError, isSystemError } from '../errors.ts'
import type { Output } from '../output.ts'
import { Failure } from './client/failures.ts'
import type { Lines } from './lines.ts'
import { systemProblem } from './system-errors.ts'

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
