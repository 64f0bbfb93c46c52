import { wrongUsage } from '../client/failures.ts'
import { itemsOfKey, type Plural, singularOf } from '../client/items.ts'
import { type Target, targetOf } from '../client/target.ts'
import type { ClientCommand, Terminal } from '../terminal.ts'
import { cellsOf, type Row, tableOf } from './item-table.ts'

const plurals: readonly Plural[] = ['pastes', 'links']

const limitOf = (raw = '50') => {
  if (!/^[1-9]\d{0,8}$/.test(raw)) throw wrongUsage(`--limit: expected a number from 1, not "${raw}"`)
  return Number(raw)
}

const collectRows = async (target: Target, wanted: readonly Plural[], limit: number) => {
  const rows: Row[] = []
  for (const plural of wanted) {
    const items = await Array.fromAsync(itemsOfKey(target, plural, limit))
    rows.push(...items.map((item) => ({ plural, item })))
  }
  // Each kind is sorted by the server already. The sort is stable, so equal times keep that order.
  if (wanted.length > 1) rows.sort((a, b) => Date.parse(b.item.createdAt) - Date.parse(a.item.createdAt))
  return rows.slice(0, limit)
}

const printTable = async (rows: readonly Row[], { print, columns, now }: Terminal) => {
  const time = now()
  const cells = rows.map((row) => cellsOf(row, time))
  for (const line of tableOf(cells, columns)) await print(line)
}

/** Lists what the key created, newest first. */
export const listItems: ClientCommand = async ([word], flags, terminal) => {
  const wanted = plurals.filter((plural) => word === undefined || word === plural)
  if (wanted.length === 0) throw wrongUsage(`unknown list "${word}": expected pastes or links`)
  const limit = limitOf(flags.limit)
  const rows = await collectRows(await targetOf(flags, terminal), wanted, limit)
  if (flags.json)
    for (const { plural, item } of rows) await terminal.printJson({ type: singularOf[plural], ...item })
  else if (rows.length > 0) await printTable(rows, terminal)
  else terminal.printError('there is nothing yet')
  return 0
}
