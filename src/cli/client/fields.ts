import { sentRows, type Table } from '../../items/field.ts'
import { flagOf, isNumber } from '../../items/texts.ts'
import type { ClientFlags } from '../terminal.ts'
import type { Creation } from './create.ts'
import { wrongUsage } from './failures.ts'

export type Fields = Creation['fields']

/** The fields of a new item that flags name; how large a number may be is for the server to say. @throws {Failure} */
export const fieldsOf = (table: Table, flags: ClientFlags): Fields => {
  const fields: Record<string, string | number> = {}
  for (const [name, field] of sentRows(table)) {
    const flag = flagOf(name)
    const text = flags[flag]
    if (!field.flag || typeof text !== 'string') continue
    if (isNumber(field) && !/^\d{1,15}$/.test(text))
      throw wrongUsage(`--${flag}: expected a whole number, at least 1, not "${text}"`)
    fields[name] = isNumber(field) ? Number(text) : text
  }
  return fields
}
