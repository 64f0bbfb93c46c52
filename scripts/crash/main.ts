// `npm run crash -- --rounds N [--seed S]`: creates and deletes over many connections, kills the executable with SIGKILL
// at a random moment, restarts it, and compares what it serves with a ledger of what it acknowledged, and its counts with
// how often it was asked.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '../../test/support/client.ts'
import { run, start, target, temporaryFolder, testKey } from '../../test/support/process.ts'
import { createLedger, type Entry, problemOf, problemOfWords, problemsOfLists } from './ledger.ts'
import { createLimitedLedger } from './limited.ts'
import { work } from './load.ts'
import { createRandom } from './random.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string' }, seed: { type: 'string' } } })
const rounds = Number(values.rounds ?? 20)
const seed = Number(values.seed ?? Date.now() % 2 ** 32)
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) {
  console.error('usage: npm run crash -- --rounds N [--seed S]')
  process.exit(2)
}

const connections = 16
const checksAtOnce = 32
const olderPerRound = 300
const longestLoadMs = 400
/** Some rounds last until counts are being written, a second after the first visit, which is a comparison. */
const longLoadMs = { from: 500, upTo: 1100 }
/** Walking the whole folder costs more than a round, so it is done now and then. */
const roundsPerVerify = 50
const longestErasureMs = 60_000
const [listsAtOnce, longestShortLifeMs] = [3, 120]
const searchesPerRound = 20

const random = createRandom(seed)
const ledger = createLedger()
const limited = createLimitedLedger()
const data = join(temporaryFolder(), 'data')
const options = { data, args: ['--rate-limit', 'off', '--log', 'off'] }
const problems: string[] = []

const compare = async (url: string, entries: readonly Entry[]) => {
  for (let at = 0; at < entries.length; at += checksAtOnce) {
    const found = await Promise.all(
      entries.slice(at, at + checksAtOnce).map((entry) => problemOf(url, entry)),
    )
    problems.push(...found.filter((problem) => problem !== undefined))
  }
}

const verify = async () => {
  const { code, stdout } = await run(['verify', '--data', data])
  if (code !== 0) problems.push(`verify ended with ${code}: ${stdout}`)
}

const temporaryFiles = () => (existsSync(join(data, 'tmp')) ? readdirSync(join(data, 'tmp')) : [])

/** A life in which what has expired is being erased beside lists, and which is killed at once. */
const playShortLife = async () => {
  const server = await start(options)
  let isOver = false
  const list = async () => {
    while (!isOver) await problemsOfLists(server.url, testKey, []).catch(() => {})
  }
  const lists = Array.from({ length: listsAtOnce }, list)
  await Bun.sleep(random.next() * longestShortLifeMs)
  isOver = true
  await server.kill()
  await Promise.all(lists)
}

const playRound = async (round: number) => {
  await playShortLife()
  const before = temporaryFiles()
  const server = await start(options)
  // Erasing what has expired, the new process writes there too.
  const leftovers = temporaryFiles().filter((name) => before.includes(name))
  if (leftovers.length) problems.push(`temporary files were not swept: ${leftovers}`)
  const sample = ledger.sample(random, olderPerRound)
  await compare(server.url, sample)
  for (const entry of sample.filter(({ former }) => former !== undefined).slice(0, searchesPerRound))
    problems.push((await problemOfWords(server.url, entry)) ?? '')
  problems.push(...(await problemsOfLists(server.url, testKey, ledger.entries)))
  let isOver = false
  const parts = { client: createClient(server.url), url: server.url, ledger, limited, random }
  const workers = Array.from({ length: connections }, () => work(parts, () => isOver))
  const { from, upTo } = random.next() < 0.1 ? longLoadMs : { from: 0, upTo: longestLoadMs }
  await Bun.sleep(from + random.next() * (upTo - from))
  isOver = true
  await server.kill()
  await Promise.all(workers)
  problems.push(...limited.problems)
  problems.splice(0, problems.length, ...problems.filter((problem) => problem !== ''))
  if (round % roundsPerVerify === 0) await verify()
}

console.log(`crash rounds: ${rounds}, seed ${seed}, ${target.join(' ')}`)
let played = 0
while (played < rounds && problems.length === 0) {
  const round = ++played
  await playRound(round)
  if (process.stderr.isTTY)
    process.stderr.write(`\r${round}/${rounds} rounds, ${ledger.entries.length} items`)
}
if (process.stderr.isTTY) process.stderr.write('\n')

/** The text of a document is its last field. */
const headBytes = 400

/** What has expired or was deleted must be gone from disk within a minute, also what nobody acknowledged. */
const expectErased = async () => {
  const left = async () => {
    const paths: string[] = []
    for (const folder of ['pastes', 'links'])
      for (const path of readdirSync(join(data, folder), { recursive: true }) as string[]) {
        if (!/^..\/[^.]+\.json$/.test(path)) continue
        const file = Bun.file(join(data, folder, path))
        const text = await file.text().catch(() => '')
        const isErasing = existsSync(join(data, folder, path.replace(/json$/, 'gone')))
        const [, expiresAt] = /"expiresAt":(\d+)/.exec(text.slice(0, headBytes)) ?? []
        if (isErasing || (expiresAt !== undefined && Number(expiresAt) <= Date.now())) paths.push(path)
      }
    return paths
  }
  for (let waitedMs = 0; waitedMs < longestErasureMs; waitedMs += 1000) {
    if ((await left()).length === 0) return
    await Bun.sleep(1000)
  }
  problems.push(`what has expired or was deleted is still on disk after a minute: ${await left()}`)
}

const server = await start(options)
await compare(server.url, ledger.entries)
await expectErased()
await compare(server.url, ledger.entries)
limited.problems.length = 0
await limited.exhaust(server.url)
problems.push(...limited.problems)
await server.stop()
await verify()

const deleted = ledger.entries.filter(({ state }) => state === 'deleted').length
const expired = ledger.entries.filter(({ expiresAt }) => expiresAt !== undefined).length
const reads = limited.entries.reduce((sum, { read }) => sum + read, 0)
for (const problem of problems) console.log(`PROBLEM ${problem}`)
console.log(
  `${played} rounds: ${ledger.entries.length} acknowledged creations, ${deleted} deletions, ${expired} expiries, ` +
    `${reads} reads of ${limited.entries.length} burn-after-reading pastes, ${problems.length} problems`,
)
process.exit(problems.length ? 1 : 0)
