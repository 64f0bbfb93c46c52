import { answerText, fill, fillAll, type Recipe, type startOther } from '../../test/support/other-server.ts'
import { typescript } from '../measure/sample-code.ts'
import type { MeasuredPeer } from './peer-report.ts'
import list from './peers.json' with { type: 'json' }
import { browserHeaders } from './product.ts'
import type { Ask, Asks } from './wrk.ts'

/** A server of peers.json. `id` is a pattern whose first group names a new item; `pageMark` is on a page as it should be. */
type Peer = Recipe & {
  isDurable: boolean
  isCompiledWhileRunning?: boolean
  creations: Record<string, (Omit<Ask, 'method'> & { id: string }) | undefined>
  reads: Record<string, string | undefined>
  pageMark?: string
}

/** What can be measured, by name; ours is the first. */
export const peers: Record<string, Peer> = list.servers

/** A server that is measured. `path` is its program, and empty for ours. */
export type Entrant = MeasuredPeer & { path: string; peer: Peer }
export type Load = (typeof list.loads)[number]
export type RunningPeer = Entrant & Awaited<ReturnType<typeof startOther>>

/** What every server is given. */
const [url, text] = ['https://example.org/a/page/of/some/length?number=1', typescript(4096)]
export const given = { url, text, json: JSON.stringify(text) }

/** The loads of what a server has. Creations come last: a peer may not survive them. */
export const loadsOf = ({ peer }: Entrant) => list.loads.filter(({ read }) => peer.reads[read] !== undefined)

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
