import { givenValue, type Setting, type Sources } from '../../settings/sources.ts'
import { parseSeconds } from '../../settings/values.ts'
import { shellWord } from '../../shell-words.ts'
import type { ClientFlags, Terminal } from '../terminal.ts'
import { Failure, wrongUsage } from './failures.ts'
import { keySetting, type Login, loginFilePath, readLogin, serverSetting } from './login.ts'

/** The server to talk to, its key, and how long nothing may move. */
export type Target = Login & { timeoutMs: number }

/** A setting by flag, variable or the variable's file; the message repeats no key. @throws {Failure} */
const settingOf = (setting: Setting<string | undefined>, sources: Sources) => {
  let place = ''
  try {
    const [source, raw] = givenValue(setting, sources)
    // An empty variable is as good as none; an empty flag is one whose value got lost on the way.
    if (raw === '' && source.startsWith('--')) throw wrongUsage(`${source} is empty`)
    place = `${source}: expected `
    return setting.parse(raw)
  } catch (error) {
    throw error instanceof Failure ? error : wrongUsage(`${place}${(error as Error).message}`)
  }
}

/** How long nothing may move before a request is given up. @throws {Failure} */
export const timeoutOf = (raw = '30'): Pick<Target, 'timeoutMs'> => {
  try {
    return { timeoutMs: parseSeconds(raw) * 1000 }
  } catch (error) {
    throw wrongUsage(`--timeout: expected ${(error as Error).message}, not "${raw}"`)
  }
}

/** Server and key: flag, then variable, then what `login` kept. A kept key is only ever sent to the server it was kept for. */
const findLogin = async (sources: Sources, readKept: () => Promise<Login | undefined>): Promise<Login> => {
  const given = { server: settingOf(serverSetting, sources), key: settingOf(keySetting, sources) }
  const kept = given.server && given.key ? undefined : await readKept()
  const server = given.server ?? kept?.server
  if (!server)
    throw wrongUsage(
      'no server is known: run shortcrust login SERVER once, or give --server or SHORTCRUST_SERVER',
    )
  const key = given.key ?? (server === kept?.server ? kept.key : undefined)
  if (!key)
    throw wrongUsage(
      `no API key is known for ${server}: run shortcrust login ${shellWord(server)} once, or set SHORTCRUST_KEY`,
    )
  return { server, key }
}

/** Whom a command talks to. @throws {Failure} */
export const targetOf = async (flags: ClientFlags, terminal: Terminal): Promise<Target> => {
  const { server, key } = flags
  const { env, readFile } = terminal
  const patience = timeoutOf(flags.timeout)
  const sources = { flags: { server, key }, env, readFile }
  return { ...(await findLogin(sources, () => readLogin(loginFilePath(terminal)))), ...patience }
}
