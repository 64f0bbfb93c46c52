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

/** Settings that do not fit together, one line each. */
export const conflictsIn = (config: Given) => {
  const { guestFrom, guestKey, userHeader, trustedProxies, netcat } = config
  const conflicts: readonly [boolean, string][] = [
    [
      config.accessLog && config.logFormat === 'off',
      '--access-log on needs a log: set --log to text or json',
    ],
    [
      (config.defaultExpiryMs ?? 0) > (config.maxExpiryMs ?? Number.POSITIVE_INFINITY),
      '--default-expiry is above --max-expiry: lower the one or raise the other',
    ],
    [
      guestFrom !== undefined && guestKey === undefined,
      '--guest-from needs --guest-key NAME, the key that counts for guests: shortcrust keys add NAME makes it',
    ],
    [
      guestKey !== undefined && guestFrom === undefined,
      '--guest-key needs --guest-from CIDRS, the addresses of guests, such as 192.168.0.0/16',
    ],
    [
      netcat !== undefined && guestFrom === undefined,
      '--netcat needs --guest-from CIDRS, the addresses that may send without a key, such as 192.168.0.0/16',
    ],
    [
      userHeader !== undefined && trustedProxies === undefined,
      '--user-header needs --trust-proxy ADDRESSES: from anybody else the header is not believed',
    ],
  ]
  return conflicts.flatMap(([isWrong, problem]) => (isWrong ? [problem] : []))
}
