import { collect } from '../client/collect.ts'
import type { Failure } from '../client/failures.ts'
import { ownItems, type Plural, singularOf } from '../client/own-items.ts'
import type { ClientCommand, Terminal } from '../terminal.ts'
import { cellsOf, type Row, tableOf } from './item-table.ts'
import { report, type Target, targetOf } from './target.ts'

const plurals: readonly Plural[] = ['pastes', 'links']

const limitOf = (raw = '50'): number | Failure =>
  /^[1-9]\d{0,8}$/.test(raw)
    ? Number(raw)
    : { problem: `--limit: expected a number from 1, not "${raw}"`, exitCode: 2 }

const collectRows = async (target: Target, wanted: readonly Plural[], limit: number) => {
  const rows: Row[] = []
  for (const plural of wanted) {
    const items = await collect(ownItems(target, plural, limit))
    if ('problem' in items) return items
    rows.push(...items.map((item) => ({ plural, item })))
  }
  // Each kind comes in the order of the server, which stays as it is where the times are equal.
  if (wanted.length > 1) rows.sort((a, b) => Date.parse(b.item.createdAt) - Date.parse(a.item.createdAt))
  return rows.slice(0, limit)
}

const printTable = async (rows: readonly Row[], { print, columns, now }: Terminal) => {
  const time = now()
  const cells = rows.map((row) => cellsOf(row, time))
  for (const line of tableOf(cells, columns)) await print(line)
}

/** Shows what the key made, newest first. */
export const listItems: ClientCommand = async ([word], flags, terminal) => {
  const wanted = plurals.filter((plural) => word === undefined || word === plural)
  if (wanted.length === 0)
    return report({ problem: `unknown list "${word}": expected pastes or links`, exitCode: 2 }, terminal)
  const limit = limitOf(flags.limit)
  if (typeof limit !== 'number') return report(limit, terminal)
  const target = await targetOf(flags, terminal)
  if ('problem' in target) return report(target, terminal)
  const rows = await collectRows(target, wanted, limit)
  if ('problem' in rows) return report(rows, terminal)
  if (flags.json)
    for (const { plural, item } of rows) await terminal.printJson({ type: singularOf[plural], ...item })
  else if (rows.length > 0) await printTable(rows, terminal)
  else terminal.printError('there is nothing yet')
  return 0
}
