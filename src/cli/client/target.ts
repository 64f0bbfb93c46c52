import { givenValue, type Setting, type Sources } from '../../settings/config.ts'
import { parseSeconds } from '../../settings/values.ts'
import { shellWord } from '../../shell-words.ts'
import type { ClientFlags, Terminal } from '../terminal.ts'
import { Failure, wrongUsage } from './failures.ts'
import { keySetting, type Login, loginFilePath, readLogin, serverSetting } from './login.ts'

/** The server, the key, and how long a connection may be idle. */
export type Target = Login & { timeoutMs: number }

/** The same for a creation: a server may take those of its own network without a key. */
export type CreationTarget = Omit<Target, 'key'> & Partial<Pick<Target, 'key'>>

/** @param says why the server asks for a key, if it was asked */
export const noKey = (server: string, says?: string) =>
  wrongUsage(
    `no API key is known for ${server}: run shortcrust login ${shellWord(server)} once, or set SHORTCRUST_KEY` +
      (says === undefined ? '' : `; the server says: ${says}`),
  )

/** A setting from flag, variable or the variable's file; error messages contain no key. @throws {Failure} */
export const settingOf = (setting: Setting<string | undefined>, sources: Sources) => {
  let place = ''
  try {
    const [source, raw] = givenValue(setting, sources)
    // An empty variable counts as unset. An empty flag is an error: probably a shell variable was not set.
    if (raw === '' && source.startsWith('--')) throw wrongUsage(`${source} is empty`)
    place = `${source}: expected `
    return setting.parse(raw)
  } catch (error) {
    throw error instanceof Failure ? error : wrongUsage(`${place}${(error as Error).message}`)
  }
}

/** How long a connection may be idle before the request fails. @throws {Failure} */
export const timeoutOf = (raw = '30'): Pick<Target, 'timeoutMs'> => {
  try {
    return { timeoutMs: parseSeconds(raw) * 1000 }
  } catch (error) {
    throw wrongUsage(`--timeout: expected ${(error as Error).message}, not "${raw}"`)
  }
}

/** Server and key: from flag, then variable, then the stored login. A stored key is only sent to its own server. */
const findLogin = async (sources: Sources, readKept: () => Promise<Login | undefined>) => {
  const given = { server: settingOf(serverSetting, sources), key: settingOf(keySetting, sources) }
  const kept = given.server && given.key ? undefined : await readKept()
  const server = given.server ?? kept?.server
  if (!server)
    throw wrongUsage(
      'no server is known: run shortcrust login SERVER once, or give --server or SHORTCRUST_SERVER',
    )
  const key = given.key ?? (server === kept?.server ? kept.key : undefined)
  return { server, ...(key && { key }) }
}

/** The server for a creation, and the key if one is known. @throws {Failure} */
export const creationTargetOf = async (flags: ClientFlags, terminal: Terminal): Promise<CreationTarget> => {
  const { server, key } = flags
  const { env, readFile } = terminal
  const patience = timeoutOf(flags.timeout)
  const sources = { flags: { server, key }, env, readFile }
  return { ...(await findLogin(sources, () => readLogin(loginFilePath(terminal)))), ...patience }
}

/** The server and the key for a command. @throws {Failure} */
export const targetOf = async (flags: ClientFlags, terminal: Terminal): Promise<Target> => {
  const { key, ...rest } = await creationTargetOf(flags, terminal)
  if (key === undefined) throw noKey(rest.server)
  return { ...rest, key }
}
