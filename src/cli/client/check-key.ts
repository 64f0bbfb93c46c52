import { Failure, foreignServer } from './failures.ts'
import { parseReply } from './reply.ts'
import { send } from './send.ts'
import type { Target } from './target.ts'

/** Asks the server which key this is; takes no token. @returns the name of the key. @throws {Failure} */
export const checkKey = async (target: Target): Promise<string> => {
  const { server, key } = target
  // With other characters `fetch` would fail, or proxies would change the header.
  if (!/^[\x21-\x7e]{16,}$/.test(key))
    throw new Failure('not a valid API key: it has at least 16 characters, and no white space', 3)
  const reply = await send({ ...target, method: 'GET', path: '/key' })
  if (reply.status === 404) throw foreignServer(server, `there is no ${server}/key`)
  const { name } = parseReply(reply, server)
  if (typeof name === 'string' && /^[\w.-]{1,64}$/.test(name)) return name
  throw foreignServer(server, 'it names no key')
}
