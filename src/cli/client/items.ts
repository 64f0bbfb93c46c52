import { flagNames, isNumber, isSwitch, sentRows, type Table } from '../../items/field.ts'
import { largestPasteBytes } from '../../items/paste.ts'
import type { ClientFlags } from '../terminal.ts'
import { type CreationTarget, noKey, type Target } from './login.ts'
import {
  type AnswerFields,
  addressIn,
  Failure,
  foreignServer,
  parseReply,
  type Reply,
  send,
  wrongUsage,
} from './send.ts'

export type Plural = 'pastes' | 'links'
export const singularOf = { pastes: 'paste', links: 'link' } as const

/** One item, as the server describes it. */
export type OwnItem = AnswerFields & { id: string; createdAt: string }

/** Items of one page, and the cursor of the next. */
export type Page = {
  items: readonly OwnItem[]
  after: string | undefined
  /** Items in all pages, where the server counts them. */
  total: number | undefined
  /** False while the server still reads texts. */
  isComplete: boolean
}

/** The parameters of a list that choose and sort. */
export type ListQuery = Readonly<Record<string, string>>

/** The server's limit per page. */
const largestPage = 200

/** JSON may need six bytes per character. */
export const maxReplyBytes = 6 * largestPasteBytes + 1024 ** 2

const isItem = (value: unknown): value is OwnItem => {
  const item = value as Partial<OwnItem> | null
  return (
    typeof item === 'object' &&
    typeof item?.id === 'string' &&
    /^[0-9a-z]+$/.test(item.id) &&
    typeof item.createdAt === 'string'
  )
}

const requestItem = async (target: Target, method: 'GET' | 'DELETE', path: string): Promise<AnswerFields> =>
  parseReply(await send({ ...target, method, path, maxReplyBytes }), target.server)

const pageOf = async (
  target: Target,
  plural: Plural,
  limit: number,
  after: string | undefined,
  wanted: ListQuery,
): Promise<Page> => {
  const query = new URLSearchParams({
    ...wanted,
    limit: String(limit),
    ...(after !== undefined && { after }),
  })
  const {
    [plural]: items,
    after: next,
    total,
    isComplete,
  } = await requestItem(target, 'GET', `/${plural}?${query}`)
  if (!Array.isArray(items) || !items.every(isItem)) throw foreignServer(target.server, `no ${plural}`)
  return {
    items,
    after: typeof next === 'string' && next !== after ? next : undefined,
    total: typeof total === 'number' ? total : undefined,
    isComplete: isComplete !== false,
  }
}

/** What the key created, newest first unless it wants otherwise: page by page, up to `limit` items. @throws {Failure} */
export async function* itemsOfKey(
  target: Target,
  plural: Plural,
  limit = Number.POSITIVE_INFINITY,
  wanted: ListQuery = {},
  onPage: (page: Page) => void = () => {},
): AsyncGenerator<OwnItem> {
  let after: string | undefined
  for (let left = limit; left > 0; ) {
    const page = await pageOf(target, plural, Math.min(left, largestPage), after, wanted)
    onPage(page)
    yield* page.items.slice(0, left)
    left -= page.items.length
    after = page.after
    if (after === undefined) return
  }
}

/** The record of one item, by id or name. @throws {Failure} */
export const itemOfKey = async (target: Target, plural: Plural, id: string): Promise<OwnItem> => {
  const { [singularOf[plural]]: item } = await requestItem(target, 'GET', `/${plural}/${id}`)
  if (isItem(item)) return item
  throw foreignServer(target.server, `no ${singularOf[plural]}`)
}

/** An item and its entity tag, for a change of this very version. @throws {Failure} */
export const itemToChange = async (target: Target, plural: Plural, id: string) => {
  const reply = await send({ ...target, method: 'GET', path: `/${plural}/${id}`, maxReplyBytes })
  const { [singularOf[plural]]: item } = parseReply(reply, target.server)
  const tag = reply.headers.get('etag')
  if (!isItem(item) || tag === null) throw foreignServer(target.server, `no ${singularOf[plural]}`)
  return { item, tag }
}

