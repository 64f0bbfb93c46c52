import { givenValue, type Setting, type Sources } from '../../settings/sources.ts'
import { parseAddress, parseApiKey, parseSeconds } from '../../settings/values.ts'
import { shellWord } from '../../shell-words.ts'
import type { Failure } from '../client/failures.ts'

/** A server's address without trailing slash, and a key of it. */
export type Login = { server: string; key: string }

export const serverSetting: Setting<string | undefined> = {
  flag: 'server',
  variable: 'SHORTCRUST_SERVER',
  default: '',
  doc: 'address of the server; that of shortcrust login when not set',
  parse: parseAddress,
}

export const keySetting: Setting<string | undefined> = {
  flag: 'key',
  variable: 'SHORTCRUST_KEY',
  default: '',
  doc: 'API key; the process list shows it, so prefer the variable or shortcrust login',
  parse: parseApiKey,
}

const usage = (problem: string): Failure => ({ problem, exitCode: 2 })

/** A setting by flag, variable or the variable's file; the message repeats no key. @throws {Error} */
const settingOf = (setting: Setting<string | undefined>, sources: Sources) => {
  const [source, raw] = givenValue(setting, sources)
  // An empty variable is as good as none; an empty flag is one whose value got lost on the way.
  if (raw === '' && source.startsWith('--')) throw new Error(`${source} is empty`)
  try {
    return setting.parse(raw)
  } catch (error) {
    throw new Error(`${source}: expected ${(error as Error).message}`)
  }
}

/** The address that somebody typed, as it is kept and compared; `undefined` when it is none. */
export const serverAddress = (raw: string) => {
  try {
    return parseAddress(raw)
  } catch {
    return undefined
  }
}

/**
 * Server and key: flag, then variable, then what `login` kept. A kept key is only ever sent to the server it was kept for.
 * @param readLogin asked only where flags and variables leave something open
 */
export const findTarget = async (
  sources: Sources,
  readLogin: () => Promise<Login | Failure | undefined>,
): Promise<Login | Failure> => {
  let server: string | undefined
  let key: string | undefined
  try {
    server = settingOf(serverSetting, sources)
    key = settingOf(keySetting, sources)
  } catch (error) {
    return usage((error as Error).message)
  }
  if (server && key) return { server, key }
  const login = await readLogin()
  if (login && 'problem' in login) return login
  server ??= login?.server
  if (!server)
    return usage(
      'no server is known: run shortcrust login SERVER once, or give --server or SHORTCRUST_SERVER',
    )
  if (server === login?.server) key ??= login.key
  if (!key)
    return usage(
      `no API key is known for ${server}: run shortcrust login ${shellWord(server)} once, or set SHORTCRUST_KEY`,
    )
  return { server, key }
}

/** How long nothing may move before a request is given up, in milliseconds. */
export const timeoutOf = (raw = '30'): { timeoutMs: number } | Failure => {
  try {
    return { timeoutMs: parseSeconds(raw) * 1000 }
  } catch (error) {
    return usage(`--timeout: expected ${(error as Error).message}, not "${raw}"`)
  }
}
