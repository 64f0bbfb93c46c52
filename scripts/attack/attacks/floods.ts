import { gzipSync } from 'node:zlib'
import { testKey } from '../../../test/support/process.ts'
import { type Attack, askAgain, onePaste, usualLimits } from '../attack.ts'
import type { Ask } from '../wire.ts'

/** What is asked for again and again; `at` is different each time. */
export type Flood = readonly [
  name: string,
  what: string,
  statuses: readonly number[],
  ask: (at: number, id: string) => Ask,
]

const ok = [200]
const refused = [400, 401, 404, 405, 410, 413, 414, 415, 422, 431]
const browser = 'Accept: text/html'
const json = 'Content-Type: application/json'
const holder = `key: ${testKey}`
const long = (at: number, bytes: number) => `${at}`.padEnd(bytes, 'x')
const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at))
const missingId = (at: number) => at.toString().replaceAll(/[01]/g, 'z').padStart(10, 'a')
const ranges = `Range: bytes=${times(1000, (at) => `${at}-${at}`)}`
const quality = (at: number, name: string, count: number) => `${name};q=0.${at % 10},`.repeat(count)
const bomb = gzipSync(Buffer.alloc(50e6, ' '))
const unsent = Buffer.alloc(6e6, 'x')

const list: readonly Flood[] = [
  ['docs-of-many-hosts', '/docs, which is made for each address', ok, (at) => ({ path: '/docs', headers: [`Host: h${at}.example`] })],
  ['openapi-of-many-hosts', '/openapi.json, which is made for each address', ok, (at) => ({ path: '/openapi.json', headers: [`Host: h${at}.example`, 'Accept-Encoding: gzip'] })],
  ['start-page', 'the start page, compressed', ok, () => ({ headers: ['Accept-Encoding: zstd'] })],
  ['unknown-languages', '?lang= with names of 8,000 characters', ok, (at, id) => ({ path: `/p/${id}?lang=${long(at, 8000)}`, headers: [browser] })],
  ['long-accepts', 'Accept and Accept-Encoding of 7 KB each', ok, (at, id) => ({ path: `/p/${id}`, headers: [`Accept: text/html,${quality(at, 'a/b', 700)}x/y${at}`, `Accept-Encoding: ${quality(at, 'a', 900)}gzip`] })],
  ['many-headers', '90 headers of 150 characters', refused, (at) => ({ path: '/s/2222222', headers: times(90, (nth) => `a${nth}: ${long(at, 150)}`) })],
  ['many-ranges', 'a thousand ranges of a raw text', [200, 206, 416], (_, id) => ({ path: `/p/raw/${id}`, headers: [ranges] })],
  ['many-tags', 'If-None-Match with 2,500 tags', ok, (_, id) => ({ path: `/p/${id}`, headers: [browser, `If-None-Match: ${'"a", '.repeat(2500)}"b"`] })],
  ['long-queries', 'a query of 2,000 names', ok, (at, id) => ({ path: `/p/${id}?${times(2000, (nth) => `${nth}=${at % 10}`).join('&')}`, headers: [browser] })],
  ['unknown-paths', 'addresses of 8,000 characters', refused, (at) => ({ path: `/${long(at, 8000)}` })],
  ['unknown-ids', 'pastes that do not exist, looked for on the disk', refused, (at) => ({ path: `/p/${missingId(at)}` })],
  ['deletion-keys', 'deletions with keys that nobody has', refused, (at) => ({ method: 'POST', path: `/paste/delete?key=${long(at, 4000)}` })],
  ['wrong-keys', 'creations with API keys that nobody has', refused, (at) => ({ method: 'POST', path: '/paste', headers: [`key: ${long(at, 8000)}`, json], body: '{}' })],
  ['cursors', 'lists after cursors that never were, from a key holder', [200, ...refused], (at) => ({ path: `/pastes?after=${long(at, 8000)}`, headers: [holder] })],
  ['compressed-bodies', 'a body of 50 MB as gzip, each other one from a key holder', refused, (at) => ({ method: 'POST', path: '/paste', headers: [json, 'Content-Encoding: gzip', ...(at % 2 ? [holder] : [])], body: bomb })],
  ['expectations', 'Expect: 100-continue, and no body', [100, ...refused], () => ({ method: 'POST', headers: ['Expect: 100-continue', 'Content-Type: text/plain'], body: unsent, withheldBytes: unsent.length })],
] // biome-ignore format: a table to skim

/** A flood of what `ask` makes, from so many senders. */
export const flood = ([name, what, statuses, ask]: Flood, senders: number): Attack => ({
  name: `${name}/${senders}`,
  what,
  senders,
  limits: usualLimits(senders),
  isInShortRun: senders === 100,
  prepare: onePaste({ text: 'const a = 1\n'.repeat(100) }),
  send: (stage) =>
    askAgain(
      stage,
      senders,
      (sender, at) => ask(at * senders + sender, stage.stock.id ?? ''),
      ...statuses,
      'cut off',
    ),
})

/** Small requests, as many as it takes. */
export const floods: readonly Attack[] = list.flatMap((one) => [1, 100].map((senders) => flood(one, senders)))
