import { checkKey } from '../client/check-key.ts'
import { wrongUsage } from '../client/failures.ts'
import { loginFilePath, removeLogin, serverAddress, writeLogin } from '../client/login.ts'
import { readSecret } from '../client/read-secret.ts'
import { timeoutOf } from '../client/target.ts'
import type { ClientCommand } from '../terminal.ts'

/** The exit code for Ctrl-C. */
const interrupted = 130

/** Asks for a key, checks it and stores it. The stored login is only replaced by a valid one. */
export const login: ClientCommand = async ([raw = ''], flags, terminal) => {
  const server = serverAddress(raw)
  if (!server) throw wrongUsage(`expected an http:// or https:// address, not "${raw}"`)
  const patience = timeoutOf(flags.timeout)
  const key = await readSecret(terminal.stdin(), {
    ask: () => terminal.prompt(`API key for ${server} (not shown): `),
    answered: terminal.endPrompt,
  })
  if (key === undefined) {
    terminal.printError('shortcrust: broken off; nothing was changed')
    return interrupted
  }
  const name = await checkKey({ server, key, ...patience })
  const path = loginFilePath(terminal)
  await writeLogin(path, { server, key })
  terminal.printError(`logged in to ${server} with the key "${name}", kept in ${path}`)
  return 0
}

/** Forgets the stored login; the key itself stays valid. */
export const logout: ClientCommand = async (_, __, terminal) => {
  const path = loginFilePath(terminal)
  const isRemoved = await removeLogin(path)
  terminal.printError(isRemoved ? `logged out: removed ${path}` : `there was no login in ${path}`)
  return 0
}
