import { chmod, readFile, unlink } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { Environment, Setting } from '../../settings/config.ts'
import { parseAddress, parseApiKey } from '../../settings/values.ts'
import { makeFolder, writeDurably } from '../../store/disk.ts'
import { Failure, wrongUsage } from './failures.ts'

/** The address of a server, without trailing slash, and a key for it. */
export type Login = { server: string; key: string }

/** An address of a server; `http://` may be left out, as on a LAN without TLS. @throws {Error} */
const parseServer = (raw: string) =>
  parseAddress(/^[\w[]/.test(raw) && !raw.includes('://') ? `http://${raw}` : raw)

export const serverSetting: Setting<string | undefined> = {
  flag: 'server',
  variable: 'SHORTCRUST_SERVER',
  default: '',
  doc: 'address of the server; that of shortcrust login when not set',
  parse: parseServer,
}

export const keySetting: Setting<string | undefined> = {
  flag: 'key',
  variable: 'SHORTCRUST_KEY',
  default: '',
  doc: 'API key; the process list shows it, so prefer the variable or shortcrust login',
  parse: parseApiKey,
}

/** The address in the form that is stored and compared; `undefined` if it is not one. */
export const serverAddress = (raw: string) => {
  try {
    return parseServer(raw)
  } catch {
    return undefined
  }
}

export type UserFolders = { env: Environment; home: () => string; platform: string }

/** The user's settings folder: `%APPDATA%`, else `$XDG_CONFIG_HOME`, else `~/.config`, also on macOS. */
const settingsFolder = ({ env, home, platform }: UserFolders) => {
  if (platform === 'win32') return env.APPDATA || join(home(), 'AppData', 'Roaming')
  // XDG base directory specification: ignore a path that is not absolute.
  const chosen = env.XDG_CONFIG_HOME ?? ''
  return isAbsolute(chosen) ? chosen : join(home(), '.config')
}

/** The file with the login of `shortcrust login`. */
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

/** The stored login; `undefined` if there is none. @throws {Failure} */
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

/** Removes the stored login. @returns false if there was none. @throws {Failure} */
export const removeLogin = async (path: string) => {
  try {
    await unlink(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw wrongUsage(`cannot remove ${path} (${codeOf(error)})`)
  }
}

/** Writes the file atomically, for its owner only: folder 0700, file 0600. @throws {Failure} */
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
