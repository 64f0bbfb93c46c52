import { collect } from '../client/collect.ts'
import type { Failure } from '../client/failures.ts'
import { type Item, ownItems, type Plural, singularOf } from '../client/own-items.ts'
import { withoutControls } from '../control-characters.ts'
import { report, type Target, targetOf } from './target.ts'
import type { ClientCommand } from './terminal.ts'

type Row = { plural: Plural; item: Item }

const plurals: readonly Plural[] = ['pastes', 'links']

/** Before it is printed, for the width of a column counts what is shown. */
const text = (value: unknown) => (typeof value === 'string' ? withoutControls(value) : '')

const cellsOf = ({ plural, item }: Row) => {
  const address = text(plural === 'pastes' ? item.pasteUrl : item.shortendUrl)
  const name = plural === 'pastes' ? text(item.title) || 'Untitled paste' : text(item.url)
  return [text(item.createdAt).slice(0, 16).replace('T', ' '), address, name]
}

/** Cuts at a number of columns, of which some characters take two. */
const cut = (line: string, columns: number) => {
  if (Bun.stringWidth(line) <= columns) return line
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (Bun.stringWidth(kept + segment) >= columns) break
    kept += segment
  }
  return `${kept}…`
}

/** Aligned columns; on a terminal each line is cut at its width. */
export const tableOf = (rows: readonly (readonly string[])[], columns = Number.POSITIVE_INFINITY) => {
  const lines = [['created (UTC)', 'address', 'title or target'], ...rows]
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))))
  return lines.map((line) => {
    const cells = line.map(
      (cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - Bun.stringWidth(cell))),
    )
    return cut(cells.join('  ').trimEnd(), columns)
  })
}

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

/** Shows what the key made, newest first. */
export const listItems: ClientCommand = async ([word], flags, terminal) => {
  const wanted = plurals.filter((plural) => word === undefined || word === plural)
  if (wanted.length === 0)
    return report({ problem: `nothing is called "${word}": list pastes or links`, exitCode: 2 }, terminal)
  const limit = limitOf(flags.limit)
  if (typeof limit !== 'number') return report(limit, terminal)
  const target = await targetOf(flags, terminal)
  if ('problem' in target) return report(target, terminal)
  const rows = await collectRows(target, wanted, limit)
  if ('problem' in rows) return report(rows, terminal)
  if (flags.json)
    for (const { plural, item } of rows) await terminal.printJson({ type: singularOf[plural], ...item })
  else if (rows.length > 0)
    for (const line of tableOf(rows.map(cellsOf), terminal.columns)) await terminal.print(line)
  else terminal.printError('there is nothing yet')
  return 0
}
