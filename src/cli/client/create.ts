import type { Login } from '../input/settings.ts'
import type { Failure } from './failures.ts'
import { type Answer, addressIn, judge } from './judge.ts'
import { send } from './send.ts'

export type Creation = {
  target: Login & { timeoutMs: number }
  path: '/paste' | '/shortener'
  fields: Readonly<Record<string, string | number>>
  /** Called with how much of the body is on its way, and how large it is. */
  onSent?: (bytes: number, all: number) => void
}

export type Created = { address: string; answer: Answer }

const addressNames = { '/paste': 'pasteUrl', '/shortener': 'shortendUrl' } as const

/** Creates one item. */
export const create = async ({ target, path, fields, onSent }: Creation): Promise<Created | Failure> => {
  const body = Buffer.from(JSON.stringify(fields))
  const reply = await send({
    ...target,
    method: 'POST',
    path,
    body,
    onSent: (bytes) => onSent?.(bytes, body.length),
  })
  if ('problem' in reply) return reply
  const judged = judge(reply, target.server)
  if ('problem' in judged) return judged
  const found = addressIn(judged.answer, addressNames[path], target.server)
  return 'problem' in found ? found : { ...found, answer: judged.answer }
}
