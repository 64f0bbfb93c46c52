import { create } from '../client/create.ts'
import { limitField } from '../client/limit.ts'
import type { ClientCommand } from '../terminal.ts'
import { printCreated } from './created.ts'
import { optionsOf, report, targetOf } from './target.ts'

/** Makes a short link and prints its address. */
export const shorten: ClientCommand = async ([url = ''], flags, terminal) => {
  const limit = limitField('maxVisits', 'max-visits', flags['max-visits'])
  if ('problem' in limit) return report(limit, terminal)
  const target = await targetOf(flags, terminal)
  if ('problem' in target) return report(target, terminal)
  const fields = { url, ...optionsOf(flags), ...limit }
  const created = await create({ target, path: '/shortener', fields })
  if ('problem' in created) return report(created, terminal)
  await printCreated(created, flags, terminal)
  return 0
}
