import { wrongUsage } from '../client/failures.ts'
import { deleteItemOfKey } from '../client/items.ts'
import { findNamed, kindOf, type Named, parseNamed } from '../client/named-item.ts'
import { parseReply } from '../client/reply.ts'
import { send } from '../client/send.ts'
import { targetOf, timeoutOf } from '../client/target.ts'
import type { ClientCommand, ClientFlags, Terminal } from '../terminal.ts'

const endpoint = /^(.*)(\/(?:paste|shortener)\/delete)$/

/** Server and path of a deletion link; `undefined` for any other address. */
const linkParts = (raw: string) => {
  const url = /^https?:\/\//i.test(raw) ? URL.parse(raw) : null
  const [, prefix = '', path] = endpoint.exec(url?.pathname ?? '') ?? []
  if (!url || !path || !url.searchParams.get('key')) return undefined
  return { server: url.origin + prefix, path: path + url.search }
}

/** The link is the permission, so no key is sent. */
const deleteByLink = async (parts: { server: string; path: string }, { timeout }: ClientFlags) => {
  const reply = await send({ method: 'DELETE', ...parts, ...timeoutOf(timeout) })
  return { answer: parseReply(reply, parts.server), what: '' }
}

const deleteByName = async (named: Named, flags: ClientFlags, terminal: Terminal) => {
  const target = await targetOf(flags, terminal)
  const found = await findNamed(target, named)
  const answer = await deleteItemOfKey(target, found.plural, found.item.id)
  return { answer, what: ` ${kindOf(found)} ${found.address}` }
}

const erase = async (raw: string, flags: ClientFlags, terminal: Terminal) => {
  const parts = linkParts(raw)
  if (parts) return deleteByLink(parts, flags)
  const named = parseNamed(raw)
  if (named) return deleteByName(named, flags, terminal)
  throw wrongUsage(
    'expected a deletion link (in quotes, for the shell), the address of a paste or short link, or its name or id',
  )
}

/** Deletes one item. */
export const deleteItem: ClientCommand = async ([raw = ''], flags, terminal) => {
  const { answer, what } = await erase(raw, flags, terminal)
  if (flags.json) terminal.printJson(answer)
  else terminal.printError(`deleted${what}`)
  return 0
}
