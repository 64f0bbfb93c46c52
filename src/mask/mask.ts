import { after, any, type FinderRow, isRandom, matching, type Span, startingWith } from './finders.ts'
import { emails, ipv4Addresses, ipv6Addresses, macAddresses, userNames } from './kinds/personal.ts'
import {
  awsSecrets,
  basics,
  bearers,
  commandPasswords,
  cookies,
  hashes,
  jwts,
  pairedSecrets,
  passwords,
  pemKeys,
  puttyKeys,
  secrets,
  urlPasswords,
  urlTokens,
} from './kinds/secrets.ts'
import { serviceRows } from './kinds/services.ts'

/** Every kind that is masked. Where two of them meet, the upper one counts. */
export const table: readonly FinderRow[] = [
  { kind: 'private-key', words: 'private key', find: any(pemKeys, puttyKeys) },
  ...serviceRows,
  { kind: 'slack-token', words: 'Slack token', find: startingWith('https://hooks.slack.com/triggers/', /[\w/]{30,80}/y) },
  { kind: 'telegram-token', words: 'Telegram token', find: matching(/(?<![\w:])(?:bot)?(?<value>\d{8,10}:A[\w-]{34})(?![\w-])/dg, isRandom) },
  { kind: 'discord-token', words: 'Discord token', find: matching(/(?<![\w.-])(?<value>[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38})(?![\w.-])/dg, isRandom) },
  { kind: 'mailchimp-key', words: 'Mailchimp key', find: matching(/(?<!\w)(?<value>[0-9a-f]{32}-us\d{1,2})(?!\w)/dg, isRandom) },
  { kind: 'azure-key', words: 'Azure key', find: any(
    after('AccountKey=|SharedAccessKey=|AccessKey=', /(?<value>[A-Za-z0-9+/]{40,90}={0,2})/dy, isRandom),
    after('sig=', /(?<value>[A-Za-z0-9%+/]{40,90}(?:%3D|=)?)/dy, isRandom),
  ) },
  { kind: 'aws-secret', words: 'AWS secret key', find: awsSecrets },
  { kind: 'jwt', words: 'JSON web token', find: jwts },
  { kind: 'password-hash', words: 'password hash', find: hashes },
  { kind: 'password', words: 'password', find: any(urlPasswords, commandPasswords) },
  { kind: 'basic-auth', words: 'basic credential', find: basics },
  { kind: 'bearer-token', words: 'bearer token', find: bearers },
  { kind: 'cookie', words: 'session cookie', find: cookies },
  { kind: 'password', words: 'password', find: passwords },
  { kind: 'secret', words: 'secret', find: any(secrets, pairedSecrets, urlTokens) },
  { kind: 'email', words: 'e-mail address', find: emails, isPersonal: true },
  { kind: 'ip', words: 'private address', find: any(ipv4Addresses, ipv6Addresses), isPersonal: true },
  { kind: 'mac', words: 'MAC address', find: macAddresses, isPersonal: true },
  { kind: 'user', words: 'user name', find: userNames, isPersonal: true },
] // biome-ignore format: a table to skim

const byKind = new Map(table.map((row) => [row.kind, row]))

/** Names of all kinds. */
export const maskKinds: readonly string[] = [...byKind.keys()]

/** True if it says who or where somebody is, and opens nothing. */
export const isPersonal = (kind: string) => byKind.get(kind)?.isPersonal === true

/** One of a kind, in words. */
export const kindWords = (kind: string) => byKind.get(kind)?.words ?? kind

/** A value in a text that is masked. Lines and columns count from 1. */
export type Finding = {
  kind: string
  from: number
  length: number
  line: number
  column: number
  value: string
}

/** A value by its place, and the row that found it: a lower rank counts more. */
type Hit = { kind: string; rank: number; from: number; to: number }

/** Of values that overlap, the one of the upper row. */
const apart = (hits: readonly Hit[]) => {
  const kept: Hit[] = []
  for (const hit of hits) {
    const last = kept.at(-1)
    if (last === undefined || hit.from >= last.to) kept.push(hit)
    else if (hit.rank < last.rank) kept[kept.length - 1] = hit
  }
  return kept
}

