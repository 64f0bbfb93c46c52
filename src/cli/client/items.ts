import { largestPasteBytes } from '../../items/paste.ts'
import { Failure, foreignServer } from './failures.ts'
import { type Answer, parseReply } from './reply.ts'
import { send } from './send.ts'
import type { Target } from './target.ts'

export type Plural = 'pastes' | 'links'
export const singularOf = { pastes: 'paste', links: 'link' } as const

/** One item, as the server describes it. */
export type Item = Answer & { id: string; createdAt: string }

/** Items of one page, and the cursor of the next. */
export type Page = {
  items: readonly Item[]
  after: string | undefined
  /** Items in all pages, where the server counts them. */
  total: number | undefined
  /** False while the server still reads texts. */
  isComplete: boolean
}

/** The parameters of a list that choose and sort. */
export type Wanted = Readonly<Record<string, string>>

/** The server's limit per page. */
const largestPage = 200

/** JSON may need six bytes per character. */
export const maxReplyBytes = 6 * largestPasteBytes + 1024 ** 2

const isItem = (value: unknown): value is Item => {
  const item = value as Partial<Item> | null
  return (
    typeof item === 'object' &&
    typeof item?.id === 'string' &&
    /^[0-9a-z]+$/.test(item.id) &&
    typeof item.createdAt === 'string'
  )
}

const ask = async (target: Target, method: 'GET' | 'DELETE', path: string): Promise<Answer> =>
  parseReply(await send({ ...target, method, path, maxReplyBytes }), target.server)

const pageOf = async (
  target: Target,
  plural: Plural,
  limit: number,
  after: string | undefined,
  wanted: Wanted,
): Promise<Page> => {
  const query = new URLSearchParams({
    ...wanted,
    limit: String(limit),
    ...(after !== undefined && { after }),
  })
  const { [plural]: items, after: next, total, isComplete } = await ask(target, 'GET', `/${plural}?${query}`)
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
  wanted: Wanted = {},
  onPage: (page: Page) => void = () => {},
): AsyncGenerator<Item> {
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
export const itemOfKey = async (target: Target, plural: Plural, id: string): Promise<Item> => {
  const { [singularOf[plural]]: item } = await ask(target, 'GET', `/${plural}/${id}`)
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
): Promise<Item> => {
  const { [singularOf[plural]]: item } = await ask(target, 'GET', `/${plural}/${id}/versions/${version}`)
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
  const { versions } = await ask(target, 'GET', `/${plural}/${id}/versions`)
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
  ask(target, 'DELETE', `/${plural}/${id}`)
