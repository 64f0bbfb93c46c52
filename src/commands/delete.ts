import { judge } from '../client/judge.ts'
import { send } from '../client/send.ts'
import { timeoutOf } from '../client/settings.ts'
import { report } from './target.ts'
import type { ClientCommand } from './terminal.ts'

const endpoint = /^(.*)(\/(?:paste|shortener)\/delete)$/

/** Server and path of a deletion address; `undefined` for any other. */
const partsOf = (raw: string) => {
  const url = /^https?:\/\//i.test(raw) ? URL.parse(raw) : null
  const [, prefix = '', path] = endpoint.exec(url?.pathname ?? '') ?? []
  if (!url || !path || !url.searchParams.get('key')) return undefined
  return { server: url.origin + prefix, path: path + url.search }
}

const expected =
  'expected the deletionUrl of an answer, such as http://nas:8080/paste/delete?key=… (in quotes, for the shell)'

/** Deletes what a deletion address stands for. The address is the permission: no key is sent. */
export const deleteItem: ClientCommand = async ([raw = ''], flags, terminal) => {
  const parts = partsOf(raw)
  if (!parts) return report({ problem: expected, exitCode: 2 }, terminal)
  const patience = timeoutOf(flags.timeout)
  if ('problem' in patience) return report(patience, terminal)
  const reply = await send({ method: 'DELETE', ...parts, ...patience })
  if ('problem' in reply) return report(reply, terminal)
  const judged = judge(reply, parts.server)
  if ('problem' in judged) return report(judged, terminal)
  if (flags.json) terminal.printJson(judged.answer)
  else terminal.printError('deleted')
  return 0
}
