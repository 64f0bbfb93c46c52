import { type Attack, askAgain, holdOpen, onePaste, usualLimits } from '../attack.ts'
import { mebibytes, pasteLimits, sized } from '../sizes.ts'
import { ask, atOnce, headOf, openWire } from '../wire.ts'

const browser = ['Accept: text/html']
type Reading = readonly [name: string, what: string, path: string, headers: readonly string[]]

const readings: readonly Reading[] = [
  ['page', 'the page', '/p/', browser],
  ['raw', 'the raw text', '/p/raw/', []],
  ['json', 'the JSON', '/p/', ['Accept: application/json']],
  ['haste', '/documents/<id>', '/documents/', []],
  ['edit', 'the form filled with it', '/?from=', browser],
]

type Read = Pick<Attack, 'name' | 'what' | 'senders' | 'send'>
const attackOf = (size: string, { name, what, senders, send }: Read): Attack => ({
  name: `${name}/${senders}${sized(size).suffix}`,
  what: `${what} of a paste of ${size} of \\n${sized(size).words}`,
  senders,
  ...sized(size).flags,
  limits: usualLimits(senders),
  isInShortRun: size === '1MiB',
  prepare: onePaste({ text: '\n'.repeat(mebibytes(size)), language: 'text' }),
  send,
})

const slowReaders = ([name, what, path, headers]: Reading): Read => ({
  name: `slow-${name}`,
  what: `readers that stop after some kilobytes, ${what}`,
  senders: 60,
  send: async (stage) => {
    const request = headOf({ path: path + stage.stock.id, headers })
    await holdOpen(stage, await atOnce(60, () => openWire(stage.url)), async (wire) => {
      const stopped = wire.stopReading()
      await wire.write(request)
      await stopped
    })
  },
})

const heads = ([name, what, path, headers]: Reading): Read => ({
  name: `head-${name}`,
  what: `HEAD again and again, ${what}`,
  senders: 8,
  send: (stage) => askAgain(stage, 8, () => ({ method: 'HEAD', path: path + stage.stock.id, headers }), 200),
})

const notModified: Read = {
  name: 'not-modified',
  what: 'If-None-Match with the tag it has, the page',
  senders: 8,
  send: async (stage) => {
    const path = `/p/${stage.stock.id}`
    const { head } = await ask(stage.url, { method: 'HEAD', path, headers: browser })
    const tag = /^etag: (.+)$/im.exec(head)?.[1]
    if (tag === undefined) return stage.notes.wrong('HEAD of a page has no ETag')
    await askAgain(stage, 8, () => ({ path, headers: [...browser, `If-None-Match: ${tag}`] }), 304)
  },
}

/** Readers of a page that is much larger than its paste. */
export const readerAttacks: readonly Attack[] = pasteLimits.flatMap((size) =>
  [...readings.map(slowReaders), ...readings.map(heads), notModified].map((read) => attackOf(size, read)),
)
