import { createClient } from '../../../test/support/client.ts'
import { type Attack, type Stage, usualLimits } from '../attack.ts'
import { maxPaste, mebibytes, pasteLimits, suffix } from '../sizes.ts'
import { type Ask, ask, atOnce, headOf, openWire } from '../wire.ts'

const browser = ['Accept: text/html']
type Reading = { name: string; what: string; path: (id: string) => string; headers: readonly string[] }

const readings: readonly Reading[] = [
  { name: 'page', what: 'the page', path: (id) => `/p/${id}`, headers: browser },
  { name: 'raw', what: 'the raw text', path: (id) => `/p/raw/${id}`, headers: [] },
  { name: 'json', what: 'the JSON', path: (id) => `/p/${id}`, headers: ['Accept: application/json'] },
  { name: 'haste', what: '/documents/<id>', path: (id) => `/documents/${id}`, headers: [] },
]

const lineEnds = (size: string) => ({
  ...maxPaste(size),
  isInShortRun: size === '1MiB',
  prepare: async ({ url }: { url: string }) => {
    const { rawUrl = '' } = await createClient(url).paste({
      text: '\n'.repeat(mebibytes(size)),
      language: 'text',
    })
    return { id: rawUrl.split('/').at(-1) ?? '' }
  },
})
const ofPaste = (size: string) =>
  `of a paste of ${size} of \\n${size === '1MiB' ? '' : `, --max-paste ${size}`}`

const slowReaders = ({ name, what, path, headers }: Reading, size: string): Attack => ({
  name: `slow-${name}/60${suffix(size)}`,
  what: `readers that stop after some kilobytes, ${what} ${ofPaste(size)}`,
  senders: 60,
  limits: usualLimits(60),
  ...lineEnds(size),
  send: async ({ url, stock, hold }) => {
    await atOnce(60, async () => {
      const wire = await openWire(url)
      wire.stopReading()
      await wire.write(headOf({ path: path(stock.id ?? ''), headers }))
    })
    await hold()
  },
})

/** Asks the same again and again, on so many connections. */
const loop = async ({ url, notes, hold }: Stage, senders: number, request: Ask, status: number) => {
  let isOver = false
  const over = hold().then(() => {
    isOver = true
  })
  await atOnce(senders, async () => {
    const wire = await openWire(url)
    while (!isOver && wire.isOpen()) notes.expect(await wire.ask(request), status)
    wire.close()
  })
  await over
}

const loops = (size: string): readonly Attack[] => [
  ...readings.map(
    ({ name, what, path, headers }): Attack => ({
      name: `head-${name}/8${suffix(size)}`,
      what: `HEAD again and again, ${what} ${ofPaste(size)}`,
      senders: 8,
      limits: usualLimits(8),
      ...lineEnds(size),
      send: (stage) => loop(stage, 8, { method: 'HEAD', path: path(stage.stock.id ?? ''), headers }, 200),
    }),
  ),
  {
    name: `not-modified/8${suffix(size)}`,
    what: `If-None-Match with the tag it has, the page ${ofPaste(size)}`,
    senders: 8,
    limits: usualLimits(8),
    ...lineEnds(size),
    send: async (stage) => {
      const path = `/p/${stage.stock.id}`
      const { head } = await ask(stage.url, { method: 'HEAD', path, headers: browser })
      const tag = /^etag: (.+)$/im.exec(head)?.[1]
      if (tag === undefined) return stage.notes.wrong('HEAD of a page has no ETag')
      await loop(stage, 8, { path, headers: [...browser, `If-None-Match: ${tag}`] }, 304)
    },
  },
]

/** Readers of a page that is much larger than its paste. */
export const readerAttacks: readonly Attack[] = pasteLimits.flatMap((size) => [
  ...readings.map((reading) => slowReaders(reading, size)),
  ...loops(size),
])
