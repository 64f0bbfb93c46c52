// `npm run bench`: the executable against a baseline of the same machine, side by side; docs/benchmarks.md says how.
import { parseArgs } from 'node:util'
import * as options from '../measure/options.ts'
import { facts } from '../measure/report.ts'
import type { Bench, Figure } from './exchange.ts'
import { figures as everyFigure } from './figures.ts'
import { type PeerReport, peerTable } from './peer-report.ts'
import { playPeers, readPeers } from './peers.ts'
import { createStocks } from './product.ts'
import { type Pair, type Report, resultOf, tableText } from './results.ts'

const usage = '[--json FILE] [--only NAME]... [--seconds N] [--rounds N] [--smoke] [--peers FILE]'
/** Fewer rounds say nothing about how far the figures spread. */
const [leastRounds, defaultSeconds, peerSeconds] = [5, 5, 2]

/** `smoke` measures once, and little: to see that it works. @throws {Error} whose message says what is wrong */
const readOptions = (args: readonly string[]) => {
  const text = { type: 'string' } as const
  const numbers = { seconds: text, rounds: text, smoke: { type: 'boolean' } } as const
  const known = { json: text, peers: text, only: { ...text, multiple: true }, ...numbers } as const
  const { values } = parseArgs({ args: [...args], options: known })
  const { json, only = [], smoke: isSmoke = false, peers: file } = values
  const all = file ? readPeers(file) : undefined
  options.checkOptions(
    file ? 'server' : 'figure',
    (all ?? everyFigure).map(({ name }) => name),
    values,
  )
  const rounds = isSmoke ? 1 : leastRounds
  return {
    ...{ json, only, isSmoke },
    ...(all && { entrants: all.filter(({ name }) => options.isWanted(name, only)) }),
    seconds: options.wholeNumber(
      'seconds',
      values.seconds,
      isSmoke ? 1 : file ? peerSeconds : defaultSeconds,
      1,
    ),
    rounds: options.wholeNumber('rounds', values.rounds, rounds, rounds),
  }
}

/** What to type when a program is missing. */
const missingPrograms = () => {
  const packages = { wrk: 'wrk', taskset: 'util-linux' }
  const missing = Object.entries(packages).filter(([name]) => Bun.which(name) === null)
  if (missing.length === 0) return undefined
  const names = missing.map(([name]) => name).join(' and ')
  return `${names} missing; install with: apt-get install ${missing.map(([, from]) => from).join(' ')}`
}

/** Plays a figure round by round; the next round begins with the other side. */
const playRounds = async (figure: Figure, bench: Omit<Bench, 'closers'>, rounds: number) => {
  const pairs: Pair[] = []
  while (pairs.length < rounds) {
    await using closers = new AsyncDisposableStack()
    pairs.push(await figure.play({ ...bench, closers }, pairs.length % 2 === 1))
  }
  return pairs
}

const wrkVersion = () => /\d+\.\d+[.\w]*/.exec(String(Bun.spawnSync(['wrk', '-v']).stdout))?.[0] ?? 'unknown'

/** @returns the exit code: 1 for errors, never for a figure that is not reached; 2 for wrong options */
const runBench = async (args: readonly string[]): Promise<number> => {
  const chosen = options.readOrComplain('bench', usage, () => readOptions(args))
  if (!chosen) return 2
  const missing = missingPrograms()
  if (missing) {
    options.complain('bench', missing)
    return 1
  }
  const { only, seconds, rounds, isSmoke, entrants } = chosen
  const { versions, ...others } = facts()
  const circumstances = { ...others, versions: { ...versions, wrk: wrkVersion() }, seconds, rounds }
  if (entrants) {
    await playPeers(entrants, chosen)
    const servers = entrants.map(({ path: _, peer: __, ...measured }) => measured)
    console.log(peerTable(servers))
    options.writeJson(chosen, { ...circumstances, servers } satisfies PeerReport)
    return 0
  }
  const wanted = everyFigure.filter(({ name }) => options.isWanted(name, only))
  const bench = { seconds, isSmoke, stock: createStocks(isSmoke) }
  const figures = await options.playRows('bench', wanted, async (figure) =>
    resultOf(figure, await playRounds(figure, bench, rounds)),
  )
  console.log(tableText(figures))
  const failed = wanted.length - figures.length
  if (failed > 0) {
    options.complain('bench', `${failed} figures failed, so no JSON is written`)
    return 1
  }
  options.writeJson(chosen, { ...circumstances, figures } satisfies Report)
  return 0
}

if (import.meta.main) await options.runTool(runBench)
