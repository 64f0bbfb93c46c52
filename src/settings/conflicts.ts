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
