import { createClient } from '../../../test/support/client.ts'
import { type Attack, askAgain, mostGrowthMb, type Stock } from '../attack.ts'

const mebibyte = 1024 ** 2
const senders = 8

/** A view of a text of 1 MiB costs other readers no more than this, however many ask. */
const limits = { 'stall ms': 50, 'growth MB': mostGrowthMb }

const filled = (line: (at: number) => string) => {
  let text = ''
  for (let at = 0; text.length < mebibyte - 200; at++) text += line(at)
  return text
}

const logLevels = ['DEBUG', 'INFO', 'INFO', 'WARN', 'ERROR']
const log = (seed: number) =>
  filled((at) => {
    const time = new Date(1_750_000_000_000 + at * 777).toISOString()
    return `${time} ${logLevels[(at + seed) % 5]} worker-${at % 7}: request ${seed}${at} took ${at % 900} ms\n`
  })
const markdown = (seed: number) =>
  filled(
    (at) =>
      `## Part ${seed}.${at}\n\nSome *words*, \`code\` and [a link](https://example.org/${at}).\n\n- [ ] one\n- two\n\n`,
  )
const table = (seed: number) => filled((at) => `${at},"name ${seed}, ${at}",${(at * 7) % 1000}.5,example\n`)
const json = (seed: number) => `[${filled((at) => `{"id":${seed}${at},"tags":["a","b"],"ok":true},`)}0]`

const oddLines = (seed: number) => `a\n${'bcdefghi'[seed]}\n`.repeat(mebibyte / 8 + seed)

type Viewed = readonly [
  name: string,
  what: string,
  language: string,
  textOf: (seed: number) => string,
  path: Path,
]
/** The path of a request. @param ids of the pastes @param at counts the requests */
type Path = (ids: readonly string[], sender: number, at: number) => string

const page =
  (query: string): Path =>
  (ids, sender) =>
    `/p/${ids[sender]}${query}`
const grep =
  (address: string): Path =>
  (ids, sender, at) =>
    `${address}${ids[sender]}?grep=${at}`
const diff: Path = (ids, sender, at) => `/diff/${ids[sender]}/${ids[(sender + 1 + at) % senders]}`

const viewed: readonly Viewed[] = [
  ['preview', 'the preview of Markdown', 'markdown', markdown, page('?view=preview')],
  ['table', 'the table of CSV', 'csv', table, page('?view=table')],
  ['formatted', 'the formatted view of JSON', 'json', json, page('?view=formatted')],
  ['log', 'the errors of a log', 'log', log, page('?level=error')],
  ['grep', 'the lines of a log with a word, each time another', 'log', log, grep('/p/')],
  ['raw-grep', 'the same of the raw text', 'log', log, grep('/p/raw/')],
  ['diff', 'two Markdown texts that differ in each line', 'markdown', markdown, diff],
  ['log-diff', 'two logs that differ in each line', 'log', log, diff],
  ['odd-diff', 'two texts that differ in every second of 262,144 lines', 'text', oddLines, diff],
  [
    'deep-preview',
    'the preview of quotes in quotes',
    'markdown',
    () => '>'.repeat(mebibyte),
    page('?view=preview'),
  ],
  ['marked-log', 'a log of zero-width spaces', 'log', () => '\u200b'.repeat(349_525), grep('/p/')],
]

const pastesOf =
  (language: string, textOf: (seed: number) => string, count = senders) =>
  async ({ url }: { url: string }): Promise<Stock> => {
    const ids: string[] = []
    for (let seed = 0; seed < count; seed++) {
      const { rawUrl = '' } = await createClient(url).paste({ language, text: textOf(seed) })
      ids.push(rawUrl.split('/').at(-1) ?? '')
    }
    return { ids: ids.join(' ') }
  }

/** Asks for one path after the other. */
const sendAll =
  (path: Path): Attack['send'] =>
  (stage) => {
    const ids = (stage.stock.ids ?? '').split(' ')
    const headers = ['Accept: text/html']
    return askAgain(stage, senders, (sender, at) => ({ path: path(ids, sender, at), headers }), 200, 503)
  }

/** Each sender reads another paste. */
const readers = viewed.map(([name, what, language, textOf, path]) => ({
  name: `${name}/${senders}`,
  what: `${what}, of pastes of 1 MiB`,
  senders,
  limits,
  prepare: pastesOf(language, textOf),
  send: sendAll(path),
}))

/** More than are kept in memory, so each is read from the disk. */
const manyTexts = 24
const inTurn =
  (address: string): Path =>
  (ids, sender, at) =>
    address + ids[(3 * sender + at) % ids.length]

const forgetful = (['raw', 'page'] as const).map((name) => ({
  name: `many-${name}/${senders}`,
  what: `the ${name === 'raw' ? 'raw text' : 'page'} of ${manyTexts} pastes of 1 MiB in turn`,
  senders,
  limits,
  prepare: pastesOf('text', log, manyTexts),
  send: sendAll(inTurn(name === 'raw' ? '/p/raw/' : '/p/')),
}))

/** Readers of large pastes and of their views. */
export const viewAttacks: readonly Attack[] = [...readers, ...forgetful]