/** Changes an item, unless it is another version by now. @returns the item as it is now. @throws {Failure} */
export const changeItem = async (
  target: Target,
  plural: Plural,
  id: string,
  fields: object,
  ifMatch: string,
) => {
  const body = Buffer.from(JSON.stringify(fields))
  const call = { ...target, method: 'PATCH', path: `/${plural}/${id}`, body, ifMatch, maxReplyBytes } as const
  const { [singularOf[plural]]: item } = parseReply(await send(call), target.server)
  if (isItem(item)) return item
  throw foreignServer(target.server, `no ${singularOf[plural]}`)
}

/** One version of an item, the newest too. @throws {Failure} */
export const versionOfItem = async (
  target: Target,
  plural: Plural,
  id: string,
  version: number,
): Promise<OwnItem> => {
  const { [singularOf[plural]]: item } = await requestItem(
    target,
    'GET',
    `/${plural}/${id}/versions/${version}`,
  )
  if (isItem(item)) return item
  throw foreignServer(target.server, `no ${singularOf[plural]}`)
}

export type Version = { version: number; changedAt: string; bytes: number }

const isVersion = (value: unknown): value is Version => {
  const { version, changedAt, bytes } = (value ?? {}) as Partial<Version>
  return Number.isInteger(version) && typeof changedAt === 'string' && Number.isInteger(bytes)
}

/** The versions of an item, newest first. @throws {Failure} */
export const versionsOfItem = async (target: Target, plural: Plural, id: string): Promise<Version[]> => {
  const { versions } = await requestItem(target, 'GET', `/${plural}/${id}/versions`)
  if (Array.isArray(versions) && versions.every(isVersion)) return versions
  throw foreignServer(target.server, 'no versions')
}

/** The record of a listed item; `undefined` if it has been deleted since. @throws {Failure} */
export const stillThere = (target: Target, plural: Plural, id: string) =>
  itemOfKey(target, plural, id).catch((error) => {
    if (error instanceof Failure && error.exitCode === 1) return undefined
    throw error
  })

/** Deletes one item. @returns the answer of the server. @throws {Failure} */
export const deleteItemOfKey = (target: Target, plural: Plural, id: string) =>
  requestItem(target, 'DELETE', `/${plural}/${id}`)

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

export type Found = { plural: Plural; item: OwnItem; address: string }

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
export const kindOfFound = ({ plural }: Found) => (plural === 'links' ? 'short link' : singularOf[plural])

export type Creation = {
  target: CreationTarget
  path: '/paste' | '/shortener'
  fields: Readonly<Record<string, string | number | boolean>>
  /** Called with the bytes handed to the connection so far, and the size of the body. */
  onSent?: (bytes: number, all: number) => void
}

export type CreatedItem = { address: string; answer: AnswerFields }

const createdNames = { '/paste': 'pasteUrl', '/shortener': 'shortendUrl' } as const

/** Only the server knows who may create without a key. @throws {Failure} */
const answerIn = (reply: Reply, { server, key }: CreationTarget) => {
  try {
    return parseReply(reply, server)
  } catch (error) {
    const { status, says } = error instanceof Failure ? error.reply : {}
    throw key === undefined && status === 401 ? noKey(server, says) : error
  }
}

/** Creates one item. @throws {Failure} */
export const createItem = async ({ target, path, fields, onSent }: Creation): Promise<CreatedItem> => {
  const body = Buffer.from(JSON.stringify(fields))
  const onMove = (bytes: number) => onSent?.(bytes, body.length)
  const answer = answerIn(await send({ ...target, method: 'POST', path, body, onSent: onMove }), target)
  const address = addressIn(answer, createdNames[path])
  if (address === undefined) throw foreignServer(target.server, `no ${createdNames[path]}`)
  return { address, answer }
}

export type ItemFields = Creation['fields']

/** The fields of a new item in the flags. The server checks the range of numbers. @throws {Failure} */
export const fieldsOf = (table: Table, flags: ClientFlags): ItemFields => {
  const fields: Record<string, string | number | boolean> = {}
  for (const [name, field] of sentRows(table)) {
    const [flag] = flagNames(name, field)
    const text = flags[flag]
    if (field.flag && isSwitch(field) && text === true) fields[name] = true
    if (!field.flag || typeof text !== 'string') continue
    if (isNumber(field) && !/^\d{1,15}$/.test(text))
      throw wrongUsage(`--${flag}: expected a whole number, at least 1, not "${text}"`)
    fields[name] = isNumber(field) ? Number(text) : text
  }
  return fields
}
