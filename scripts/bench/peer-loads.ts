import { answerText, fill, fillAll, type Recipe, type startOther } from '../../test/support/other-server.ts'
import { typescript } from '../measure/sample-code.ts'
import type { MeasuredPeer } from './peer-report.ts'
import { browserHeaders } from './product.ts'
import type { Ask, Asks } from './wrk.ts'

/** A server that can be measured. `id` is a pattern whose first group names a new item; `pageMark` is on a page as it should be. */
type Peer = Recipe & {
  isDurable: boolean
  isCompiledWhileRunning?: boolean
  creations: Record<string, (Omit<Ask, 'method'> & { id: string }) | undefined>
  reads: Record<string, string | undefined>
  pageMark?: string
}

/** What must be given as an API key of every server that wants one. */
const key = 'Kq7-vT2_mZ9-xR4_bN8-wL5_hJ3-cF6_dS1'
const json = { 'Content-Type': 'application/json' }
const multipart = { 'Content-Type': 'multipart/form-data; boundary=----8f2d' }
/** @param fields what follows `name=`, and the value of each */
const form = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `------8f2d\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${value}\r\n`)
    .join('')
    .concat('------8f2d--\r\n')
const located = '^location: .*/([\\w.-]+)$'

/** What can be measured, by name; ours is the first. */
export const peers: Record<string, Peer> = {
  shortcrust: {
    isCompiledWhileRunning: true,
    command: '{program} --host 127.0.0.1 --port {port} --data {data} --rate-limit off --log off'.split(' '),
    env: { SHORTCRUST_API_KEY: key },
    isDurable: true,
    creations: {
      link: { path: '/shortener', headers: { ...json, key }, body: '{"url":"{url}"}', id: located },
      paste: {
        path: '/paste',
        headers: { ...json, key },
        body: '{"text":{json},"title":"sample.ts","description":"","language":"typescript"}',
        id: located,
      },
    },
    reads: { redirect: '/s/{id}', raw: '/p/raw/{id}', page: '/p/{id}' },
    pageMark: 'etag: ',
  },
  wastebin: {
    command: ['{path}'],
    env: {
      WASTEBIN_ADDRESS_PORT: '127.0.0.1:{port}',
      WASTEBIN_DATABASE_PATH: '{data}/wastebin.sqlite',
      WASTEBIN_BASE_URL: 'http://127.0.0.1:{port}',
      RUST_LOG: 'error',
    },
    isDurable: true,
    creations: {
      paste: { path: '/', headers: json, body: '{"text":{json},"extension":"ts"}', id: '"path":"/([^"]+)"' },
    },
    reads: { raw: '/raw/{id}', page: '/{id}' },
    pageMark: '<span',
  },
  'chhoto-url': {
    command: ['{path}'],
    env: {
      CHHOTO_LISTEN_ADDRESS: '127.0.0.1',
      CHHOTO_LISTEN_PORT: '{port}',
      CHHOTO_DB_URL: '{data}/urls.sqlite',
      CHHOTO_SQLITE_USE_WAL_MODE: 'True',
      CHHOTO_SLUG_STYLE: 'UID',
      CHHOTO_API_KEY: key,
      RUST_LOG: 'error',
    },
    front: '/api/version',
    isDurable: true,
    creations: {
      link: {
        path: '/api/new',
        headers: { ...json, 'X-API-Key': key },
        body: '{"longlink":"{url}","shortlink":""}',
        id: '"shorturl":"[^"]+/(\\w+)"',
      },
    },
    reads: { redirect: '/{id}' },
  },
  golink: {
    command: '{path} -dev-listen 127.0.0.1:{port} -sqlitedb {data}/golink.sqlite'.split(' '),
    isDurable: true,
    creations: {
      link: { path: '/?short=n{n}&long={url}', headers: { 'Sec-Golink': '1' }, id: '"Short":"([^"]+)"' },
    },
    reads: { redirect: '/{id}' },
  },
  rustypaste: {
    command: ['{path}'],
    env: { RUST_LOG: 'error' },
    files: {
      'config.toml':
        '[server]\naddress = "127.0.0.1:{port}"\nmax_content_length = "10MB"\nupload_path = "{data}/upload"\n[paste]\nrandom_url = { type = "alphanumeric", length = 8 }\ndefault_extension = "txt"\n[landing_page]\ntext = "ready"\n',
    },
    isDurable: false,
    creations: {
      link: { path: '/', headers: multipart, body: form({ '"url"': '{url}' }), id: '^http.*/([\\w.-]+)$' },
      paste: {
        path: '/',
        headers: multipart,
        body: form({ '"file"; filename="sample.ts"': '{text}' }),
        id: '^http.*/([\\w.-]+)$',
      },
    },
    reads: { redirect: '/{id}', raw: '/{id}' },
  },
  microbin: {
    command:
      '{path} --bind 127.0.0.1 --port {port} --data-dir {data} --disable-telemetry --disable-update-checking'.split(
        ' ',
      ),
    isDurable: true,
    creations: {
      link: { path: '/upload', headers: multipart, body: form({ '"content"': '{url}' }), id: located },
      paste: {
        path: '/upload',
        headers: multipart,
        body: form({ '"syntax_highlight"': 'ts', '"content"': '{text}' }),
        id: located,
      },
    },
    reads: { redirect: '/url/{id}', raw: '/raw/{id}', page: '/upload/{id}' },
    pageMark: '<span',
  },
  'haste-server': {
    isCompiledWhileRunning: true,
    command: ['node', '{path}/server.js', '{data}/config.json'],
    cwd: '{path}',
    files: {
      'config.json':
        '{"host":"127.0.0.1","port":{port},"keyLength":10,"maxLength":400000,"logging":[],"keyGenerator":{"type":"random"},"storage":{"path":"{data}"},"documents":{}}',
    },
    isDurable: false,
    creations: {
      paste: {
        path: '/documents',
        headers: { 'Content-Type': 'text/plain' },
        body: '{text}',
        id: '"key":"(\\w+)"',
      },
    },
    reads: { raw: '/raw/{id}' },
  },
}

