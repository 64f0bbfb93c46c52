import type { Setting } from '../../settings/sources.ts'
import { parseAddress, parseApiKey } from '../../settings/values.ts'

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