const byPlace = (a: Hit, b: Hit) => a.from - b.from || a.rank - b.rank

/** More values than this are looked for only where their rows find them. */
const mostRepeated = 50
const shortestRepeated = 8

const isEdge = (text: string, at: number) => !/\w/.test(text[at] ?? ' ')

/** The other places of a value. */
const placesOf = (text: string, value: string): Span[] => {
  const places: Span[] = []
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    if (isEdge(text, at - 1) && isEdge(text, at + value.length)) places.push([at, at + value.length])
  return places
}

/** The same secrets elsewhere: masked in a header, one must not stay in the log below it. */
const repeated = (text: string, hits: readonly Hit[]): Hit[] => {
  const secrets = new Map<string, string>()
  for (const hit of hits) {
    if (secrets.size >= mostRepeated) break
    const value = text.slice(hit.from, hit.to)
    if (!isPersonal(hit.kind) && value.length >= shortestRepeated && !secrets.has(value))
      secrets.set(value, hit.kind)
  }
  // What a row has found there counts more.
  const rank = 2 * table.length
  return [...secrets].flatMap(([value, kind]) =>
    placesOf(text, value).map(([from, to]) => ({ kind, rank, from, to })),
  )
}

const start = String.raw`(?:\u001b|\u241b|\\{1,2}(?:u001[bB]|x1[bB]|033|e)|#033|\^\[)`
/** Sequences of a terminal, as JSON, shells, syslog and `cat -v` write them as well, and colours that lost their first character. */
const sequences = new RegExp(
  String.raw`${start}\[[0-?]{0,40}[ -/]{0,4}[@-~]|\u009b[0-?]{0,40}[@-~]|\[\d{1,3}(?:[;:]\d{1,3}){0,8}m|${start}\]\d{0,4};`,
  'g',
)

/** The text with blanks in place of colours, so every value keeps its place. */
const withoutColours = (text: string) => text.replace(sequences, ({ length }) => ' '.repeat(length))

/** Line ends and tabs as JSON and code write them. What follows begins there: `first line\nghp_…`. */
const writtenEnds = /\\[nrt]/g

/** As it is, then with blanks in place of written line ends, which counts less: a password may have a backslash and an n. */
const readingsOf = (text: string) => {
  const plain = withoutColours(text)
  return plain.search(writtenEnds) < 0 ? [plain] : [plain, plain.replace(writtenEnds, '  ')]
}

/** Everything that is found, by its place. */
const hitsOf = (text: string): Hit[] => {
  const [plain = '', ...others] = readingsOf(text)
  const hitsIn = (reading: string, least: number) =>
    table.flatMap(({ kind, find }, rank) =>
      [...find(reading)].map(([from, to]): Hit => ({ kind, rank: least + rank, from, to })),
    )
  const hits = [hitsIn(plain, 0), ...others.map((other) => hitsIn(other, table.length))].flat()
  const found = apart(hits.sort(byPlace))
  return apart([...found, ...repeated(plain, found)].sort(byPlace))
}

const endOfLine = (text: string, from: number) => {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Everything in a text that looks like a secret, or says who or where somebody is, by its place. */
export const findSecrets = (text: string): Finding[] => {
  let [line, lineStart, lineEnd] = [1, 0, endOfLine(text, 0)]
  return hitsOf(text).map(({ kind, from, to }) => {
    while (lineEnd < from) {
      line++
      lineStart = lineEnd + 1
      lineEnd = endOfLine(text, lineStart)
    }
    return { kind, from, length: to - from, line, column: from - lineStart + 1, value: text.slice(from, to) }
  })
}

/** A value with the placeholder that stands for it. Lines count from 1, each once. */
export type Masked = { kind: string; placeholder: string; value: string; lines: readonly number[] }

/** What names a value: a secret is the same by any kind, but nobody's name is somebody's password. */
export const findingName = ({ kind, value }: Pick<Finding, 'kind' | 'value'>) =>
  `${isPersonal(kind) ? kind : 'secret'}:${value}`

const placeholders = /<[a-z][a-z-]{1,30}-\d{1,7}>/g

export type Choices = {
  /** Placeholders that were given before, which stay. */
  known?: readonly Pick<Masked, 'kind' | 'placeholder' | 'value'>[]
  /** True for what stays as it is. */
  isKept?: (value: Omit<Masked, 'lines'>) => boolean
}

/** Gives each value its placeholder, in the order of the text; never one that the text has already. */
const createNaming = (text: string, known: NonNullable<Choices['known']>) => {
  const names = new Map(known.map((one) => [findingName(one), one.placeholder]))
  const taken = new Set([...names.values(), ...(text.match(placeholders) ?? [])])
  const counts = new Map<string, number>()
  const next = (kind: string): string => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const placeholder = `<${kind}-${count}>`
    return taken.has(placeholder) ? next(kind) : placeholder
  }
  return (finding: Finding) => {
    const name = findingName(finding)
    const placeholder = names.get(name) ?? next(finding.kind)
    names.set(name, placeholder)
    return placeholder
  }
}

