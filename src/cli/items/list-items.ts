import { wrongUsage } from '../client/failures.ts'
import { type Item, itemsOfKey, type Plural, singularOf, type Wanted } from '../client/items.ts'
import { type Target, targetOf } from '../client/target.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'
import { cellsOf, type Row, tableOf } from './item-table.ts'

const plurals: readonly Plural[] = ['pastes', 'links']

const limitOf = (raw = '50') => {
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

type Listing = { wanted: Wanted; limit: number; onIncomplete: () => void }

const collectRows = async (
  target: Target,
  kinds: readonly Plural[],
  { wanted, limit, onIncomplete }: Listing,
) => {
  const rows: Row[] = []
  for (const plural of kinds) {
    const items = await Array.fromAsync(itemsOfKey(target, plural, limit, wanted, onIncomplete))
    rows.push(...items.map((item) => ({ plural, item })))
  }
  // Each kind is sorted by the server already. The sort is stable, so equals keep that order.
  const key = sortKeys[wanted.sort ?? 'created'] ?? (() => 0)
  if (kinds.length > 1)
    rows.sort(
      (a, b) => key(b.item) - key(a.item) || Date.parse(b.item.createdAt) - Date.parse(a.item.createdAt),
    )
  return rows.slice(0, limit)
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
  const limit = limitOf(flags.limit)
  const wanted = wantedOf(flags)
  const kinds = word === undefined ? kindsFor(wanted) : [word as Plural]
  let isComplete = true
  const onIncomplete = () => {
    isComplete = false
  }
  const rows = await collectRows(await targetOf(flags, terminal), kinds, { wanted, limit, onIncomplete })
  if (flags.json)
    for (const { plural, item } of rows) await terminal.printJson({ type: singularOf[plural], ...item })
  else if (rows.length > 0) await printTable(rows, terminal)
  else terminal.printError(Object.keys(wanted).length > 0 ? 'nothing found' : 'there is nothing yet')
  if (!isComplete) terminal.printError('the server still reads texts, so there may be more to find')
  return 0
}
