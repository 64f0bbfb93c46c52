import type { Failure } from './failures.ts'
import { judge } from './judge.ts'
import { send } from './send.ts'
import type { Login } from './settings.ts'

/** Statuses of a key that is valid: it may make no paste, no fields were sent, or it has made much lately. */
const afterTheKey = new Set([400, 403, 422, 429])

/**
 * Sends an empty paste, which nothing is made of. It counts for the rate limit of the key.
 * @returns why the key cannot be used; `undefined` when it can
 */
export const checkKey = async (target: Login & { timeoutMs: number }): Promise<Failure | undefined> => {
  // Header values outside of this would make `fetch` fail, or be changed on the way.
  if (!/^[\x21-\x7e]{16,}$/.test(target.key))
    return { problem: 'this is no API key: it has at least 16 characters, and no white space', exitCode: 3 }
  const reply = await send({ ...target, method: 'POST', path: '/paste', body: Buffer.from('{}') })
  if ('problem' in reply) return reply
  const judged = judge(reply, target.server)
  if (!('problem' in judged))
    return {
      problem: `${target.server} does not answer like a Shortcrust server (it made an empty paste)`,
      exitCode: 5,
    }
  const isShortcrust = judged.exitCode !== 5
  return isShortcrust && afterTheKey.has(reply.status) ? undefined : judged
}
