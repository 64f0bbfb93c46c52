import { BlockList, isIP, isIPv4 } from 'node:net'
import { ipAddressOf, type Networks } from '../ip-address.ts'
import { largestPasteBytes } from '../items/paste.ts'

export type RateLimit = { requests: number; seconds: number }
/** `port` 0 means any free one. */
export type ListenAddress = { host: string; port: number }
export type LogFormat = 'text' | 'json' | 'off'

// Each parser takes the text of a user. It throws an `Error` whose message says what is expected.

/** An API key, as `shortcrust keys add` makes them. */
const keyShape = /\bsc_[0-9A-Za-z]{32}\b/

const pattern = (raw: string, shape: RegExp, expected: string): RegExpExecArray => {
  const match = shape.exec(raw)
  if (!match) throw new Error(expected)
  return match
}

export const parsePort = (raw: string) => {
  pattern(raw, /^\d{1,5}$/, 'a number from 0 to 65535')
  if (Number(raw) > 65_535) throw new Error('a number from 0 to 65535')
  return Number(raw)
}

export const parseAddress = (raw: string) => {
  if (raw === '') return undefined
  const url = URL.canParse(raw) ? new URL(raw) : undefined
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password
  if (!isPlain || !/^https?:\/\//i.test(raw)) throw new Error('an http:// or https:// address without query')
  // `/qr/p/…` would be a page behind a proxy that leaves the prefix on, but a QR code behind one that removes it.
  if (/^\/qr\/*$/.test(url.pathname)) throw new Error('an address whose path is not /qr')
  return url.href.replace(/\/+$/, '')
}

/** Without "allow" and "prefer": the driver would take them for "require". */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full']

/** The address of a database, as `psql` takes it. */
export const parseStore = (raw: string) => {
  if (raw === '') return undefined
  const url = /^postgres(?:ql)?:\/\//.test(raw) && URL.canParse(raw) ? new URL(raw) : undefined
  if (!url || url.pathname.length < 2) throw new Error('postgres://USER:PASSWORD@HOST:PORT/NAME')
  if (!sslModes.includes(url.searchParams.get('sslmode') ?? 'disable'))
    throw new Error(`an address whose sslmode is one of ${sslModes.join(', ')}`)
  return raw
}

/** The address of a database for people: without its password. */
export const shownStore = (address: string) => {
  const { username, host, pathname } = new URL(address)
  return `postgres://${username && `${username}@`}${host}${pathname}`
}

const ratePeriods = { h: 3600, m: 60, s: 1 }
const rateShape = /^([1-9]\d{0,5})\/([1-9]\d{0,4})([smh])$/

/** At most 999,999 requests per at most 99,999 hours. */
export const parseRate = (
  raw: string,
  expected = 'REQUESTS/PERIOD in s, m or h such as 10/1m',
): RateLimit => {
  const [, requests, amount, unit] = pattern(raw, rateShape, expected)
  return {
    requests: Number(requests),
    seconds: Number(amount) * ratePeriods[unit as keyof typeof ratePeriods],
  }
}

export const parseRateOrOff = (raw: string): RateLimit | 'off' =>
  raw === 'off' ? raw : parseRate(raw, 'REQUESTS/PERIOD in s, m or h such as 3/15s, or off')

/** A rate in the format of `parseRate`, in the largest unit that divides the period. */
export const rateText = ({ requests, seconds }: RateLimit) => {
  const [unit = 's', length = 1] =
    Object.entries(ratePeriods).find(([, length]) => seconds % length === 0 && seconds >= length) ?? []
  return `${requests}/${seconds / length}${unit}`
}

const sizeUnits = { B: 1, KiB: 1024, MiB: 1024 ** 2, '': 1 }

export const parseSize = (raw: string) => {
  const expected = 'a size from 1 to 64MiB such as 512KiB or 1MiB'
  const [, amount, unit] = pattern(raw, /^(\d{1,8})(B|KiB|MiB|)$/, expected)
  const bytes = Number(amount) * sizeUnits[unit as keyof typeof sizeUnits]
  if (bytes < 1 || bytes > largestPasteBytes) throw new Error(expected)
  return bytes
}

export const parseVersions = (raw: string) => {
  pattern(raw, /^(100|\d{1,2})$/, 'a number from 0 to 100')
  return Number(raw)
}

export const parseSeconds = (raw: string) => {
  pattern(raw, /^[1-9]\d{0,3}$/, 'a number of seconds from 1 to 9999')
  return Number(raw)
}

/** @param read returns the milliseconds of a duration; `undefined` if it is not one */
export const parseLifetime =
  (read: (text: string) => number | undefined, longestMs: number) =>
  (raw: string): number | undefined => {
    if (raw === '') return undefined
    const milliseconds = read(raw)
    if (milliseconds === undefined || milliseconds > longestMs)
      throw new Error('a duration from 1s to 3650d such as 10m, 2h, 7d or 4w')
    return milliseconds
  }

export const parseLog = (raw: string) =>
  pattern(raw, /^(text|json|off)$/, 'text, json or off')[0] as LogFormat

/** The protocols of other programs that `all` means. */
export const protocolNames = [
  'haste',
  '0x0',
  'rustypaste',
  'sprunge',
  'pastebinit',
  'yourls',
  'mclogs',
  'gist',
  'shlink',
  'kutt',
] as const
/** With it, a GET creates: only who names it gets it. */
const namedProtocol = 'yourls-get'
export type ProtocolName = (typeof protocolNames)[number] | typeof namedProtocol

const isProtocol = (name: string): name is ProtocolName =>
  name === namedProtocol || (protocolNames as readonly string[]).includes(name)

/** A comma-separated list, in which `all` may stand, or `none`. */
export const parseProtocols = (raw: string): ReadonlySet<ProtocolName> => {
  if (raw === 'none') return new Set()
  const names = raw.split(',').flatMap((name) => (name.trim() === 'all' ? protocolNames : [name.trim()]))
  if (names.every(isProtocol)) return new Set(names)
  const known = [...protocolNames, namedProtocol].join(', ')
  throw new Error(`all, none, or some of ${known}, with commas between them`)
}

export const parseSwitch = (raw: string) => pattern(raw, /^(on|off)$/, 'on or off')[0] === 'on'

export const parseListenAddress = (raw: string): ListenAddress | undefined => {
  if (raw === '') return undefined
  const expected = 'an address and a port such as 127.0.0.1:9090 or [::1]:9090'
  const [, bracketed, plain = '', port = ''] = pattern(
    raw,
    /^(?:\[([0-9a-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i,
    expected,
  )
  if (Number(port) > 65_535 || (bracketed !== undefined && isIP(bracketed) !== 6)) throw new Error(expected)
  return { host: bracketed ?? plain, port: Number(port) }
}

const headerShape = /^[\w!#$%&'*+.^`|~-]{1,64}$/

/** Their values mean something else, or clients send them by themselves. */
const takenHeaders =
  /^(?:key|authorization|cookie|host|origin|referer|user-agent|(?:accept|content|sec|if)(?:-.*)?|x-forwarded-(?:for|host|proto))$/

/** The name of a header, in lower case. */
export const parseUserHeader = (raw: string) => {
  if (raw === '') return undefined
  const expected = 'a header that says only the user, such as Remote-User'
  const name = pattern(raw, headerShape, expected)[0].toLowerCase()
  if (takenHeaders.test(name)) throw new Error(expected)
  return name
}

/** @param isName whether a text can be the name of a key */
export const parseKeyName = (isName: (text: string) => boolean) => (raw: string) => {
  if (raw === '') return undefined
  if (keyShape.test(raw)) throw new Error('the name of a key, not the key itself')
  if (!isName(raw)) throw new Error('the name of a key: 1 to 64 of the characters A-Z a-z 0-9 . _ -')
  return raw
}

export const parseText = (expected: string) => (raw: string) => pattern(raw, /^\S.*$/, expected)[0]

export const parseApiKey = (raw: string) =>
  raw === '' ? undefined : pattern(raw, /^[\x21-\x7e]{16,}$/, 'at least 16 visible ASCII characters')[0]

const withoutSecret = (raw: string) => raw.replace(/\/\/[^/@]*@/, '//…@').replace(keyShape, 'sc_…')
const beginning = (raw: string) => (raw.length <= 500 ? raw : `${raw.slice(0, 500)}…`)

/** A wrong value as an error may show it: without passwords and keys, and not endless. */
export const shownValue = (raw: string) => beginning(withoutSecret(raw))

const expected = 'comma-separated addresses or CIDRs'

/** Bits of the prefix of an IPv4 address inside IPv6, `::ffff:0:0/96`. */
const mappedBits = 96

const lengths = { 4: 32, 6: 128 } as const

/** @throws {Error} whose message says what is expected */
const parseNetwork = (entry: string) => {
  const [typed = '', prefix, ...rest] = entry.split('/')
  // `peerAddressOf` leaves it out, so a neighbour on every other interface would count as well.
  if (typed.includes('%'))
    throw new Error(`${expected} without a zone such as %eth0, which cannot be checked`)
  const version = isIP(typed) as 0 | 4 | 6
  const isPrefix = prefix === undefined || /^\d{1,3}$/.test(prefix)
  if (version === 0 || !isPrefix || rest.length) throw new Error(expected)
  const length = Number(prefix ?? lengths[version])
  if (length > lengths[version]) throw new Error(expected)
  const address = ipAddressOf(typed) ?? typed
  if (version === 4 || !isIPv4(address)) return { address, length }
  return length < mappedBits ? { address: typed, length } : { address, length: length - mappedBits }
}

/** Networks of either family, separated by commas; `undefined` for none. */
export const parseNetworks = (raw: string): Networks | undefined => {
  if (raw === '') return undefined
  const [ipv4, ipv6] = [new BlockList(), new BlockList()]
  let isEverybody = false
  for (const entry of raw.split(',')) {
    const { address, length } = parseNetwork(entry.trim())
    if (isIPv4(address)) ipv4.addSubnet(address, length, 'ipv4')
    else ipv6.addSubnet(address, length, 'ipv6')
    isEverybody ||= length === 0
  }
  return { ipv4, ipv6, isEverybody }
}

/** A line of text with at most one link in it. */
export type Footer = { before: string; link?: { address: string; words: string }; after: string }

// As in `values.ts`, each parser throws an `Error` whose message says what is expected.

/** Control characters, those that hide or turn text, and line ends. What joins emoji and Persian letters may stay. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u

/** A character that leaves ink by itself; U+2800, the Braille cell without dots, is a symbol to Unicode. */
const ink = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

const parseLine = (raw: string, mostChars: number, expected: string) => {
  const text = raw.trim()
  const chars = [...text].length
  if (chars > mostChars || unseen.test(text) || !ink.test(text)) throw new Error(expected)
  return text
}

export const parseName = (raw: string) =>
  raw === '' ? undefined : parseLine(raw, 40, '1 to 40 visible characters')

/** A name, `#` and digits, or a function: Bun takes a colour with anything after it. */
const colourShape = /^(?:[a-z]+|#[\da-f]{3,8}|[a-z]+\([^()]*\))$/

const accentExpected =
  'an opaque colour: a name such as teal, #0b6e99, rgb(), hsl(), hwb(), ' +
  'or lab(), lch(), oklab(), oklch() with the lightness in percent'

/** A colour of CSS that is opaque and depends on nothing else, as `#rrggbb`. Bun knows no `color()`. */
export const parseAccent = (raw: string) => {
  if (raw === '') return undefined
  // Bun knows names in small letters only.
  const typed = raw.toLowerCase()
  const colour = Bun.color(typed, 'hex')
  if (!colourShape.test(typed) || colour === null || Bun.color(typed, '{rgba}')?.a !== 1)
    throw new Error(accentExpected)
  return colour
}

/** Without what ends a sentence after it. */
const addressShape = /\b(?:https?:\/\/|mailto:)[^\s<>"]*[^\s<>"'.,;:!?)\]]/giu

const footerExpected = 'one line of at most 200 visible characters, with at most one complete address in it'

const linkTo = (typed: string) => {
  const url = URL.parse(typed)
  const isMail = url?.protocol === 'mailto:'
  if (!url || url.username || url.password || (isMail && !/^[^@]+@[^@]+$/.test(url.pathname)))
    throw new Error(footerExpected)
  return { address: url.href, words: typed.replace(/^(https?:\/\/|mailto:)/i, '').replace(/\/$/, '') }
}

/** An address in the text is its link, shown without `https://`. There is no markup. */
export const parseFooter = (raw: string): Footer | undefined => {
  if (raw === '') return undefined
  const text = parseLine(raw, 200, footerExpected)
  const [found, ...more] = text.matchAll(addressShape)
  if (more.length) throw new Error(footerExpected)
  if (!found) return { before: text, after: '' }
  const [typed] = found
  return {
    before: text.slice(0, found.index),
    link: linkTo(typed),
    after: text.slice(found.index + typed.length),
  }
}
