import { chmod, readFile, unlink } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { ReadStream } from 'node:tty'
import { type Environment, givenValue, type Setting, type Sources } from '../../settings/config.ts'
import { parseAddress, parseApiKey, parseSeconds } from '../../settings/values.ts'
import { shellWord } from '../../shell-words.ts'
import { makeFolder, writeDurably } from '../../store/disk.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'
import { Failure, foreignServer, parseReply, send, wrongUsage } from './send.ts'

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

/** Asks the server which key this is; takes no token. @returns the name of the key. @throws {Failure} */
export const checkKey = async (target: Target): Promise<string> => {
  const { server, key } = target
  // With other characters `fetch` would fail, or proxies would change the header.
  if (!/^[\x21-\x7e]{16,}$/.test(key))
    throw new Failure('not a valid API key: it has at least 16 characters, and no white space', 3)
  const reply = await send({ ...target, method: 'GET', path: '/key' })
  if (reply.status === 404) throw foreignServer(server, `there is no ${server}/key`)
  const { name } = parseReply(reply, server)
  if (typeof name === 'string' && /^[\w.-]{1,64}$/.test(name)) return name
  throw foreignServer(server, 'it names no key')
}

const maxCharacters = 1000

/** A hidden line from a terminal; `undefined` after Ctrl-C or Ctrl-D. */
const readHidden = async (stdin: ReadStream, ask: () => void): Promise<string | undefined> => {
  let typed = ''
  stdin.setRawMode(true)
  // Only now: what is typed earlier would be visible.
  ask()
  try {
    for await (const chunk of stdin)
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n') return typed
        if (character === '\x03' || character === '\x04') return undefined
        if (character === '\x7f' || character === '\b') typed = typed.slice(0, -1)
        else if (character >= ' ' && typed.length < maxCharacters) typed += character
      }
    return undefined
  } finally {
    stdin.setRawMode(false)
  }
}

const readPiped = async (stdin: ReadStream) => {
  let text = ''
  for await (const chunk of stdin) {
    text += chunk
    if (text.length > maxCharacters) break
  }
  return text.trim()
}

/** Callbacks for a person at a terminal. */
export type Prompt = { ask: () => void; answered: () => void }

/** Reads a secret from a terminal without echo, or from a pipe; white space around it is removed. */
export const readSecret = async (stdin: ReadStream, { ask, answered }: Prompt) => {
  if (!stdin.isTTY) return readPiped(stdin)
  const typed = await readHidden(stdin, ask)
  answered()
  return typed?.trim()
}

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
    terminal.printError('shortcrust: cancelled; nothing was changed')
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
