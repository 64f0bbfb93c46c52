import { create } from '../client/create.ts'
import { limitField } from '../client/limit.ts'
import { targetOf } from '../client/target.ts'
import type { ClientCommand } from '../terminal.ts'
import { optionsOf, printCreated } from './created.ts'

/** Makes a short link and prints its address. */
export const shorten: ClientCommand = async ([url = ''], flags, terminal) => {
  const limit = limitField('maxVisits', 'max-visits', flags['max-visits'])
  const target = await targetOf(flags, terminal)
  const created = await create({ target, path: '/shortener', fields: { url, ...optionsOf(flags), ...limit } })
  await printCreated(created, flags, terminal)
  return 0
}
