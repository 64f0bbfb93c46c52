import { checkKey } from '../client/check-key.ts'
import { loginFilePath, writeLogin } from '../client/login-file.ts'
import { readSecret } from '../input/read-secret.ts'
import { serverAddress, timeoutOf } from '../input/settings.ts'
import type { ClientCommand } from '../terminal.ts'
import { report } from './target.ts'

/** Exit code of a program that Ctrl-C ended. */
const interrupted = 130

/** Asks for a key, tries it, and keeps it; what was kept before stays until the new key is known to be good. */
export const login: ClientCommand = async ([raw = ''], flags, terminal) => {
  const server = serverAddress(raw)
  if (!server)
    return report({ problem: `expected an http:// or https:// address, not "${raw}"`, exitCode: 2 }, terminal)
  const patience = timeoutOf(flags.timeout)
  if ('problem' in patience) return report(patience, terminal)
  const key = await readSecret(terminal.stdin(), {
    ask: () => terminal.prompt(`API key for ${server} (not shown): `),
    answered: terminal.endPrompt,
  })
  if (key === undefined) {
    terminal.printError('shortcrust: broken off; nothing was changed')
    return interrupted
  }
  const checked = await checkKey({ server, key, ...patience })
  if ('problem' in checked) return report(checked, terminal)
  const path = loginFilePath(terminal)
  const unwritten = await writeLogin(path, { server, key })
  if (unwritten) return report(unwritten, terminal)
  terminal.printError(`logged in to ${server} with the key "${checked.keyName}", kept in ${path}`)
  return 0
}
