import { Failure, wrongUsage } from './failures.ts'
import { type Item, itemOfKey, type Plural, singularOf } from './items.ts'
import type { Target } from './target.ts'

/** An item as the user named it: name or id, or an address, which includes the kind. */
export type Named = { name: string; page?: { plural: Plural; server: string } }

const nameShape = /^[\w-]{1,64}$/
const pagePath = /^(.*?)\/(p\/raw|p|s)\/([\w-]{1,64})\+?$/

/** `undefined` if it is neither a name nor the address of an item. */
export const parseNamed = (raw: string): Named | undefined => {
  if (nameShape.test(raw)) return { name: raw }
  const url = /^https?:\/\//i.test(raw) ? URL.parse(raw) : null
  const [, prefix = '', path, name] = pagePath.exec(url?.pathname ?? '') ?? []
  if (!url || name === undefined) return undefined
  return { name, page: { plural: path === 's' ? 'links' : 'pastes', server: url.origin + prefix } }
}

/** @throws {Failure} for anything that is neither a name nor the address of an item */
export const itemNamed = (raw: string): Named => {
  const named = parseNamed(raw)
  if (named) return named
  throw wrongUsage('expected the address of a paste or short link, or its name or id')
}

export type Found = { plural: Plural; item: Item; address: string }

const addressNames = { pastes: 'pasteUrl', links: 'shortendUrl' } as const

const findOne = async (target: Target, plural: Plural, name: string): Promise<Found> => {
  const item = await itemOfKey(target, plural, name.toLowerCase())
  return { plural, item, address: String(item[addressNames[plural]]) }
}

/** The item, or a failure if there is none. Throws any other failure. */
const lookFor = (target: Target, plural: Plural, name: string): Promise<Found | Failure> =>
  findOne(target, plural, name).catch((error) => {
    // Other failures stop the deletion: the other kind may have an item with this name.
    if (error instanceof Failure && (error.reply.status === 404 || error.reply.status === 410)) return error
    throw error
  })

/** A name without an address may be of either kind. */
const findAny = async (target: Target, name: string): Promise<Found> => {
  const both = [await lookFor(target, 'pastes', name), await lookFor(target, 'links', name)]
  const found = both.filter((one): one is Found => !(one instanceof Failure))
  if (found.length > 1)
    throw wrongUsage(
      `"${name}" is a paste and a short link: give the address, ${found.map(({ address }) => address).join(' or ')}`,
    )
  if (found[0]) return found[0]
  const gone = both.find((one) => one instanceof Failure && one.reply.status === 410)
  throw gone ?? new Failure(`this key made no paste and no short link "${name}"`, 1)
}

/** Finds one item of the key. The key is sent only to the server of `target`, never to one in an address. @throws {Failure} */
export const findNamed = async (target: Target, { name, page }: Named): Promise<Found> => {
  if (!page) return findAny(target, name)
  if (page.server === target.server) return findOne(target, page.plural, name)
  const found = await lookFor(target, page.plural, name)
  const isElsewhere =
    found instanceof Failure
      ? found.reply.status === 404
      : found.address.replace(/\/[ps]\/[\w-]+$/, '') !== page.server
  if (isElsewhere)
    throw wrongUsage(
      `${page.server} is not ${target.server}, which your key is for: log in there, or give --server`,
    )
  if (found instanceof Failure) throw found
  return found
}

/** `paste` or `short link`. */
export const kindOf = ({ plural }: Found) => (plural === 'links' ? 'short link' : singularOf[plural])
