import type { Networks } from '../ip-address.ts'
import { parseDuration } from '../items/durations.ts'
import { mostTokens } from '../items/schema.ts'
import { isKeyName } from '../services/keys.ts'
import { longestLifetimeMs } from '../services/options.ts'
import {
  type Footer,
  type ListenAddress,
  type LogFormat,
  type ProtocolName,
  parseAccent,
  parseAddress,
  parseApiKey,
  parseFooter,
  parseKeyName,
  parseLifetime,
  parseListenAddress,
  parseLog,
  parseName,
  parseNetworks,
  parsePort,
  parseProtocols,
  parseRateOrOff,
  parseSize,
  parseStore,
  parseSwitch,
  parseText,
  parseUserHeader,
  parseVersions,
  type RateLimit,
  shownValue,
} from './values.ts'

/** All settings of the server, already checked. */
export type Config = {
  host: string
  port: number
  dataFolder: string
  /** Address of the database that stores everything in place of the folder. */
  store: string | undefined
  /** Whether nobody is warned of a data folder whose locks and fsync cannot be trusted. */
  allowNetworkFolder: boolean
  /** Without trailing slash; `undefined` means the address of the request. */
  baseUrl: string | undefined
  publicUrl: string | undefined
  trustedProxies: Networks | undefined
  /** Addresses that create without a key, as the key `guestKey`. */
  guestFrom: Networks | undefined
  guestKey: string | undefined
  /** The header in which a trusted proxy names its user; in lower case. */
  userHeader: string | undefined
  rateLimit: RateLimit | 'off'
  maxPasteBytes: number
  /** How many earlier versions of an item are kept. */
  keepVersions: number
  /** Lifetime in milliseconds for items without `expiresIn`. */
  defaultExpiryMs: number | undefined
  /** Longest lifetime allowed, in milliseconds. */
  maxExpiryMs: number | undefined
  /** Shown in place of the name of the program. */
  name: string | undefined
  /** Colour of links and buttons as `#rrggbb`. */
  accent: string | undefined
  footer: Footer | undefined
  logFormat: LogFormat
  /** True if each request is logged. */
  accessLog: boolean
  /** Address and port of the metrics. */
  metrics: ListenAddress | undefined
  /** Address and port that take pastes from netcat. */
  netcat: ListenAddress | undefined
  /** The protocols of other programs that are spoken. */
  protocols: ReadonlySet<ProtocolName>
  /** An extra API key of at least 16 characters, never written to disk. */
  apiKey: string | undefined
}

const parseExpiry = parseLifetime(parseDuration, longestLifetimeMs)

