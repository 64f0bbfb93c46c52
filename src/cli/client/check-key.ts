import type { Login } from '../input/settings.ts'
import type { Failure } from './failures.ts'
import { judge } from './judge.ts'
import { send } from './send.ts'

/** Asks the server which key this is; takes no token of its rate limit. @returns the name of the key */
export const checkKey = async (
  target: Login & { timeoutMs: number },
): Promise<{ keyName: string } | Failure> => {
  // Header values outside of this would make `fetch` fail, or be changed on the way.
  if (!/^[\x21-\x7e]{16,}$/.test(target.key))
    return { problem: 'not a valid API key: it has at least 16 characters, and no white space', exitCode: 3 }
  const reply = await send({ ...target, method: 'GET', path: '/key' })
  if ('problem' in reply) return reply
  const foreign = {
    problem: `${target.server} does not answer like a Shortcrust server`,
    exitCode: 5,
  } as const
  if (reply.status === 404)
    return { ...foreign, problem: `${foreign.problem} (there is no ${target.server}/key)` }
  const judged = judge(reply, target.server)
  if ('problem' in judged) return judged
  const { name } = judged.answer
  return typeof name === 'string' && /^[\w.-]{1,64}$/.test(name)
    ? { keyName: name }
    : { ...foreign, problem: `${foreign.problem} (it names no key)` }
}
