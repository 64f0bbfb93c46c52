import { chmod, readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { Environment, Setting } from '../../settings/sources.ts'
import { parseAddress, parseApiKey } from '../../settings/values.ts'
import { makeFolder, writeDurably } from '../../store/disk.ts'
import { Failure, wrongUsage } from './failures.ts'

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

/** The address that somebody typed, as it is kept and compared; `undefined` when it is none. */
export const serverAddress = (raw: string) => {
  try {
    return parseAddress(raw)
  } catch {
    return undefined
  }
}

export type UserFolders = { env: Environment; home: () => string; platform: string }

/** Where a user's programs keep their settings: `%APPDATA%`, else `$XDG_CONFIG_HOME`, else `~/.config`, on macOS too. */
const settingsFolder = ({ env, home, platform }: UserFolders) => {
  if (platform === 'win32') return env.APPDATA || join(home(), 'AppData', 'Roaming')
  // The XDG base directory specification: a path that is not absolute is to be ignored.
  const chosen = env.XDG_CONFIG_HOME ?? ''
  return isAbsolute(chosen) ? chosen : join(home(), '.config')
}

/** The file that holds what `shortcrust login` keeps. */
export const loginFilePath = (folders: UserFolders) =>
  join(settingsFolder(folders), 'shortcrust', 'login.json')

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

const parseLogin = (text: string): Login | undefined => {
  try {
    const { server, key } = JSON.parse(text)
    const isWhole = typeof server === 'string' && serverAddress(server) === server && typeof key === 'string'
    return isWhole && /^[\x21-\x7e]+$/.test(key) ? { server, key } : undefined
  } catch {
    return undefined
  }
}

/** `undefined` where nobody logged in. @throws {Failure} */
export const readLogin = async (path: string): Promise<Login | undefined> => {
  try {
    const login = parseLogin(await readFile(path, 'utf8'))
    if (login) return login
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw wrongUsage(`cannot read ${path} (${codeOf(error)})`)
  }
  throw wrongUsage(`${path} is damaged: run shortcrust login SERVER again`)
}

/** Puts the file in place whole, for its owner only: folder 0700, file 0600. @throws {Failure} */
export const writeLogin = async (path: string, login: Login) => {
  const folder = dirname(path)
  try {
    await makeFolder(folder)
    await chmod(folder, 0o700)
    await writeDurably(path, `${JSON.stringify(login, undefined, 2)}\n`, folder)
  } catch (error) {
    throw new Failure(`cannot write ${path} (${codeOf(error)})`, 1)
  }
}
