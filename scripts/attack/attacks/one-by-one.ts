import { ownMilliseconds } from '../../../test/support/memory.ts'
import { run } from '../../../test/support/process.ts'
import { type Attack, onePaste, usualLimits } from '../attack.ts'
import { ask, atOnce, jsonHeaders, openWire } from '../wire.ts'

const longHost = (length: number) => Array.from({ length: length / 10 }, () => 'abcdefghi').join('.')

const qrOfLongHost: Attack = {
  name: 'qr-of-long-host/1',
  what: 'the QR code of a paste, with a Host of 3,000 characters',
  senders: 1,
  limits: usualLimits(1),
  prepare: onePaste({}),
  send: async ({ url, stock, times, notes }) => {
    for (let at = 0; at < times; at++)
      notes.expectRefusal(await ask(url, { path: `/qr/p/${stock.id}`, headers: [`Host: ${longHost(3000)}`] }))
  },
}

const deepBytes = 6 * 1024 ** 2
const jsonAttack = (
  name: string,
  what: string,
  senders: number,
  body: () => string,
  ...statuses: number[]
): Attack => ({
  name: `${name}/${senders}`,
  what: `${what}, from a key holder`,
  senders,
  limits: usualLimits(senders),
  send: async ({ url, times, notes }) => {
    const bytes = Buffer.from(body())
    for (let at = 0; at < times; at++)
      await atOnce(senders, async () =>
        notes.expect(
          await ask(url, { method: 'POST', path: '/paste', headers: jsonHeaders, body: bytes }),
          ...statuses,
        ),
      )
  },
})

const deepJson = () => '['.repeat(deepBytes)
const wideJson = () => `{${Array.from({ length: 400_000 }, (_, at) => `"${at}":${at}`).join()}}`

const limiterRequests = { long: 57_000, short: 30_000 }
const judgedRequests = 2000

/** Does the limiter cost more, the more tokens are out? Counted in processor time of the server, which nobody else can use up. */
const limiterAttack: Attack = {
  name: 'many-tokens/1',
  what: 'a key of 60,000 requests a minute: what a request costs at the end, against the beginning',
  senders: 1,
  limits: { ...usualLimits(1), 'dearer by µs': 50 },
  prepare: async ({ data }) => {
    const { stdout } = await run(['keys', 'add', 'busy', '--rate', '60000/1m', '--data', data])
    return { key: /sc_\w+/.exec(stdout)?.[0] ?? '' }
  },
  send: async ({ url, pid, stock: { key = '' }, times, notes }) => {
    const consume = (count: number, by = `key: ${key}`) =>
      atOnce(8, async () => {
        const wire = await openWire(url)
        // Not an object: it takes a token, and nothing is stored.
        const request = {
          method: 'POST',
          path: '/paste',
          headers: ['Content-Type: application/json', by],
          body: '1',
        }
        for (let at = 0; at < count / 8; at++) notes.expect(await wire.ask(request), 400)
        wire.close()
      })
    const costOf = async (count: number) => {
      const before = ownMilliseconds(pid)
      await consume(count)
      return ownMilliseconds(pid) - before
    }
    // The runtime compiles what was called often: with the key of the server, which has no rate here.
    await consume(6000, jsonHeaders[1])
    const early = await costOf(judgedRequests)
    await consume(times === 1 ? limiterRequests.short : limiterRequests.long)
    const late = await costOf(judgedRequests)
    notes.most('dearer by µs', (Math.max(0, late - early) / judgedRequests) * 1000)
  },
}

/** What needs no more than one kind of request. */
export const oneByOne: readonly Attack[] = [
  qrOfLongHost,
  // Three, because the usual rate lets no key have more at once.
  ...[1, 3].flatMap((senders) => [
    jsonAttack('deep-json', '6 MiB of [', senders, deepJson, 400),
    jsonAttack('wide-json', 'an object of 400,000 fields', senders, wideJson, 400, 413, 422),
  ]),
  limiterAttack,
]
