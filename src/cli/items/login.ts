import { checkKey } from '../client/check-key.ts'
import { Failure, wrongUsage } from '../client/failures.ts'
import { keySetting, loginFilePath, removeLogin, serverAddress, writeLogin } from '../client/login.ts'
import { readSecret } from '../client/read-secret.ts'
import { settingOf, timeoutOf } from '../client/target.ts'
import type { ClientCommand, Terminal } from '../terminal.ts'

/** The exit code for Ctrl-C. */
const interrupted = 130

/** As `keys add` makes it. `KEY` may be the variable of another program, whose secret must not be sent. */
const ownKey = /^sc_[0-9A-Za-z]{32}$/

type GivenKey = { key: string; from?: string }

/**
 * The key: piped in, or in a variable, or typed at a terminal. Not a flag, which the process list shows.
 * @returns `undefined` if the user broke off. @throws {Failure}
 */
const readKey = async (server: string, terminal: Terminal): Promise<GivenKey | undefined> => {
  const { env, readFile, prompt, endPrompt } = terminal
  const stdin = terminal.stdin()
  const ask = () => prompt(`API key for ${server} (not shown): `)
  const typed = () => readSecret(stdin, { ask, answered: endPrompt })
  const piped = stdin.isTTY ? '' : await typed()
  if (piped) return { key: piped }
  const key = settingOf(keySetting, { flags: {}, env, readFile })
  if (key !== undefined) return { key, from: keySetting.variable }
  if (env.KEY !== undefined && ownKey.test(env.KEY)) return { key: env.KEY, from: 'KEY' }
  if (!stdin.isTTY)
    throw wrongUsage('no API key: type it at a terminal, pipe it in, or put it into SHORTCRUST_KEY')
  const answer = await typed()
  return answer === undefined ? undefined : { key: answer }
}

/** Checks a key and stores it. The stored login is only replaced by a valid one. */
export const login: ClientCommand = async ([raw = ''], flags, terminal) => {
  const server = serverAddress(raw)
  if (!server) throw wrongUsage(`expected an http:// or https:// address, not "${raw}"`)
  const patience = timeoutOf(flags.timeout)
  const given = await readKey(server, terminal)
  if (given === undefined) {
    terminal.printError('shortcrust: broken off; nothing was changed')
    return interrupted
  }
  const { key, from } = given
  const name = await checkKey({ server, key, ...patience }).catch((error) => {
    // Somebody who forgot the variable wonders why nothing was asked.
    throw from !== undefined && error instanceof Failure && error.exitCode === 3
      ? new Failure(`the key in ${from}: ${error.message}`, 3, error.reply)
      : error
  })
  const path = loginFilePath(terminal)
  await writeLogin(path, { server, key })
  const source = from === undefined ? '' : ` from ${from}`
  terminal.printError(`logged in to ${server} with the key "${name}"${source}, kept in ${path}`)
  return 0
}

/** Forgets the stored login; the key itself stays valid. */
export const logout: ClientCommand = async (_, __, terminal) => {
  const path = loginFilePath(terminal)
  const isRemoved = await removeLogin(path)
  terminal.printError(isRemoved ? `logged out: removed ${path}` : `there was no login in ${path}`)
  return 0
}
