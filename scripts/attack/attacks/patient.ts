import { createClient } from '../../../test/support/client.ts'
import { testKey } from '../../../test/support/process.ts'
import { type Attack, type Stage, usualLimits } from '../attack.ts'
import { atOnce, headOf, openWire, type Wire } from '../wire.ts'

const everyMs = 100

/** Opens so many connections, gives each its turn every 100 ms until the attack may stop, and closes them. */
const dribble = async ({ url, hold }: Stage, senders: number, first: string, next: string) => {
  let isOver = false
  const over = hold().then(() => {
    isOver = true
  })
  const wires = await atOnce(senders, async () => {
    const wire = await openWire(url)
    if (first) await wire.write(first)
    return wire
  })
  const turn = async (wire: Wire) => {
    if (wire.isOpen()) await wire.write(next)
  }
  while (!isOver && next) {
    for (const wire of wires) await turn(wire)
    await Bun.sleep(everyMs)
  }
  await over
  for (const wire of wires) wire.close()
}

type Dribble = { name: string; what: string; senders: number; first: string; next: string }
const dribbles: readonly Dribble[] = [
  { name: 'idle', what: 'connections that say nothing', senders: 2000, first: '', next: '' },
  {
    name: 'slow-headers',
    what: 'headers that never end, two bytes at a time',
    senders: 1000,
    first: 'GET / HTTP/1.1\r\nHost: nas\r\nA: ',
    next: 'xx',
  },
  {
    name: 'long-slow-headers',
    what: '15 KB of headers whose end never comes',
    senders: 1000,
    first: `GET / HTTP/1.1\r\nHost: nas\r\nA: ${'x'.repeat(15_000)}`,
    next: '',
  },
  {
    name: 'slow-chunks',
    what: 'a body of chunks of one byte, without a key',
    senders: 1000,
    first: headOf({
      method: 'POST',
      path: '/paste',
      headers: ['Transfer-Encoding: chunked', 'Content-Type: application/json'],
    }),
    next: '1\r\n[\r\n',
  },
]

const dribbleAttack = ({ name, what, senders, first, next }: Dribble): Attack => ({
  name: `${name}/${senders}`,
  what,
  senders,
  limits: usualLimits(senders),
  send: (stage) => dribble(stage, senders, first, next),
})

const chunksOfOneByte = (senders: number, isKeyHolder: boolean): Attack => ({
  name: `one-byte-chunks${isKeyHolder ? '-with-key' : ''}/${senders}`,
  what: `1 MiB in chunks of one byte, ${isKeyHolder ? 'from a key holder' : 'without a key'}`,
  senders,
  limits: usualLimits(senders),
  send: async ({ url, times, notes }) => {
    const headers = [
      'Transfer-Encoding: chunked',
      'Content-Type: text/plain',
      ...(isKeyHolder ? [`key: ${testKey}`] : []),
    ]
    const chunks = Buffer.from(`${'1\r\na\r\n'.repeat(1024 ** 2)}0\r\n\r\n`)
    for (let at = 0; at < times; at++)
      await atOnce(senders, async () => {
        const wire = await openWire(url)
        const answer = wire.answer()
        await wire.write(headOf({ method: 'PUT', path: '/a.txt', headers }))
        let isAnswered = false
        answer.finally(() => {
          isAnswered = true
        })
        await wire.write(chunks, () => isAnswered)
        if (isKeyHolder) notes.expect(await answer, 201)
        else notes.expectRefusal(await answer)
        wire.close()
      })
  },
})

/** Requests written at once, whose answers nobody reads. */
const pipelined = (name: string, what: string, path: (id: string) => string, count: number): Attack => ({
  name: `pipelined-${name}/20`,
  what: `${count} requests at once on each connection for ${what}, and no answer is read`,
  senders: 20,
  limits: usualLimits(20),
  prepare: async ({ url }) => {
    const { rawUrl = '' } = await createClient(url).paste({ text: 'x'.repeat(1024 ** 2), language: 'text' })
    return { id: rawUrl.split('/').at(-1) ?? '' }
  },
  send: async ({ url, stock: { id = '' }, hold }) => {
    const requests = headOf({ path: path(id), headers: ['Accept: text/html'] }).repeat(count)
    const wires = await atOnce(20, async () => {
      const wire = await openWire(url)
      wire.stopReading()
      // Not waited for: a server that reads no further is right.
      void wire.write(requests)
      return wire
    })
    await hold()
    for (const wire of wires) wire.close()
  },
})

/** Senders that take their time. */
export const patientAttacks: readonly Attack[] = [
  ...dribbles.map(dribbleAttack),
  ...[1, 100].map((senders) => chunksOfOneByte(senders, false)),
  ...[1, 20].map((senders) => chunksOfOneByte(senders, true)),
  pipelined('raw', 'a raw text of 1 MiB', (id) => `/p/raw/${id}`, 200),
  pipelined('page', 'the page of 1 MiB', (id) => `/p/${id}`, 200),
  pipelined('docs', '/docs', () => '/docs', 200),
]
