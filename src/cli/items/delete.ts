import type { Failure } from '../client/failures.ts'
import { type Answer, judge } from '../client/judge.ts'
import { findNamed, kindOf, type Named, parseNamed } from '../client/named-item.ts'
import { deleteOwnItem } from '../client/own-items.ts'
import { send } from '../client/send.ts'
import { timeoutOf } from '../input/settings.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'
import { report, targetOf } from './target.ts'

type Deleted = { answer: Answer; what: string }

const endpoint = /^(.*)(\/(?:paste|shortener)\/delete)$/

/** Server and path of a deletion link; `undefined` for any other address. */
const linkParts = (raw: string) => {
  const url = /^https?:\/\//i.test(raw) ? URL.parse(raw) : null
  const [, prefix = '', path] = endpoint.exec(url?.pathname ?? '') ?? []
  if (!url || !path || !url.searchParams.get('key')) return undefined
  return { server: url.origin + prefix, path: path + url.search }
}

type LinkParts = NonNullable<ReturnType<typeof linkParts>>

/** The link is the permission: no key is sent. */
const deleteByLink = async (parts: LinkParts, flags: ClientFlags): Promise<Deleted | Failure> => {
  const patience = timeoutOf(flags.timeout)
  if ('problem' in patience) return patience
  const reply = await send({ method: 'DELETE', ...parts, ...patience })
  const judged = 'problem' in reply ? reply : judge(reply, parts.server)
  return 'problem' in judged ? judged : { answer: judged.answer, what: '' }
}

const deleteOwn = async (
  named: Named,
  flags: ClientFlags,
  terminal: Terminal,
): Promise<Deleted | Failure> => {
  const target = await targetOf(flags, terminal)
  if ('problem' in target) return target
  const found = await findNamed(target, named)
  if ('problem' in found) return found
  const done = await deleteOwnItem(target, found.plural, found.item.id)
  return 'problem' in done ? done : { answer: done.answer, what: ` ${kindOf(found)} ${found.address}` }
}

const expected =
  'expected a deletion link (in quotes, for the shell), the address of a paste or short link, or its name or id'

const erase = (
  raw: string,
  flags: ClientFlags,
  terminal: Terminal,
): Deleted | Failure | Promise<Deleted | Failure> => {
  const parts = linkParts(raw)
  if (parts) return deleteByLink(parts, flags)
  const named = parseNamed(raw)
  return named ? deleteOwn(named, flags, terminal) : { problem: expected, exitCode: 2 }
}

/** Deletes one item. */
export const deleteItem: ClientCommand = async ([raw = ''], flags, terminal) => {
  const done = await erase(raw, flags, terminal)
  if ('problem' in done) return report(done, terminal)
  if (flags.json) terminal.printJson(done.answer)
  else terminal.printError(`deleted${done.what}`)
  return 0
}
