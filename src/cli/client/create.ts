import { foreignServer } from './failures.ts'
import { type Answer, addressIn, parseReply } from './reply.ts'
import { send } from './send.ts'
import type { Target } from './target.ts'

export type Creation = {
  target: Target
  path: '/paste' | '/shortener'
  fields: Readonly<Record<string, string | number>>
  /** Called with how much of the body is on its way, and how large it is. */
  onSent?: (bytes: number, all: number) => void
}

export type Created = { address: string; answer: Answer }

const addressNames = { '/paste': 'pasteUrl', '/shortener': 'shortendUrl' } as const

/** Creates one item. @throws {Failure} */
export const create = async ({ target, path, fields, onSent }: Creation): Promise<Created> => {
  const body = Buffer.from(JSON.stringify(fields))
  const onMove = (bytes: number) => onSent?.(bytes, body.length)
  const answer = parseReply(
    await send({ ...target, method: 'POST', path, body, onSent: onMove }),
    target.server,
  )
  const address = addressIn(answer, addressNames[path])
  if (address === undefined) throw foreignServer(target.server, `no ${addressNames[path]}`)
  return { address, answer }
}