/**
 * Replaces what was found by placeholders such as `<ip-1>`: the same value has the same one in the whole text.
 * @returns the text, and what was replaced and kept, each value once
 */
export const mask = (text: string, findings: readonly Finding[], { known = [], isKept }: Choices = {}) => {
  const placeholderOf = createNaming(text, known)
  const replaced = new Map<string, Masked & { lines: number[] }>()
  const kept = new Set<string>()
  const pieces: string[] = []
  let end = 0
  for (const finding of findings) {
    const { kind, value, from, length, line } = finding
    const placeholder = placeholderOf(finding)
    const one = replaced.get(placeholder) ?? { kind, placeholder, value, lines: [] }
    if (!replaced.has(placeholder)) {
      replaced.set(placeholder, one)
      if (isKept?.(one)) kept.add(placeholder)
    }
    if (one.lines.at(-1) !== line) one.lines.push(line)
    if (kept.has(placeholder)) continue
    pieces.push(text.slice(end, from), placeholder)
    end = from + length
  }
  pieces.push(text.slice(end))
  const all: readonly Masked[] = [...replaced.values()]
  return {
    text: pieces.join(''),
    masked: all.filter(({ placeholder }) => !kept.has(placeholder)),
    kept: all.filter(({ placeholder }) => kept.has(placeholder)),
  }
}

/** Line numbers that are written out; the rest is counted. */
const mostLines = 5

/** `line 3`, `lines 3 and 9`, `lines 1, 2, 3, 4, 5 and 40 more` */
export const linesText = (lines: readonly number[]) => {
  if (lines.length === 1) return `line ${lines[0]}`
  const rest = lines.length - mostLines
  const shown = lines.slice(0, rest > 0 ? mostLines : -1).join(', ')
  return `lines ${shown} and ${rest > 0 ? `${rest.toLocaleString('en')} more` : lines.at(-1)}`
}

/** `1 password`, `2 MAC addresses` */
export const countedFindings = (kind: string, count: number) => {
  const words = kindWords(kind)
  const ending = count === 1 ? '' : words.endsWith('s') ? 'es' : 's'
  return `${count.toLocaleString('en')} ${words}${ending}`
}

/** How many values of a kind there are, and on which lines. */
export type Sum = { kind: string; values: number; lines: readonly number[] }

/** Counts what was found by kind: each value once, secrets before what is personal. */
export const sumUp = (findings: readonly Finding[]): Sum[] => {
  const sums = new Map<string, { names: Set<string>; lines: Set<number> }>()
  for (const finding of findings) {
    const sum = sums.get(finding.kind) ?? { names: new Set(), lines: new Set() }
    sums.set(finding.kind, sum)
    sum.names.add(findingName(finding))
    sum.lines.add(finding.line)
  }
  return [...sums]
    .map(([kind, { names, lines }]) => ({ kind, values: names.size, lines: [...lines] }))
    .sort((a, b) => Number(isPersonal(a.kind)) - Number(isPersonal(b.kind)))
}

/** `2 passwords (lines 3 and 9)` */
export const sumText = ({ kind, values, lines }: Sum) =>
  `${countedFindings(kind, values)} (${linesText(lines)})`
