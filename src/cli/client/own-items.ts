import { largestPasteBytes } from '../../settings/values.ts'
import type { Login } from '../input/settings.ts'
import type { Failure } from './failures.ts'
import { type Answer, judge } from './judge.ts'
import { send } from './send.ts'

export type Plural = 'pastes' | 'links'
export const singularOf = { pastes: 'paste', links: 'link' } as const

/** One item, as the server describes it. */
export type Item = Answer & { id: string; createdAt: string }

type Target = Login & { timeoutMs: number }

/** Items of one page, and where the next one begins. */
export type Page = { items: readonly Item[]; after: string | undefined }

/** The most a server gives at once. */
export const largestPage = 200

/** JSON may write one character as six. */
const maxReplyBytes = 6 * largestPasteBytes + 1024 ** 2

const isItem = (value: unknown): value is Item => {
  const item = value as Partial<Item> | null
  return (
    typeof item === 'object' &&
    typeof item?.id === 'string' &&
    /^[0-9a-z]+$/.test(item.id) &&
    typeof item.createdAt === 'string'
  )
}

const ask = async (
  target: Target,
  method: 'GET' | 'DELETE',
  path: string,
): Promise<{ answer: Answer } | Failure> => {
  const reply = await send({ ...target, method, path, maxReplyBytes })
  return 'problem' in reply ? reply : judge(reply, target.server)
}

const foreign = (server: string, what: string): Failure => ({
  problem: `${server} does not answer like a Shortcrust server (no ${what})`,
  exitCode: 5,
})

const pageOf = async (
  target: Target,
  plural: Plural,
  limit: number,
  after: string | undefined,
): Promise<Page | Failure> => {
  const query = new URLSearchParams({ limit: String(limit), ...(after !== undefined && { after }) })
  const result = await ask(target, 'GET', `/${plural}?${query}`)
  if ('problem' in result) return result
  const { [plural]: items, after: next } = result.answer
  if (!Array.isArray(items) || !items.every(isItem)) return foreign(target.server, plural)
  return { items, after: typeof next === 'string' && next !== after ? next : undefined }
}

/** What the key made, newest first: page after page, up to `limit` items. A failure is the last thing given. */
export async function* ownItems(
  target: Target,
  plural: Plural,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item | Failure> {
  let after: string | undefined
  for (let left = limit; left > 0; ) {
    const page = await pageOf(target, plural, Math.min(left, largestPage), after)
    if ('problem' in page) return yield page
    yield* page.items.slice(0, left)
    left -= page.items.length
    after = page.after
    if (after === undefined) return
  }
}

/** The whole record of one item, by id or name. */
export const ownItem = async (target: Target, plural: Plural, id: string): Promise<Item | Failure> => {
  const result = await ask(target, 'GET', `/${plural}/${id}`)
  if ('problem' in result) return result
  const item = result.answer[singularOf[plural]]
  return isItem(item) ? item : foreign(target.server, singularOf[plural])
}

/** Deletes one item. @returns what the server answered */
export const deleteOwnItem = (target: Target, plural: Plural, id: string) =>
  ask(target, 'DELETE', `/${plural}/${id}`)
