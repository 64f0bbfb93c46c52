import { ownMilliseconds } from '../../../test/support/memory.ts'
import { run, testKey } from '../../../test/support/process.ts'
import { type Attack, type Limits, onePaste, repeat, usualLimits } from '../attack.ts'
import { type Ask, atOnce, jsonHeaders, openWire } from '../wire.ts'

const longHost = (length: number) => Array.from({ length: length / 10 }, () => 'abcdefghi').join('.')
const deepJson = () => '['.repeat(6 * 1024 ** 2)
const wideJson = () => `{${Array.from({ length: 400_000 }, (_, at) => `"${at}":${at}`).join()}}`
const chunksOfOneByte = () => `${'1\r\na\r\n'.repeat(1024 ** 2)}0\r\n\r\n`

const posted = (body: () => string) => (): Ask => ({
  method: 'POST',
  path: '/paste',
  headers: jsonHeaders,
  body: body(),
})
const chunked = ['Transfer-Encoding: chunked', 'Content-Type: text/plain']
const put =
  (...headers: string[]) =>
  (): Ask => ({ method: 'PUT', path: '/a.txt', headers: [...chunked, ...headers], body: chunksOfOneByte() })

/** A request that matters by itself. Its answer must have one of `statuses`; without them, it must be refused. */
type Row = readonly [
  name: string,
  what: string,
  senders: readonly number[],
  statuses: readonly number[],
  request: (id: string) => Ask,
]
// Three key holders, because the usual rate lets no key have more at once.
const rows: readonly Row[] = [
  ['qr-of-long-host', 'the QR code of a paste, with a Host of 3,000 characters', [1], [], (id) => ({ path: `/qr/p/${id}`, headers: [`Host: ${longHost(3000)}`] })],
  ['deep-json', '6 MiB of [, from a key holder', [1, 3], [400], posted(deepJson)],
  ['wide-json', 'an object of 400,000 fields, from a key holder', [1, 3], [400, 413, 422], posted(wideJson)],
  ['one-byte-chunks', '1 MiB in chunks of one byte, without a key', [1, 100], [], put()],
  ['one-byte-chunks-with-key', '1 MiB in chunks of one byte, from a key holder', [1, 3], [201], put(`key: ${testKey}`)],
  ['detected-text', 'a paste of 1 MiB whose language is detected, from a key holder', [1, 3], [201], posted(() => JSON.stringify({ text: '{"a":['.repeat(174_000), title: '', description: '', language: 'auto' }))],
] // biome-ignore format: a table to skim

/** The runtime takes the chunks apart before a line of ours runs; a key that does this can be revoked. */
const ownLimits: Record<string, Limits> = { 'one-byte-chunks-with-key': { 'stall ms': 500 } }

const attackOf = ([name, what, _, statuses, request]: Row, senders: number): Attack => ({
  name: `${name}/${senders}`,
  what,
  senders,
  limits: { ...usualLimits(senders), ...ownLimits[name] },
  prepare: onePaste({}),
  send: async (stage) => {
    const { id = '' } = stage.stock
    const { body, ...others } = request(id)
    await repeat(stage, senders, { ...others, ...(body && { body: Buffer.from(body) }) }, (answer) =>
      statuses.length ? stage.notes.expect(answer, ...statuses) : stage.notes.expectRefusal(answer),
    )
  },
})

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
  ...rows.flatMap((row) => row[2].map((senders) => attackOf(row, senders))),
  limiterAttack,
]
