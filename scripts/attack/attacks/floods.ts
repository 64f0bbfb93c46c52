import { gzipSync } from 'node:zlib'
import { createClient } from '../../../test/support/client.ts'
import { testKey } from '../../../test/support/process.ts'
import { type Attack, usualLimits } from '../attack.ts'
import { type Ask, atOnce, openWire } from '../wire.ts'

/** What one stranger asks for again and again; `at` is different each time. */
type Flood = {
  name: string
  what: string
  ask: (at: number, id: string) => Ask
  statuses: readonly number[]
}

const refused = [400, 401, 404, 405, 410, 413, 414, 415, 416, 422, 429, 431]
const long = (at: number, bytes: number) => `${at}`.padEnd(bytes, 'x')
const browser = 'Accept: text/html'

const list: readonly Flood[] = [
  {
    name: 'docs-of-many-hosts',
    what: '/docs, which is made for each address',
    ask: (at) => ({ path: '/docs', headers: [`Host: h${at}.example`] }),
    statuses: [200],
  },
  {
    name: 'openapi-of-many-hosts',
    what: '/openapi.json, which is made for each address',
    ask: (at) => ({ path: '/openapi.json', headers: [`Host: h${at}.example`, 'Accept-Encoding: gzip'] }),
    statuses: [200],
  },
  {
    name: 'start-page',
    what: 'the start page, compressed',
    ask: () => ({ headers: ['Accept-Encoding: zstd'] }),
    statuses: [200],
  },
  {
    name: 'unknown-languages',
    what: '?lang= with names of 8,000 characters that no language has',
    ask: (at, id) => ({ path: `/p/${id}?lang=${long(at, 8000)}`, headers: [browser] }),
    statuses: refused,
  },
  {
    name: 'long-accepts',
    what: 'Accept and Accept-Encoding of 7 KB, different each time',
    ask: (at, id) => ({
      path: `/p/${id}`,
      headers: [
        `Accept: text/html,${`a/b;q=0.${at % 10},`.repeat(700)}x/y${at}`,
        `Accept-Encoding: ${`a;q=0.${at % 10},`.repeat(900)}gzip`,
      ],
    }),
    statuses: [200, 406],
  },
  {
    name: 'many-headers',
    what: 'a request with 15 KB of short headers',
    ask: (at) => ({ path: `/s/${at}`, headers: Array.from({ length: 1500 }, (_, nth) => `a${nth}: b`) }),
    statuses: refused,
  },
  {
    name: 'many-ranges',
    what: 'a thousand ranges of a raw text',
    ask: (_, id) => ({
      path: `/p/raw/${id}`,
      headers: [`Range: bytes=${Array.from({ length: 1000 }, (_, nth) => `${nth}-${nth}`).join()}`],
    }),
    statuses: [200, 206, 416],
  },
  {
    name: 'many-tags',
    what: 'If-None-Match with a thousand tags',
    ask: (_, id) => ({ path: `/p/${id}`, headers: [browser, `If-None-Match: ${'"a", '.repeat(2500)}"b"`] }),
    statuses: [200],
  },
  {
    name: 'long-queries',
    what: 'a query of 2,000 names',
    ask: (at, id) => ({
      path: `/p/${id}?${Array.from({ length: 2000 }, (_, nth) => `${nth}=${at}`).join('&')}`,
      headers: [browser],
    }),
    statuses: [200],
  },
  {
    name: 'unknown-paths',
    what: 'addresses of 8,000 characters',
    ask: (at) => ({ path: `/${long(at, 8000)}` }),
    statuses: refused,
  },
  {
    name: 'unknown-ids',
    what: 'pastes that do not exist, each looked for on the disk',
    ask: (at) => ({
      path: `/p/${at.toString().replaceAll('0', 'z').replaceAll('1', 'y').padStart(10, 'a')}`,
    }),
    statuses: refused,
  },
  {
    name: 'deletion-keys',
    what: 'deletions with keys that nobody has',
    ask: (at) => ({ method: 'POST', path: `/paste/delete?key=${long(at, 4000)}` }),
    statuses: refused,
  },
  {
    name: 'wrong-keys',
    what: 'creations with API keys of 8,000 characters that nobody has',
    ask: (at) => ({
      method: 'POST',
      path: '/paste',
      headers: [`key: ${long(at, 8000)}`, 'Content-Type: application/json'],
      body: '{}',
    }),
    statuses: refused,
  },
  {
    name: 'cursors',
    what: 'lists after cursors that never were, from a key holder',
    ask: (at) => ({ path: `/pastes?after=${long(at, 8000)}`, headers: [`key: ${testKey}`] }),
    statuses: [200, ...refused],
  },
  {
    name: 'compressed-bodies',
    what: 'a body of 50 MB as gzip, with and without a key in turn',
    ask: (at) => ({
      method: 'POST',
      path: '/paste',
      headers: [
        'Content-Type: application/json',
        'Content-Encoding: gzip',
        ...(at % 2 ? [`key: ${testKey}`] : []),
      ],
      body: bomb(),
    }),
    statuses: refused,
  },
  {
    name: 'expectations',
    what: 'Expect: 100-continue of 6 MB',
    ask: () => ({
      method: 'POST',
      path: '/',
      headers: ['Expect: 100-continue', 'Content-Type: text/plain', 'Connection: close'],
      body: Buffer.alloc(6e6, 'x'),
      withheldBytes: 6e6 - 1,
    }),
    statuses: [100, 417, ...refused],
  },
]

let gzipped: Buffer | undefined
const bomb = () => {
  gzipped ??= gzipSync(Buffer.alloc(50e6, ' '))
  return gzipped
}

const flood = ({ name, what, ask, statuses }: Flood, senders: number): Attack => ({
  name: `${name}/${senders}`,
  what,
  senders,
  limits: usualLimits(senders),
  isInShortRun: senders === 100,
  prepare: async ({ url }) => {
    const { rawUrl = '' } = await createClient(url).paste({ text: 'const a = 1\n'.repeat(100) })
    return { id: rawUrl.split('/').at(-1) ?? '' }
  },
  send: async ({ url, stock: { id = '' }, notes, hold }) => {
    let isOver = false
    let at = 0
    const over = hold().then(() => {
      isOver = true
    })
    await atOnce(senders, async () => {
      let wire = await openWire(url)
      while (!isOver) {
        if (!wire.isOpen()) wire = await openWire(url)
        const answer = await wire.ask(ask(at++, id))
        // Whoever was refused before the body was sent comes back on another connection.
        if (answer.status === 'cut off' && isOver) return
        notes.expect(answer, ...statuses, 'cut off')
        if (answer.status === 'cut off' || /^connection: close/im.test(answer.head)) wire.close()
      }
      wire.close()
    })
    await over
  },
})

/** Small requests, as many as it takes. */
export const floods: readonly Attack[] = list.flatMap((one) => [1, 100].map((senders) => flood(one, senders)))
