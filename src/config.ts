import type { BlockList } from 'node:net'
import {
  type ListenAddress,
  type LogFormat,
  parseAddress,
  parseApiKey,
  parseListenAddress,
  parseLog,
  parsePort,
  parseProxies,
  parseRateOrOff,
  parseSize,
  parseSwitch,
  parseText,
  type RateLimit,
} from './config-values.ts'

/** Everything the server can be told, already checked. */
export type Config = {
  host: string
  port: number
  dataFolder: string
  /** Without trailing slash; `undefined` means: the address the request came to. */
  baseUrl: string | undefined
  publicUrl: string | undefined
  trustedProxies: BlockList | undefined
  rateLimit: RateLimit | 'off'
  maxPasteBytes: number
  logFormat: LogFormat
  /** Whether each request is logged. */
  accessLog: boolean
  /** Where metrics are served. */
  metrics: ListenAddress | undefined
  /** A key from outside, at least 16 characters; never written to disk. */
  apiKey: string | undefined
}

export type Setting<T> = {
  /** Name after `--`; `undefined` where a flag would show a secret in the process list. */
  flag: string | undefined
  variable: string
  /** The default as somebody would type it; empty means none. */
  default: string
  doc: string
  /** @throws {Error} whose message says what is expected. */
  parse: (raw: string) => T
}

/** The one table of settings: `--help`, the table in docs/configuration.md and the reading of flags and variables follow it. */
export const settings: { [K in keyof Config]: Setting<Config[K]> } = {
  host: {
    flag: 'host',
    variable: 'SHORTCRUST_HOST',
    default: '0.0.0.0',
    doc: 'address to listen on',
    parse: parseText('an address to listen on'),
  },
  port: {
    flag: 'port',
    variable: 'SHORTCRUST_PORT',
    default: '8080',
    doc: 'port to listen on; 0 takes a free one',
    parse: parsePort,
  },
  dataFolder: {
    flag: 'data',
    variable: 'SHORTCRUST_DATA',
    default: './data',
    doc: 'folder that holds everything',
    parse: parseText('a folder'),
  },
  baseUrl: {
    flag: 'base-url',
    variable: 'SHORTCRUST_BASE_URL',
    default: '',
    doc: 'address of the API in answers; from the request when not set',
    parse: parseAddress,
  },
  publicUrl: {
    flag: 'public-url',
    variable: 'SHORTCRUST_PUBLIC_URL',
    default: '',
    doc: 'address of the pages in answers; from the request when not set',
    parse: parseAddress,
  },
  trustedProxies: {
    flag: 'trust-proxy',
    variable: 'SHORTCRUST_TRUST_PROXY',
    default: '',
    doc: 'comma-separated addresses or CIDRs whose X-Forwarded-* headers are believed',
    parse: parseProxies,
  },
  rateLimit: {
    flag: 'rate-limit',
    variable: 'SHORTCRUST_RATE_LIMIT',
    default: '3/15s',
    doc: 'creations per key and period (s, m, h), or off',
    parse: parseRateOrOff,
  },
  maxPasteBytes: {
    flag: 'max-paste',
    variable: 'SHORTCRUST_MAX_PASTE',
    default: '1MiB',
    doc: 'largest paste, in bytes of UTF-8: up to 64MiB',
    parse: parseSize,
  },
  logFormat: {
    flag: 'log',
    variable: 'SHORTCRUST_LOG',
    default: 'text',
    doc: 'log on standard error: text, json or off',
    parse: parseLog,
  },
  accessLog: {
    flag: 'access-log',
    variable: 'SHORTCRUST_ACCESS_LOG',
    default: 'off',
    doc: 'a line for each request, and X-Request-Id in answers: on or off',
    parse: parseSwitch,
  },
  metrics: {
    flag: 'metrics',
    variable: 'SHORTCRUST_METRICS',
    default: '',
    doc: 'address and port of Prometheus metrics, such as 127.0.0.1:9090; none when not set',
    parse: parseListenAddress,
  },
  apiKey: {
    flag: undefined,
    variable: 'SHORTCRUST_API_KEY',
    default: '',
    doc: 'an API key from outside, at least 16 characters',
    parse: parseApiKey,
  },
}

export type Environment = Readonly<Record<string, string | undefined>>
export type Sources = {
  /** Values by flag name. */
  flags: Environment
  env: Environment
  /** Reads the file a `NAME_FILE` variable names. */
  readFile: (path: string) => string
}

/**
 * Where one setting was given, and its raw text: flag first, then variable, then the variable's file, then the default.
 * @throws {Error} when variable and file are both set, or the file cannot be read
 */
export const givenValue = (
  setting: Setting<unknown>,
  { flags, env, readFile }: Sources,
): [string, string] => {
  const { flag, variable } = setting
  const fromFlag = flag === undefined ? undefined : flags[flag]
  if (fromFlag !== undefined) return [`--${flag}`, fromFlag]
  const file = env[`${variable}_FILE`]
  if (file !== undefined && env[variable] !== undefined)
    throw new Error(`${variable} and ${variable}_FILE are both set: keep one`)
  if (file === undefined) return [variable, env[variable] ?? setting.default]
  try {
    return [`${variable}_FILE`, readFile(file).trim()]
  } catch (error) {
    throw new Error(`${variable}_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}

const withoutPassword = (raw: string) => raw.replace(/\/\/[^/@]*@/, '//…@')

/** Either the checked settings or every problem, one line each. No line repeats a secret. */
export const readConfig = (sources: Sources): { config: Config } | { problems: string[] } => {
  const problems: string[] = []
  const entries = Object.entries(settings).map(([name, setting]) => {
    try {
      const [source, raw] = givenValue(setting, sources)
      try {
        return [name, setting.parse(raw)]
      } catch (error) {
        const given = setting.flag === undefined ? '' : `, not "${withoutPassword(raw)}"`
        problems.push(`${source}: expected ${(error as Error).message}${given}`)
      }
    } catch (error) {
      problems.push((error as Error).message)
    }
    return [name, undefined]
  })
  const config = Object.fromEntries(entries) as Config
  if (config.accessLog && config.logFormat === 'off')
    problems.push('--access-log on needs a log: set --log to text or json')
  return problems.length ? { problems } : { config }
}