/** The one table of settings, for `--help`, docs/reference.md, flags and environment variables. */
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
  store: {
    flag: 'store',
    variable: 'SHORTCRUST_STORE',
    default: '',
    doc: 'PostgreSQL in place of the folder: postgres://USER:PASSWORD@HOST/DB; the folder when not set',
    parse: parseStore,
  },
  allowNetworkFolder: {
    flag: 'allow-network-folder',
    variable: 'SHORTCRUST_ALLOW_NETWORK_FOLDER',
    isBare: true,
    default: 'off',
    doc: 'no warning of a data folder on NFS, SMB, 9p or FUSE',
    parse: parseSwitch,
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
    parse: parseNetworks,
  },
  guestFrom: {
    flag: 'guest-from',
    variable: 'SHORTCRUST_GUEST_FROM',
    default: '',
    doc: 'comma-separated addresses or CIDRs that create without a key, as the one of --guest-key',
    parse: parseNetworks,
  },
  guestKey: {
    flag: 'guest-key',
    variable: 'SHORTCRUST_GUEST_KEY',
    default: '',
    doc: 'name of the key that counts for guests: its limits, its list; its rate for each address',
    parse: parseKeyName(isKeyName),
  },
  userHeader: {
    flag: 'user-header',
    variable: 'SHORTCRUST_USER_HEADER',
    default: '',
    doc: 'header in which the proxies of --trust-proxy name the user, such as Remote-User',
    parse: parseUserHeader,
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
  keepVersions: {
    flag: 'keep-versions',
    variable: 'SHORTCRUST_KEEP_VERSIONS',
    default: '10',
    doc: 'earlier versions kept of a changed item, for its key alone: 0 to 100',
    parse: parseVersions,
  },
  defaultExpiryMs: {
    flag: 'default-expiry',
    variable: 'SHORTCRUST_DEFAULT_EXPIRY',
    default: '',
    doc: 'lifetime of what is created without one, such as 10m, 2h, 7d or 4w; the maximum when not set',
    parse: parseExpiry,
  },
  maxExpiryMs: {
    flag: 'max-expiry',
    variable: 'SHORTCRUST_MAX_EXPIRY',
    default: '',
    doc: 'longest lifetime of what is created; none when not set',
    parse: parseExpiry,
  },
  name: {
    flag: 'name',
    variable: 'SHORTCRUST_NAME',
    default: '',
    doc: 'name of this server on its pages, up to 40 characters; Shortcrust when not set',
    parse: parseName,
  },
  accent: {
    flag: 'accent',
    variable: 'SHORTCRUST_ACCENT',
    default: '',
    doc: 'colour of links and buttons, such as #0b6e99 or teal; in each theme, the nearest readable shade of it',
    parse: parseAccent,
  },
  footer: {
    flag: 'footer',
    variable: 'SHORTCRUST_FOOTER',
    default: '',
    doc: 'line below every page, up to 200 characters; an http, https or mailto address in it becomes a link',
    parse: parseFooter,
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
  netcat: {
    flag: 'netcat',
    variable: 'SHORTCRUST_NETCAT',
    default: '',
    doc: 'address and port that take pastes of guests from netcat, such as 0.0.0.0:9999; none when not set',
    parse: parseListenAddress,
  },
  protocols: {
    flag: 'protocols',
    variable: 'SHORTCRUST_PROTOCOLS',
    default: 'all',
    doc: 'protocols of other programs, comma-separated; none, or all, which is without yourls-get',
    parse: parseProtocols,
  },
  apiKey: {
    flag: undefined,
    variable: 'SHORTCRUST_API_KEY',
    default: '',
    doc: 'an API key from outside, at least 16 characters',
    parse: parseApiKey,
  },
}

/** The checked settings, or every problem, one line each. No line contains a secret. */
export const readConfig = (sources: Sources): { config: Config } | { problems: string[] } => {
  const problems: string[] = []
  const wrong = new Set<string>()
  const entries = Object.entries(settings).map(([name, setting]) => {
    try {
      const [source, raw] = givenValue(setting, sources)
      try {
        return [name, setting.parse(raw)]
      } catch (error) {
        const given = setting.flag === undefined ? '' : `, not "${shownValue(raw)}"`
        problems.push(`${source}: expected ${(error as Error).message}${given}`)
      }
    } catch (error) {
      problems.push((error as Error).message)
    }
    wrong.add(name)
    return [name, undefined]
  })
  const config = Object.fromEntries(entries) as Config
  problems.push(...conflictsIn(config, (name) => !wrong.has(name)))
  return problems.length ? { problems } : { config }
}

/** One setting. */
export type Setting<T> = {
  /** Name after `--`; `undefined` for secrets, which flags would show in the process list. */
  flag: string | undefined
  variable: string
  /** True for a flag without a value, which says "on". */
  isBare?: true
  /** The default, in the format of a flag; empty means none. */
  default: string
  doc: string
  /** @throws {Error} whose message says what is expected */
  parse: (raw: string) => T
}

export type Environment = Readonly<Record<string, string | undefined>>
export type Sources = {
  /** Values by flag name. */
  flags: Environment
  env: Environment
  /** Reads the file that a `NAME_FILE` variable names. */
  readFile: (path: string) => string
}

/**
 * Finds a setting: its source and its text. The flag wins, then the variable, then the variable's file, then the default.
 * @throws {Error} if variable and file are both set, or the file cannot be read
 */
export const givenValue = (
  setting: Setting<unknown>,
  { flags, env, readFile }: Sources,
): [string, string] => {
  const { flag, variable } = setting
  const fromFlag = flag === undefined ? undefined : flags[flag]
  if (fromFlag !== undefined) return [`--${flag}`, setting.isBare ? 'on' : fromFlag]
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

/** The settings that may not fit together, of `Config`. */
type Given = {
  store: string | undefined
  rateLimit: RateLimit | 'off'
  accessLog: boolean
  logFormat: string
  guestFrom: unknown
  guestKey: unknown
  userHeader: unknown
  trustedProxies: unknown
  netcat: unknown
  defaultExpiryMs: number | undefined
  maxExpiryMs: number | undefined
}

type Conflict = { of: readonly (keyof Given)[]; isWrong: boolean; problem: string }

/** Where one needs the other. */
const conflictsOf = (config: Given): readonly Conflict[] => {
  const isMissing = (needed: keyof Given, by: keyof Given) => ({
    of: [needed, by],
    isWrong: config[by] !== undefined && config[needed] === undefined,
  })
  return [
    {
      of: ['accessLog', 'logFormat'],
      isWrong: config.accessLog && config.logFormat === 'off',
      problem: '--access-log on needs a log: set --log to text or json',
    },
    {
      of: ['defaultExpiryMs', 'maxExpiryMs'],
      isWrong: (config.defaultExpiryMs ?? 0) > (config.maxExpiryMs ?? Number.POSITIVE_INFINITY),
      problem: '--default-expiry is above --max-expiry: lower the one or raise the other',
    },
    {
      of: ['store', 'rateLimit'],
      isWrong:
        config.store !== undefined && config.rateLimit !== 'off' && config.rateLimit.requests > mostTokens,
      problem: `--rate-limit has more than ${mostTokens} requests, the most with --store: give it a shorter period`,
    },
    {
      ...isMissing('guestKey', 'guestFrom'),
      problem:
        '--guest-from needs --guest-key NAME, the key that counts for guests; make it with: shortcrust keys add NAME',
    },
    {
      ...isMissing('guestFrom', 'guestKey'),
      problem: '--guest-key needs --guest-from CIDRS, the addresses of guests, such as 192.168.0.0/16',
    },
    {
      ...isMissing('guestFrom', 'netcat'),
      problem:
        '--netcat needs --guest-from CIDRS, the addresses that may send without a key, such as 192.168.0.0/16',
    },
    {
      ...isMissing('trustedProxies', 'userHeader'),
      problem: '--user-header needs --trust-proxy ADDRESSES: from anybody else the header is not believed',
    },
  ]
}

/**
 * Settings that do not fit together, one line each.
 * @param isKnown false for a setting whose value was wrong: what it was meant to be may fit
 */
export const conflictsIn = (config: Given, isKnown: (name: string) => boolean) =>
  conflictsOf(config).flatMap(({ of, isWrong, problem }) => (isWrong && of.every(isKnown) ? [problem] : []))
