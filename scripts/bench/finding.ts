// Measures searching: `bun scripts/bench/finding.ts [ITEMS]`, by default 100,000 pastes of 4 KB in a folder of their own,
// which is removed at the end. Texts are pieces of the packages in node_modules.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredPaste } from '../../src/items/paste.ts'
import { isIdOf, pasteCheck } from '../../src/services/items.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import type { Sort } from '../../src/store/words/tokens.ts'
import { writeManyPastes } from './many-pastes.ts'

const items = Number(process.argv[2] ?? 100_000)
const textBytes = 4096
const pieces: string[] = []
for (const path of new Bun.Glob('**/*.{ts,js,md,json}').scanSync('node_modules')) {
  const text = readFileSync(join('node_modules', path), 'latin1').replace(/[^\x20-\x7e\n]/g, ' ')
  for (let at = 0; at + textBytes <= text.length && at < 40 * textBytes; at += textBytes)
    pieces.push(text.slice(at, at + textBytes))
  if (pieces.length > 20_000) break
}

/** Two halves of different pieces, and words that are in all, in one, and in ever new ones. */
const textOf = (at: number) => {
  const [first, second] = [pieces[at % pieces.length] ?? '', pieces[(at * 7919) % pieces.length] ?? '']
  return `everywhere only${at} user${at % 1000} ${first.slice(0, textBytes / 2)}${second.slice(textBytes / 2 + 60)}`
}

const folder = mkdtempSync(join(tmpdir(), 'shortcrust-finding-'))
const path = join(folder, 'data')
writeManyPastes(path, items, textOf)

/** The longest time between two turns of the event loop. */
const watchStalls = () => {
  let [last, longest] = [performance.now(), 0]
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - 1)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return longest
  }
}

const data = await openDataFolder(path, 'the bench', () => {})
const opened = data.items({
  now: Date.now,
  report: (...news) => console.log(...news),
  onDamage: console.error,
})
opened.store<StoredPaste>('pastes', {
  ...{ check: pasteCheck, cacheBytes: 1e7, newId: () => crypto.randomUUID().slice(0, 10) },
  isId: isIdOf('paste'),
})
const search = (text: string, sort: Sort = 'created', more = {}) =>
  opened.search({
    ...{ kind: 'pastes', owner: 'default', language: undefined, text, since: 0, sort },
    ...{ count: 51, now: Date.now(), ...more },
  })

const timed = async (what: string, work: () => Promise<unknown>) => {
  const stalls = watchStalls()
  const start = performance.now()
  const before = process.cpuUsage()
  await work()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(before)
  const cost = `${((user + system) / items).toFixed(0)} µs of all cores an item`
  console.log(`${what}: ${Math.round(items / seconds)} items/s, ${cost}, stall ${stalls().toFixed(0)} ms`)
}
await timed('lists rebuilt', async () => {
  opened.start()
  await opened.totals()
})
await timed('words built', async () => {
  while (!(await search('everywhere')).isComplete);
})
const sizeOf = (name: string) => statSync(join(path, name)).size
console.log(`words.sqlite / texts: ${(sizeOf('words.sqlite') / items / textBytes).toFixed(3)}`)

for (const [what, text, sort, more] of [
  ['one hit', 'only777', 'created', {}],
  ['every item', 'everywhere', 'created', {}],
  ['every item, by size', 'everywhere', 'size', {}],
  ['a beginning in every title', 'fi', 'changed', {}],
  ['no text, by expiry', '', 'expires', {}],
  ['a language and a word', 'const', 'created', { language: 'json' }],
  ['made to hurt', 'user user1 user2 user3 user4', 'created', {}],
  ['every item, by reads', 'everywhere', 'uses', {}],
  ['no text, a page of 200 by reads', '', 'uses', { count: 201 }],
] as const) {
  const times: number[] = []
  const stalls = watchStalls()
  for (let round = 0; round < 20; round++) {
    const start = performance.now()
    await search(text, sort, more)
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const [median = 0, most = 0] = [times[10], times[19]]
  console.log(
    `${what}: median ${median.toFixed(1)} ms, worst ${most.toFixed(1)} ms, stall ${stalls().toFixed(0)} ms`,
  )
}
await opened.close()
data.close()
rmSync(folder, { recursive: true })
