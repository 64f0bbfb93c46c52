import type { Login } from '../input/settings.ts'
import type { Failure } from './failures.ts'
import { type Item, ownItem, type Plural, singularOf } from './own-items.ts'

type Target = Login & { timeoutMs: number }

/** What somebody typed for an item: a name or id, or an address, which says the kind as well. */
export type Named = { name: string; page?: { plural: Plural; server: string } }

const nameShape = /^[\w-]{1,64}$/
const pagePath = /^(.*?)\/(p\/raw|p|s)\/([\w-]{1,64})\+?$/

/** `undefined` for what can be neither a name nor the address of a paste or short link. */
export const parseNamed = (raw: string): Named | undefined => {
  if (nameShape.test(raw)) return { name: raw }
  const url = /^https?:\/\//i.test(raw) ? URL.parse(raw) : null
  const [, prefix = '', path, name] = pagePath.exec(url?.pathname ?? '') ?? []
  if (!url || name === undefined) return undefined
  return { name, page: { plural: path === 's' ? 'links' : 'pastes', server: url.origin + prefix } }
}

export type Found = { plural: Plural; item: Item; address: string }

const addressNames = { pastes: 'pasteUrl', links: 'shortendUrl' } as const

const findOne = async (target: Target, plural: Plural, name: string): Promise<Found | Failure> => {
  const item = await ownItem(target, plural, name.toLowerCase())
  if ('problem' in item) return item as Failure
  return { plural, item, address: String(item[addressNames[plural]]) }
}

const isFound = (one: Found | Failure): one is Found => !('problem' in one)

/** A name without its address may be of either kind. */
const findAny = async (target: Target, name: string): Promise<Found | Failure> => {
  const both = [await findOne(target, 'pastes', name), await findOne(target, 'links', name)] as const
  // Nothing is deleted while it is not known what else has the name.
  const unknown = both.find((one) => !isFound(one) && one.status !== 404 && one.status !== 410)
  if (unknown) return unknown
  const found = both.filter(isFound)
  if (found.length > 1)
    return {
      problem: `"${name}" is a paste and a short link: give the address, ${found.map(({ address }) => address).join(' or ')}`,
      exitCode: 2,
    }
  const gone = both.find((one) => !isFound(one) && one.status === 410)
  return found[0] ?? gone ?? { problem: `this key made no paste and no short link "${name}"`, exitCode: 1 }
}

/** One item of the key, by what somebody typed. The key goes to the server of `target`, whatever an address names. */
export const findNamed = async (target: Target, { name, page }: Named): Promise<Found | Failure> => {
  if (!page) return findAny(target, name)
  const found = await findOne(target, page.plural, name)
  if (page.server === target.server) return found
  const isElsewhere = isFound(found)
    ? found.address.replace(/\/[ps]\/[\w-]+$/, '') !== page.server
    : found.status === 404
  if (!isElsewhere) return found
  return {
    problem: `${page.server} is not ${target.server}, which your key is for: log in there, or give --server`,
    exitCode: 2,
  }
}

/** `paste` or `short link`. */
export const kindOf = ({ plural }: Found) => (plural === 'links' ? 'short link' : singularOf[plural])
