import { createClient } from '../../../test/support/client.ts'
import { testKey } from '../../../test/support/process.ts'
import type { Attack } from '../attack.ts'
import { ask, atOnce } from '../wire.ts'

const pastes = 200
const atATime = 4
const lists = 3
const kibibyte = 1024
const mebibyte = 1024 ** 2

/** The longest that is accepted, of some lengths. */
const longestOf = async (client: ReturnType<typeof createClient>, lengths: readonly number[]) => {
  for (const length of lengths) {
    const body = { text: 'x', title: 't'.repeat(length), description: 'd'.repeat(length), language: 'text' }
    if ((await client.post('/paste', body)).status === 201) return length
  }
  throw new Error('not even a short title is accepted')
}

const listAttack = (name: string, what: string, lengths: readonly number[]): Attack => ({
  name,
  what,
  senders: lists,
  limits: { 'stall ms': 50, 'growth MB': 32 },
  prepare: async ({ url }) => {
    const client = createClient(url)
    const length = await longestOf(client, lengths)
    const fields = { title: 't'.repeat(length), description: 'd'.repeat(length), language: 'text' }
    await atOnce(atATime, async (worker) => {
      for (let at = worker; at < pastes; at += atATime)
        await client.paste({ ...fields, text: `${at}`.padEnd(mebibyte, 'x') })
    })
    return {}
  },
  send: async ({ url, times, notes }) => {
    for (let at = 0; at < times; at++)
      await atOnce(lists, async () => {
        const answer = await ask(url, { path: `/pastes?limit=${pastes}`, headers: [`key: ${testKey}`] })
        notes.expect(answer, 200)
        notes.most('answer MB', answer.bytes / 1e6)
      })
  },
})

/** Lists of what a key made. */
export const listAttacks: readonly Attack[] = [
  listAttack('lists', 'three lists at once over 200 pastes of 1 MiB', [0]),
  listAttack('lists-of-long-titles', 'the same with titles and descriptions as long as they are accepted', [
    mebibyte,
    8 * kibibyte,
    kibibyte,
  ]),
]
