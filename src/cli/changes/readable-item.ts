import { Failure, foreignServer } from '../client/failures.ts'
import { maxReplyBytes } from '../client/items.ts'
import { findNamed, type Named } from '../client/named-item.ts'
import { parseReply } from '../client/reply.ts'
import { send } from '../client/send.ts'
import type { Target } from '../client/target.ts'
import { contentOf } from '../items/get.ts'

/** An item that this user may read: its address, its title, and its text or target. */
export type Readable = { name: string; about: string; text: string }

type PublicPaste = { id: string; title: string; text: string }

const isPublicPaste = (value: unknown): value is PublicPaste => {
  const { id, title, text } = (value ?? {}) as Partial<PublicPaste>
  return typeof id === 'string' && typeof title === 'string' && typeof text === 'string'
}

/** A paste as anyone reads it: the key is not sent. */
const readPublic = async ({ server, timeoutMs }: Target, name: string): Promise<Readable> => {
  const path = `/p/${name.toLowerCase()}`
  const reply = await send({ server, timeoutMs, method: 'GET', path, maxReplyBytes })
  if (reply.status !== 200) parseReply(reply, server)
  if (!isPublicPaste(reply.body)) throw foreignServer(server, 'no paste')
  return { name: `${server}${path}`, about: reply.body.title, text: reply.body.text }
}

const isNotOwn = (error: unknown) =>
  error instanceof Failure &&
  error.exitCode === 1 &&
  (error.reply.status === 404 || error.reply.status === undefined)

/** @returns `undefined` if this key made no such item, and somebody else may have made a paste */
const findOwn = async (target: Target, named: Named) => {
  try {
    return await findNamed(target, named)
  } catch (error) {
    if (named.page?.plural === 'links' || !isNotOwn(error)) throw error
    return undefined
  }
}

/** An item of the key, or else a paste that somebody else made; that read counts. @throws {Failure} */
export const findReadable = async (target: Target, named: Named): Promise<Readable> => {
  const own = await findOwn(target, named)
  if (!own) return readPublic(target, named.name)
  const { plural, item, address } = own
  return { name: address, about: String(item.title ?? ''), text: contentOf(plural, item) }
}