/** Every load; creations come last, for a peer may not survive them. `read` is how its item is read. */
const loads = [
  { name: 'redirect', kind: 'link', read: 'redirect' },
  { name: 'raw', kind: 'paste', read: 'raw' },
  { name: 'page', kind: 'paste', read: 'page' },
  { name: 'create-link', kind: 'link', read: 'redirect' },
  { name: 'create-paste', kind: 'paste', read: 'raw' },
] as const

/** A server that is measured. `path` is its program, and empty for ours. */
export type Entrant = MeasuredPeer & { path: string; peer: Peer }
export type Load = (typeof loads)[number]
export type RunningPeer = Entrant & Awaited<ReturnType<typeof startOther>>

/** What every server is given. */
const [url, text] = ['https://example.org/a/page/of/some/length?number=1', typescript(4096)]
export const given = { url, text, json: JSON.stringify(text) }

/** The loads of what a server has. */
export const loadsOf = ({ peer }: Entrant) => loads.filter(({ read }) => peer.reads[read] !== undefined)

/** Creates an item and reads it. @returns what to ask for under load, and what checks that it is still answered right */
export const prepare = async ({ peer, url: origin }: RunningPeer, { name, kind, read }: Load) => {
  const { id: pattern = '', path = '', body = '', headers } = peer.creations[kind] ?? {}
  const creation = (n: number): Ask => {
    const [at = '/', words = ''] = [path, body].map((text) => fill(text, { ...given, n: `${n}` }))
    return { method: 'POST', path: at, headers: fillAll(headers, given), body: words }
  }
  const marks: Record<string, string> = { redirect: `location: ${url}\n`, raw: text }
  const expected = marks[read] ?? peer.pageMark ?? ''
  const check = async (path: string) => {
    if ((await answerText(origin + path, { headers: { Accept: 'text/html' } })).includes(expected))
      return path
    throw new Error(`${path} is answered without ${expected.slice(0, 40)}`)
  }
  const create = async () => {
    const { path, ...init } = creation(0)
    const [, id = ''] = new RegExp(pattern, 'm').exec(await answerText(origin + path, init)) ?? []
    return check(fill(peer.reads[read] ?? '', { id }))
  }
  let created = create()
  // A page that a busy machine does not highlight in time stays plain: another paste, as in product.ts.
  for (let left = 20; read === 'page' && left > 0; left--) created = created.catch(create)
  const item: Ask = { path: await created, ...(read === 'page' && { headers: browserHeaders }) }
  if (name === read) return { asks: [item] as const, check: () => check(item.path) }
  // A server that gives no names gets another one with each request.
  const numbers = path.includes('{n}') ? Array.from({ length: 60_000 }, (_, at) => at + 2) : []
  return { asks: [creation(1), ...numbers.map(creation)] satisfies Asks, check: create }
}
