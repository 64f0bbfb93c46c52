import { type Attack, holdOpen, onePaste, usualLimits } from '../attack.ts'
import { atOnce, headOf, openWire } from '../wire.ts'

const headless = 'GET / HTTP/1.1\r\nHost: nas\r\nA: '
const chunked = ['Transfer-Encoding: chunked', 'Content-Type: text/plain']

type Dribble = readonly [name: string, what: string, senders: number, first: string, next: string]
const dribbles: readonly Dribble[] = [
  ['idle', 'connections that say nothing', 2000, '', ''],
  ['slow-headers', 'headers that never end, two bytes at a time', 1000, headless, 'xx'],
  ['long-slow-headers', '15 KB of headers whose end never comes', 1000, headless + 'x'.repeat(15_000), ''],
  ['slow-chunks', 'a body of chunks of one byte, without a key', 1000, headOf({ method: 'POST', path: '/paste', headers: chunked }), '1\r\n[\r\n'],
] // biome-ignore format: a table to skim

const dribble = ([name, what, senders, first, next]: Dribble): Attack => ({
  name: `${name}/${senders}`,
  what,
  senders,
  limits: usualLimits(senders),
  send: async (stage) =>
    holdOpen(stage, await atOnce(senders, () => openWire(stage.url)), (wire) => wire.write(first), next),
})

/** Requests written at once, whose answers nobody reads. */
const pipelined = (name: string, what: string, path: string): Attack => ({
  name: `pipelined-${name}/20`,
  what: `200 requests at once on each connection for ${what}, and no answer is read`,
  senders: 20,
  limits: usualLimits(20),
  prepare: onePaste({ text: 'x'.repeat(1024 ** 2), language: 'text' }),
  send: async (stage) => {
    const requests = headOf({ path: path + stage.stock.id, headers: ['Accept: text/html'] }).repeat(200)
    await holdOpen(stage, await atOnce(20, () => openWire(stage.url)), (wire) => {
      const stopped = wire.stopReading()
      // Not waited for: a server that reads no further is right.
      void wire.write(requests)
      return stopped
    })
  },
})

/** Senders that take their time. */
export const patientAttacks: readonly Attack[] = [
  ...dribbles.map(dribble),
  pipelined('raw', 'a raw text of 1 MiB', '/p/raw/'),
  pipelined('page', 'the page of 1 MiB', '/p/'),
  pipelined('docs', '/docs', '/docs?'),
]
