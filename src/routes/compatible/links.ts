import { invalid } from '../../errors.ts'
import type { StoredLink } from '../../items/link.ts'
import type { KeyHolder } from '../../services/keys.ts'
import type { Listed } from '../../services/own-items.ts'
import type { ProtocolParts } from './protocol.ts'

/** The body of a new short link, in our words. */
export type LinkAsked = { url?: unknown; alias?: unknown; expiresIn?: unknown; maxVisits?: unknown }

/** What fields of a protocol are in our words; each by its name there. */
export type LinkFields = Readonly<Record<string, (value: unknown) => object>>

/** @param field as the protocol names it */
export const wrong = (field: string, why: string) => {
  const message = `Field "${field.slice(0, 40)}" ${why}`
  return invalid(message, { field, message })
}

/** A field under our name; empty is left out. */
export const as = (name: string) => (value: unknown) =>
  value === null || value === '' ? {} : { [name]: value }

/** A field that may be sent, as long as it asks for nothing. */
export const nothing = (field: string, isNothing: (value: unknown) => boolean) => (value: unknown) => {
  if (value === null || value === '' || isNothing(value)) return {}
  throw wrong(field, `cannot be ${JSON.stringify(value)?.slice(0, 40)}: this server has nothing like it`)
}

/** For `nothing`: a field whose every value asks for something. */
export const never = () => false

/** @throws {AppError} `invalid` for a field that is not known */
export const inOurWords = (body: object, fields: LinkFields): LinkAsked => {
  const own = Object.entries(body).map(([name, value]) => {
    const read = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (read) return read(value)
    throw wrong(name, `is not known here. The known ones are: ${Object.keys(fields).join(', ')}`)
  })
  return Object.assign({}, ...own)
}

/** Milliseconds by which an expiry may differ: it is asked for in whole seconds. */
const nearMs = 2000

/** A link of the key to the same address, which lasts as long and as often. Guests share one owner, so they find none. */
export const findSame = async (
  { linksOfKey, now }: ProtocolParts,
  { name, as }: KeyHolder,
  { url, alias, expiresIn, maxVisits }: LinkAsked,
) => {
  const href = URL.parse(String(url))?.href
  if (as === 'guest' || href === undefined || maxVisits !== undefined) return undefined
  const expiresAt = expiresIn === undefined ? undefined : now() + Number(expiresIn) * 1000
  const isSame = (link: Listed<StoredLink>) =>
    link.url === href &&
    link.maxVisits === undefined &&
    (alias === undefined || link.alias === String(alias).toLowerCase()) &&
    (link.expiresAt === expiresAt || Math.abs((link.expiresAt ?? 0) - (expiresAt ?? 0)) < nearMs)
  // As many words as a search takes.
  const words = [...new Set(href.toLowerCase().match(/[a-z\d]+/g))].slice(0, 32).join(' ')
  for (let after: string | undefined; ; ) {
    const found = await linksOfKey.search(name, { text: words, sort: 'created' }, 200, after)
    const same = found.items.find(isSame)
    after = found.after
    if (same || after === undefined) return same
  }
}
