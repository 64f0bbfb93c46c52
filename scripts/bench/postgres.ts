// `npm run bench:postgres -- [ITEMS]`: a server and a PostgreSQL with fsync on this machine, over HTTP, by default with 67,000
// pastes of 4 KB. The two, and what asks them, share all cores. Prints each figure beside what it shall be.
import { examplePaste } from '../../test/support/client.ts'
import { idOf } from '../../test/support/counts.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { start } from '../../test/support/process.ts'
import { inLanes, showProgress } from '../measure/options.ts'
import { inColumns } from '../measure/report.ts'
import { typescript } from '../measure/sample-code.ts'
import { ask } from './exchange.ts'
import { creationOf, productArgs } from './product.ts'
import { type Ask, createLoad } from './wrk.ts'

const items = Number(process.argv[2] ?? 67_000)
const [atOnce, links, seconds, pages] = [16, 1000, 10, 50]

const postgres = await startPostgres({})
const server = await start({ args: [...productArgs, '--store', postgres.database('bench')] })
const { url } = server

const rows: string[][] = []
const note = (what: string, is: string, shall: string) => {
  rows.push([what, is, shall])
  showProgress(what)
}
const fixed = (value = Number.NaN) => value.toFixed(value < 10 ? 2 : 1)
/** Of the sorted times, the one below which this part of them lies. */
const percentile = (times: readonly number[], part: number) => times[Math.floor((times.length - 1) * part)]

/** @returns the answer and how long it took, in milliseconds */
const timed = async (one: Ask, status: number) => {
  const began = performance.now()
  const answer = await ask(url, one)
  if (answer.status !== status) throw new Error(`${one.path} answered ${answer.status}: ${atob(answer.body)}`)
  return { ms: performance.now() - began, headers: answer.headers, body: atob(answer.body) }
}
const timesOf = async (asks: Iterable<Ask>, lanes: number, status: number) => {
  const times: number[] = []
  const locations: string[] = []
  const began = performance.now()
  await inLanes(asks, lanes, async (one) => {
    const { ms, headers } = await timed(one, status)
    times.push(ms)
    locations.push(headers.location ?? '')
  })
  const perSecond = Math.round((times.length / (performance.now() - began)) * 1000)
  return { perSecond, times: times.toSorted((a, b) => a - b), locations }
}

const source = typescript(1 << 20)
const paste = creationOf('paste')
/** Pieces of this program, with words that all of them have, a thousandth, and one. */
function* pastes(): Generator<Ask> {
  for (let at = 0; at < items; at++) {
    const own = `everywhere only${at} user${at % 1000}\n`
    const text = own + source.slice((at * 4093) % ((1 << 20) - 4096)).slice(0, 4096 - own.length)
    yield { ...paste, body: JSON.stringify({ ...examplePaste, title: `file-${at}.ts`, text }) }
  }
}

const creations = await timesOf(pastes(), atOnce, 201)
note(
  `creations of 4 KB, ${atOnce} at once, found at once`,
  `${creations.perSecond}/s, p50 ${fixed(percentile(creations.times, 0.5))} ms, p99 ${fixed(percentile(creations.times, 0.99))} ms`,
  '1,500/s',
)
const aliases = Array.from({ length: links }, (_, at) => `bench-${at}`)
const link = creationOf('link')
const named = aliases.map((alias) => ({
  ...link,
  body: JSON.stringify({ ...JSON.parse(link.body ?? ''), alias }),
}))
await timesOf(named, atOnce, 201)
// As autovacuum leaves it some minutes later.
postgres.psql('VACUUM (ANALYZE)')

const load = async (what: string, paths: readonly string[], shall: string) => {
  const asks = paths.map((path) => ({ path })) as [Ask, ...Ask[]]
  const begin = createLoad(url, asks, undefined, atOnce)
  await (await begin(2)).answered()
  note(what, `${Math.round((await (await begin(seconds)).answered()) / seconds)}/s`, shall)
}
await load(
  `reads by id, ${atOnce} at once`,
  creations.locations.map((location) => `/p/raw/${idOf(location)}`),
  '12,000/s',
)
const redirects = aliases.map((alias) => ({ path: `/s/${alias}` }))
await load(
  `redirects, ${atOnce} at once`,
  redirects.map(({ path }) => path),
  '14,000/s',
)
const { times } = await timesOf([...redirects, ...redirects, ...redirects], 1, 302)
note(
  'redirect, one at a time, p50 · p99',
  `${fixed(percentile(times, 0.5))} · ${fixed(percentile(times, 0.99))} ms`,
  '0.6 · 3 ms',
)

/** Pages of a list, from its beginning on and again. */
const listing = async (what: string, query: string, shall: string) => {
  const times: number[] = []
  for (let after: string | null = null; times.length < pages; ) {
    const path = `/pastes?limit=20&${query}${after === null ? '' : `&after=${after}`}`
    const { ms, body } = await timed({ path, headers: paste.headers ?? {} }, 200)
    times.push(ms)
    after = JSON.parse(body).after
  }
  times.sort((a, b) => a - b)
  note(`a page of ${what}`, `${fixed(percentile(times, 0.5))} ms, worst ${fixed(times.at(-1))} ms`, shall)
}
await listing('the newest', 'sort=created', '2 ms')
await listing('the largest', 'sort=size', '5 ms')
await listing('the most read', 'sort=reads', '10 ms')
for (const [what, query] of [
  ['a word of all', 'q=everywhere'],
  ['a word of one', 'q=only77'],
  ['a beginning of all titles', 'q=fi'],
  ['five words', 'q=user+user1+user2+user3+user4'],
  ['a word of all, by size', 'q=everywhere&sort=size'],
  ['a word of all, by reads', 'q=everywhere&sort=reads'],
] as const)
  await listing(`hits, ${what}`, query, '30 ms')

showProgress('')
console.log(inColumns([[`${items} items`, 'is', 'shall be'], ...rows], []))
await server.stop()
process.exit()
