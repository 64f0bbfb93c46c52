/** `1,234,567`. `Intl` could do this, but would load 1 MB of tables. */
export const countText = (count: number) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

const byteUnits = ['KiB', 'MiB', 'GiB', 'TiB'] as const

/**
 * `1,000 bytes`, `1.5 KiB`, `12 KiB`, `1 MiB`: one decimal below ten. Always rounded down, so no limit is said to be larger
 * than it is.
 */
export const sizeText = (bytes: number) => {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${countText(bytes)} bytes`
  let [size, unit] = [bytes / 1024, 0]
  for (; size >= 1024 && unit < byteUnits.length - 1; unit++) size /= 1024
  return `${size < 10 ? Math.floor(size * 10) / 10 : countText(Math.floor(size))} ${byteUnits[unit]}`
}

const ageUnits = [
  ['y', 31_536_000],
  ['mo', 2_592_000],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** Without this, a new item with a lifetime of 7 days would show 6. */
const roundUp = 1.01

/** `3d ago`, `in 2h`; empty if `iso` is not a time. */
export const shortAge = (iso: unknown, now: number) => {
  const exact = (Date.parse(String(iso)) - now) / 1000
  if (Number.isNaN(exact)) return ''
  if (Math.abs(exact) < 1) return 'now'
  const seconds = exact > 0 ? exact * roundUp : -exact
  const [unit, length] = ageUnits.find(([, least]) => seconds >= least) ?? ['s', 1]
  const age = countText(Math.trunc(seconds / length)) + unit
  return exact > 0 ? `in ${age}` : `${age} ago`
}

/** `21 Nov 2026, 08:05 UTC`. `Intl` takes 6 ms for its first date, 2 MB for its tables, and writes `Sept`. */
const dateText = (time: number) => {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ')
  return `${Number(day)} ${month} ${year}, ${clock?.slice(0, 5)} UTC`
}

const isoTime = (time: number) => new Date(time).toISOString()

/** When an item was created, and last changed if it was, for machines and for people; in milliseconds since the epoch. */
export const dateFacts = ({
  createdAt,
  changedAt,
}: {
  createdAt: number
  changedAt?: number | undefined
}) => ({
  createdAt: isoTime(createdAt),
  createdAtText: dateText(createdAt),
  ...(changedAt !== undefined && { changedAt: isoTime(changedAt), changedAtText: dateText(changedAt) }),
})

type Expiring = { expiresAt?: number | undefined }

/** When an item expires, for machines and for people; empty if it never does. */
export const expiryFacts = ({ expiresAt }: Expiring): { expiresAt?: string; expiresAtText?: string } =>
  expiresAt === undefined ? {} : { expiresAt: isoTime(expiresAt), expiresAtText: dateText(expiresAt) }

/** `1 visit`, `1,234 visits` */
export const countOf = (count: number, word: string) => `${countText(count)} ${word}${count === 1 ? '' : 's'}`

/** `No visits yet`, `1 visit` */
export const formatVisits = (visits: number) => (visits === 0 ? 'No visits yet' : countOf(visits, 'visit'))

export const formatLines = (lines: number) => countOf(lines, 'line')

/**
 * A target without `https://`, in two parts. The second is its last segment or query, of at most 16 characters: where
 * targets of one host differ.
 */
export const targetParts = (url: string): readonly [head: string, tail: string] => {
  const target = url.replace(/^https:\/\//i, '').replace(/^([^/?#]+)\/$/, '$1')
  const [tail = ''] = /[/?#][^/?#]{1,14}\/?$/u.exec(target) ?? /.{0,16}$/u.exec(target) ?? []
  return [target.slice(0, target.length - tail.length), tail]
}

/** What is copied from the end of a message: an address, or a command to type. */
const copied = /https?:\/\/\S+$|: (?:shortcrust|sudo|curl|echo|printf|nc|some-command) .*$/

/** An error as people read it, with its full stop; but none that would be copied with an address or a command. */
export const asSentence = (message: string) =>
  /[.?!…]$/.test(message) || copied.test(message) ? message : `${message}.`

/** The name of an item in its addresses: its alias if it has one, else its id. */
export const publicName = ({ id, alias }: { id: string; alias?: string }) => alias ?? id

/** What a form asks for where nothing was typed. */
export const asks = {
  key: 'Enter your API key.',
  text: 'Enter the text to share.',
  url: 'Enter the address to shorten.',
} as const

export const tooLargeText = (maxBytes: number) =>
  `The text is larger than ${sizeText(maxBytes)}, the limit of this server. Shorten it.`

/** The language that was found for a new paste; empty if its creator chose one. @param name of the language */
export const languageText = (id: string | undefined, name: string) => {
  if (id === undefined) return ''
  return id === 'text' ? 'No language was detected, so it is plain text.' : `Detected language: ${name}.`
}

/** How often a new item can be used: `Can be read once.`; empty without a limit. */
export const usesText = (kind: 'paste' | 'link', left: number | undefined) => {
  if (left === undefined) return ''
  const verb = kind === 'paste' ? 'read' : 'followed'
  return `Can be ${verb} ${left === 1 ? 'once' : `${left} times`}.`
}
