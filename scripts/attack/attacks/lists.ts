import { createClient } from '../../../test/support/client.ts'
import { run, testKey } from '../../../test/support/process.ts'
import { type Attack, askAgain, mostGrowthMb, repeat, usualLimits } from '../attack.ts'
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
  limits: { 'stall ms': 50, 'growth MB': isLong ? mostGrowthMb : 32 },
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

const many = 2000

/** What every search finds, and words that share their beginnings with many. */
const wordy = (at: number) =>
  `everywhere ${Array.from({ length: 200 }, (_, nth) => `user${at * 200 + nth}`).join(' ')}`

/** Different words of a query. */
const words = (count: number) => Array.from({ length: count }, (_, at) => `u${at}`).join('+')

type Question = readonly [name: string, what: string, path: string, statuses?: readonly number[]]

const questions: readonly Question[] = [
  ['search', 'searches that find every paste, in an order that none was stored in', '/pastes?q=everywhere&sort=size'],
  ['search-many-words', 'searches for 32 beginnings', `/pastes?q=${words(32)}`],
  ['search-too-much', 'searches for more words than are taken', `/pastes?q=${words(1000)}`, [422]],
  ['figures', 'an admin key asks for the figures', '/stats'],
] // biome-ignore format: a table to skim

/** Asked again and again by four holders of an admin key, over many pastes that were just made. */
const ofQuestion = ([name, what, path, statuses = [200]]: Question): Attack => ({
  name,
  what,
  senders: atATime,
  limits: usualLimits(atATime),
  prepare: async ({ url, data }) => {
    const { stdout } = await run(['keys', 'add', 'owner', '--admin', '--data', data])
    const client = createClient(url, stdout.trim())
    await atOnce(atATime, async (worker) => {
      for (let at = worker; at < many; at += atATime) await client.paste({ ...short, text: wordy(at) })
    })
    return { key: client.key }
  },
  send: (stage) => {
    const headers = [`key: ${stage.stock.key}`]
    return askAgain(stage, atATime, () => ({ path, headers }), ...statuses)
  },
})

/** Lists of what a key made. */
export const listAttacks: readonly Attack[] = [
  listAttack('lists', 'three lists at once over 200 pastes of 1 MiB', false),
  listAttack('lists-of-long-titles', 'the same, titles and descriptions as long as they are accepted', true),
  ...questions.map(ofQuestion),
]
