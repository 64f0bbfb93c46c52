import { createClient } from '../../../test/support/client.ts'
import { testKey } from '../../../test/support/process.ts'
import { type Attack, repeat, usualLimits } from '../attack.ts'
import { atOnce } from '../wire.ts'

const pastes = 200
const atATime = 4
const lists = 3
const mebibyte = 1024 ** 2

const short = { text: 'x', title: '', description: '', language: 'text' }
const lengths = [mebibyte, 8192, 1024]

/** A value of a field that is as long as it is accepted. */
const longest = async (client: ReturnType<typeof createClient>, field: 'title' | 'description') => {
  for (const length of lengths) {
    const value = 'x'.repeat(length)
    if ((await client.post('/paste', { ...short, [field]: value })).status === 201) return value
  }
  throw new Error(`not even a ${field} of 1 KiB is accepted`)
}

const listAttack = (name: string, what: string, isLong: boolean): Attack => ({
  name,
  what,
  senders: lists,
  // Long words make answers of 2 MB, which nine lists leave behind in memory.
  limits: { 'stall ms': 50, 'growth MB': isLong ? (usualLimits(lists)['growth MB'] ?? 0) : 32 },
  prepare: async ({ url }) => {
    const client = createClient(url)
    const fields = isLong
      ? { title: await longest(client, 'title'), description: await longest(client, 'description') }
      : { title: '', description: '' }
    await atOnce(atATime, async (worker) => {
      for (let at = worker; at < pastes; at += atATime)
        await client.paste({ ...short, ...fields, text: `${at}`.padEnd(mebibyte, 'x') })
    })
    return {}
  },
  send: (stage) => {
    const request = { path: `/pastes?limit=${pastes}`, headers: [`key: ${testKey}`] }
    return repeat(stage, lists, request, (answer) => {
      stage.notes.expect(answer, 200)
      stage.notes.most('answer MB', answer.bytes / 1e6)
    })
  },
})

/** Lists of what a key made. */
export const listAttacks: readonly Attack[] = [
  listAttack('lists', 'three lists at once over 200 pastes of 1 MiB', false),
  listAttack('lists-of-long-titles', 'the same, titles and descriptions as long as they are accepted', true),
]
