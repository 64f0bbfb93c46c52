import { wrongUsage } from '../client/failures.ts'
import { type Item, itemsOfKey, type Page, type Plural, singularOf, type Wanted } from '../client/items.ts'
import { type Target, targetOf } from '../client/target.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'
import { cellsOf, type Row, tableOf } from './item-table.ts'

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
const wantedOf = ({ search, language, since, sort }: ClientFlags): Wanted => ({
  ...(search !== undefined && { q: search }),
  ...(typeof language === 'string' && { language }),
  ...(since !== undefined && { since }),
  ...(sort !== undefined && { sort }),
})

const timeOf = (value: unknown, missing: number) =>
  value === undefined ? missing : Date.parse(String(value))

/** How two items of different kinds are sorted; like the server, with the newest first among equals. */
const sortKeys: Readonly<Record<string, (item: Item) => number>> = {
  created: () => 0,
  changed: ({ changedAt, createdAt }) => timeOf(changedAt ?? createdAt, 0),
  size: ({ bytes, url }) => (typeof bytes === 'number' ? bytes : Buffer.byteLength(String(url ?? ''))),
  expires: ({ expiresAt }) => -timeOf(expiresAt, Number.MAX_SAFE_INTEGER),
}

/** The kinds that these parameters can choose: languages and reads are of pastes, visits of links. */
const kindsFor = ({ language, sort }: Wanted): readonly Plural[] => {
  if (language !== undefined || sort === 'reads') return ['pastes']
  return sort === 'visits' ? ['links'] : plurals
}

/** What a list shows, and what it does not. */
type Listing = {
  rows: readonly Row[]
  isCut: boolean
  /** Items in all, where the server counts them. */
  total: number | undefined
  isComplete: boolean
}

const collect = async (
  target: Target,
  kinds: readonly Plural[],
  { wanted, limit, progress }: { wanted: Wanted; limit: number; progress: Terminal['progress'] },
): Promise<Listing> => {
  const rows: Row[] = []
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

const printTable = async (rows: readonly Row[], { print, columns, now }: Terminal) => {
  const time = now()
  const cells = rows.map((row) => cellsOf(row, time))
  for (const line of tableOf(cells, columns)) await print(line)
}

/** Lists what the key created: all of it, newest first, or what the flags choose. */
export const listItems: ClientCommand = async ([word], flags, terminal) => {
  if (word !== undefined && !plurals.includes(word as Plural))
    throw wrongUsage(`unknown list "${word}": expected pastes or links`)
  const limit = limitOf(flags)
  const wanted = wantedOf(flags)
  const kinds = word === undefined ? kindsFor(wanted) : [word as Plural]
  const { progress, printJson, printError, written } = terminal
  const listing = await collect(await targetOf(flags, terminal), kinds, { wanted, limit, progress })
  const { rows, isCut, isComplete } = listing
  if (flags.json) for (const { plural, item } of rows) await printJson({ type: singularOf[plural], ...item })
  else if (rows.length > 0) await printTable(rows, terminal)
  else printError(Object.keys(wanted).length > 0 ? 'nothing found' : 'there is nothing yet')
  await written()
  if (isCut) printError(cutWords(listing))
  if (!isComplete) printError('the server still reads texts, so there may be more to find')
  return 0
}
