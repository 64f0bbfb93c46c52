import { sentRows, type Table } from '../../items/field.ts'
import { flagNames, isNumber, isSwitch } from '../../items/texts.ts'
import type { ClientFlags } from '../terminal.ts'
import { Failure, foreignServer, wrongUsage } from './failures.ts'
import { type Answer, addressIn, parseReply } from './reply.ts'
import { type Reply, send } from './send.ts'
import { type CreationTarget, noKey } from './target.ts'

export type Creation = {
  target: CreationTarget
  path: '/paste' | '/shortener'
  fields: Readonly<Record<string, string | number | boolean>>
  /** Called with the bytes handed to the connection so far, and the size of the body. */
  onSent?: (bytes: number, all: number) => void
}

export type Created = { address: string; answer: Answer }

const addressNames = { '/paste': 'pasteUrl', '/shortener': 'shortendUrl' } as const

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
export const create = async ({ target, path, fields, onSent }: Creation): Promise<Created> => {
  const body = Buffer.from(JSON.stringify(fields))
  const onMove = (bytes: number) => onSent?.(bytes, body.length)
  const answer = answerIn(await send({ ...target, method: 'POST', path, body, onSent: onMove }), target)
  const address = addressIn(answer, addressNames[path])
  if (address === undefined) throw foreignServer(target.server, `no ${addressNames[path]}`)
  return { address, answer }
}

export type Fields = Creation['fields']

/** The fields of a new item in the flags. The server checks the range of numbers. @throws {Failure} */
export const fieldsOf = (table: Table, flags: ClientFlags): Fields => {
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
