import { shortAge, sizeText } from '../../format.ts'
import { languageName } from '../../highlight/languages/languages.ts'
import { withoutControls } from '../../output.ts'
import {
  findNamed,
  itemNamed,
  itemsOfKey,
  type ListQuery,
  type OwnItem,
  type Page,
  type Plural,
  singularOf,
  versionsOfItem,
} from '../client/items.ts'
import { type Target, targetOf } from '../client/login.ts'
import { wrongUsage } from '../client/send.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'

const plurals: readonly Plural[] = ['pastes', 'links']

const limitOf = ({ limit: raw, all }: ClientFlags) => {
  if (all && raw !== undefined)
    throw wrongUsage('--all lists everything, and --limit a part: give one of them')
  if (all) return Number.POSITIVE_INFINITY
  if (raw === undefined) return 50
  if (!/^[1-9]\d{0,8}$/.test(raw)) throw wrongUsage(`--limit: expected a number from 1, not "${raw}"`)
  return Number(raw)
}

/** What the flags ask for, as parameters of the API. */
const listQueryOf = ({ search, language, since, sort }: ClientFlags): ListQuery => ({
  ...(search !== undefined && { q: search }),
  ...(typeof language === 'string' && { language }),
  ...(since !== undefined && { since }),
  ...(sort !== undefined && { sort }),
})

const timeOf = (value: unknown, missing: number) =>
  value === undefined ? missing : Date.parse(String(value))

/** How two items of different kinds are sorted; like the server, with the newest first among equals. */
const sortKeys: Readonly<Record<string, (item: OwnItem) => number>> = {
  created: () => 0,
  changed: ({ changedAt, createdAt }) => timeOf(changedAt ?? createdAt, 0),
  size: ({ bytes, url }) => (typeof bytes === 'number' ? bytes : Buffer.byteLength(String(url ?? ''))),
  expires: ({ expiresAt }) => -timeOf(expiresAt, Number.MAX_SAFE_INTEGER),
}

/** The kinds that these parameters can choose: languages and reads are of pastes, visits of links. */
const kindsFor = ({ language, sort }: ListQuery): readonly Plural[] => {
  if (language !== undefined || sort === 'reads') return ['pastes']
  return sort === 'visits' ? ['links'] : plurals
}

/** What a list shows, and what it does not. */
type Listing = {
  rows: readonly ListRow[]
  isCut: boolean
  /** Items in all, where the server counts them. */
  total: number | undefined
  isComplete: boolean
}

const collect = async (
  target: Target,
  kinds: readonly Plural[],
  { wanted, limit, progress }: { wanted: ListQuery; limit: number; progress: Terminal['progress'] },
): Promise<Listing> => {
  const rows: ListRow[] = []
  const ends = new Map<Plural, Page>()
  let isComplete = true
  const onPage = (plural: Plural) => (page: Page) => {
    ends.set(plural, page)
    isComplete &&= page.isComplete
    if (rows.length > 0) progress(`read ${rows.length.toLocaleString('en')} items`)
  }
  for (const plural of kinds)
    for await (const item of itemsOfKey(target, plural, limit, wanted, onPage(plural)))
      rows.push({ plural, item })
  progress('')
  // Each kind is sorted by the server already. The sort is stable, so equals keep that order.
  const key = sortKeys[wanted.sort ?? 'created'] ?? (() => 0)
  if (kinds.length > 1)
    rows.sort(
      (a, b) => key(b.item) - key(a.item) || Date.parse(b.item.createdAt) - Date.parse(a.item.createdAt),
    )
  const last = [...ends.values()]
  const totals = last.flatMap(({ total }) => total ?? [])
  return {
    rows: rows.slice(0, limit),
    isCut: rows.length > limit || last.some(({ after }) => after !== undefined),
    total: totals.length === last.length ? totals.reduce((sum, total) => sum + total, 0) : undefined,
    isComplete,
  }
}

const cutWords = ({ rows, total }: Listing) => {
  const shown = rows.length.toLocaleString('en')
  const part =
    total === undefined ? `${shown}, and there are more` : `${shown} of ${total.toLocaleString('en')}`
  return `${part}; --all for all`
}

const nothingYet =
  'nothing here yet: "shortcrust paste FILE" creates a paste, "shortcrust shorten URL" a short link'

const printTable = async (rows: readonly ListRow[], { print, columns, now }: Terminal) => {
  const time = now()
  const cells = rows.map((row) => cellsOf(row, time))
  for (const line of tableOf(cells, columns)) await print(line)
}

