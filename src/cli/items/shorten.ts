import { linkTable } from '../../items/link.ts'
import { create, fieldsOf } from '../client/create.ts'
import { waitWords, withinRate } from '../client/rate-wait.ts'
import { creationTargetOf } from '../client/target.ts'
import type { ClientCommand } from '../terminal.ts'
import { printCreated } from './created.ts'

/** Creates a short link and prints its address. */
export const shorten: ClientCommand = async ([url = ''], flags, terminal) => {
  const said = fieldsOf(linkTable, flags)
  const target = await creationTargetOf(flags, terminal)
  const attempt = () => create({ target, path: '/shortener', fields: { url, ...said } })
  const onWait = (seconds: number) => terminal.printError(waitWords(seconds))
  const created = await withinRate(attempt, { flags, terminal, onWait })
  await printCreated(created, flags, terminal)
  return 0
}
