import type { Failure } from '../client/failures.ts'
import { loginFilePath, readLogin } from '../client/login-file.ts'
import { findTarget, type Login, timeoutOf } from '../input/settings.ts'
import type { ClientFlags, Terminal } from '../terminal.ts'

export type Target = Login & { timeoutMs: number }

/** The server to talk to, its key, and how patient to be. */
export const targetOf = async (flags: ClientFlags, terminal: Terminal): Promise<Target | Failure> => {
  const patience = timeoutOf(flags.timeout)
  if ('problem' in patience) return patience
  const { server, key } = flags
  const { env, readFile } = terminal
  const target = await findTarget({ flags: { server, key }, env, readFile }, () =>
    readLogin(loginFilePath(terminal)),
  )
  return 'problem' in target ? target : { ...target, ...patience }
}

/** The optional fields of a creation that flags name. */
export const optionsOf = ({
  'expires-in': expiresIn,
  alias,
}: ClientFlags): Readonly<Record<string, string>> => ({
  ...(expiresIn !== undefined && { expiresIn }),
  ...(alias !== undefined && { alias }),
})

/** Says what went wrong. @returns the exit code */
export const report = ({ problem, exitCode }: Failure, terminal: Terminal) => {
  terminal.printError(`shortcrust: ${problem}`)
  return exitCode
}