/** Lists what the key created: all of it, newest first, or what the flags choose. */
export const listItems: ClientCommand = async ([word], flags, terminal) => {
  if (word !== undefined && !plurals.includes(word as Plural))
    throw wrongUsage(`unknown list "${word}": expected pastes or links`)
  const limit = limitOf(flags)
  const wanted = listQueryOf(flags)
  const kinds = word === undefined ? kindsFor(wanted) : [word as Plural]
  const { progress, printJson, printError, written } = terminal
  const listing = await collect(await targetOf(flags, terminal), kinds, { wanted, limit, progress })
  const { rows, isCut, isComplete } = listing
  if (flags.json) for (const { plural, item } of rows) await printJson({ type: singularOf[plural], ...item })
  else if (rows.length > 0) await printTable(rows, terminal)
  else printError(Object.keys(wanted).length > 0 ? 'nothing found' : nothingYet)
  await written()
  if (isCut) printError(cutWords(listing))
  if (!isComplete) printError('the server is still reading texts, so there may be more to find')
  return 0
}

export type ListRow = { plural: Plural; item: OwnItem }

/** Removed here, not only when printing, because column widths depend on the shown characters. */
const cellText = (value: unknown) => (typeof value === 'string' ? withoutControls(value) : '')

const names = {
  pastes: { one: 'read', many: 'reads', left: 'readsLeft', most: 'maxReads' },
  links: { one: 'visit', many: 'visits', left: 'visitsLeft', most: 'maxVisits' },
} as const

/** `12 reads`; with a limit, `1 of 3 reads`. */
const usesOf = ({ plural, item }: ListRow) => {
  const { one, many, left, most } = names[plural]
  const { [many]: count, [most]: limit, [left]: rest } = item
  if (typeof limit === 'number' && typeof rest === 'number')
    return `${limit - rest} of ${limit} ${limit === 1 ? one : many}`
  return typeof count === 'number' ? `${count} ${count === 1 ? one : many}` : ''
}

/** The cells of one line. */
export const cellsOf = (row: ListRow, now: number) => {
  const { plural, item } = row
  const isPaste = plural === 'pastes'
  return [
    cellText(isPaste ? item.pasteUrl : item.shortendUrl),
    shortAge(item.createdAt, now),
    item.expiresAt === undefined ? '' : shortAge(item.expiresAt, now),
    usesOf(row),
    isPaste ? languageName(cellText(item.language)) : '',
    isPaste && typeof item.bytes === 'number' ? sizeText(item.bytes) : '',
    cellText(isPaste ? item.name : item.url),
  ]
}

/** Cuts a line to a number of columns; some characters take two. */
const cut = (line: string, columns: number) => {
  if (Bun.stringWidth(line) <= columns) return line
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (Bun.stringWidth(kept + segment) >= columns) break
    kept += segment
  }
  return `${kept}…`
}

const itemHeads = ['address', 'created', 'expires', 'used', 'language', 'size', 'name or target']

type Cells = readonly (readonly string[])[]

/** A table of items. On a terminal, lines are cut at its width. */
export const tableOf = (rows: Cells, columns?: number) => alignedLines(itemHeads, rows, columns)

/** Aligns columns under their heads, and leaves out empty ones; lines are cut at this width. */
export const alignedLines = (heads: readonly string[], rows: Cells, columns = Number.POSITIVE_INFINITY) => {
  const shown = heads.map((_, column) => rows.some((row) => row[column] !== ''))
  const lines = [heads, ...rows].map((line) => line.filter((_, column) => shown[column]))
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))),
  )
  return lines.map((line) => {
    const cells = line.map(
      (cell, at) => cell + ' '.repeat(Math.max(0, (widths?.[at] ?? 0) - Bun.stringWidth(cell))),
    )
    return cut(cells.join('  ').trimEnd(), columns)
  })
}

/** Lists the versions of an item of the key, newest first. */
export const listVersions: ClientCommand = async ([raw = ''], flags, terminal) => {
  const named = itemNamed(raw)
  const target = await targetOf(flags, terminal)
  const { plural, item } = await findNamed(target, named)
  const versions = await versionsOfItem(target, plural, item.id)
  if (flags.json) {
    for (const version of versions) await terminal.printJson(version)
    return 0
  }
  const now = terminal.now()
  const rows = versions.map(({ version, changedAt, bytes }) => [
    ...[String(version), shortAge(changedAt, now)],
    `${bytes} bytes`,
  ])
  for (const line of alignedLines(['version', 'changed', 'size'], rows, terminal.columns))
    await terminal.print(line)
  return 0
}
