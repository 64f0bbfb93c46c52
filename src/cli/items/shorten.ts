import { linkTable } from '../../items/link.ts'
import { create, fieldsOf } from '../client/create.ts'
import { creationTargetOf } from '../client/target.ts'
import type { ClientCommand } from '../terminal.ts'
import { printCreated } from './created.ts'

/** Creates a short link and prints its address. */
export const shorten: ClientCommand = async ([url = ''], flags, terminal) => {
  const said = fieldsOf(linkTable, flags)
  const target = await creationTargetOf(flags, terminal)
  const created = await create({ target, path: '/shortener', fields: { url, ...said } })
  await printCreated(created, flags, terminal)
  return 0
}
