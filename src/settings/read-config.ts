import { type Config, settings } from './config.ts'
import { shownValue } from './values.ts'

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
      ...isMissing('guestKey', 'guestFrom'),
      problem:
        '--guest-from needs --guest-key NAME, the key that counts for guests: shortcrust keys add NAME makes it',
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
