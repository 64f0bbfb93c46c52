// `npm run powercut -- [--states N] [--seed S] [--state N]`: records the calls of the executable under loads, builds what a disk
// may hold when the power is cut between two of them, opens that, and holds it against what was acknowledged.
// `npm run powercut -- --faults [--every N] [--seed S]`: lets each call of a load fail in turn, or one of N.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { target } from '../../test/support/process.ts'
import { requireProgram } from '../../test/support/programs.ts'
import { createExplorer, explore, type Loss } from './explore.ts'
import { everyFault, playFault } from './faults.ts'
import { discard, readRecording, record } from './record.ts'

const { values } = parseArgs({
  options: {
    states: { type: 'string' },
    seed: { type: 'string' },
    state: { type: 'string' },
    faults: { type: 'boolean' },
    every: { type: 'string' },
  },
})
const numberOf = (text: string | undefined, usual: number) => Number(text ?? usual)
const states = numberOf(values.states, 10_000)
const firstSeed = numberOf(values.seed, Date.now() % 1_000_000)
const every = numberOf(values.every, 1)
if (
  ![states, every, firstSeed + 1, numberOf(values.state, 0) + 1].every((n) => Number.isInteger(n) && n > 0)
) {
  console.error(
    'usage: npm run powercut -- [--states N] [--seed S] [--state N, of a recording that was kept]',
  )
  console.error('       npm run powercut -- --faults [--every N] [--seed S]')
  process.exit(2)
}
if (!requireProgram('strace', 'strace')) process.exit(0)

/** Operations in a recording, and states of it: a new recording costs as much as fifteen states. */
const steps = 150
const statesPerRecording = 250

const shownProblems = 3

const tell = (seed: number, { state, point, mode, problems }: Loss) => {
  const more = problems.length > shownProblems ? `; and ${problems.length - shownProblems} more` : ''
  const what = problems.slice(0, shownProblems).join('; ') + more
  console.log(`LOSS seed ${seed}, state ${state}, cut at line ${point}, mode ${mode}: ${what}`)
}

const replay = async (seed: number, state: number) => {
  const { choose, open } = createExplorer({ recording: readRecording(seed) })
  const loss = await open(state, choose(state))
  if (loss.problems.length) tell(seed, loss)
  else console.log(`seed ${seed}, state ${state}: nothing is lost`)
  process.exit(loss.problems.length ? 1 : 0)
}
if (values.state !== undefined) await replay(firstSeed, Number(values.state))

const progress = (text: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}`)
}

/** Does something with each, one more at once than there are cores: each waits for its server now and then. */
const inLanes = async <T>(all: readonly T[], act: (one: T) => Promise<void>) => {
  const left = [...all]
  const lane = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await act(one)
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism() + 1, all.length) }, lane))
  if (process.stderr.isTTY) process.stderr.write('\n')
}

let done = 0
let losses = 0

const playFaults = async () => {
  const all = await everyFault(firstSeed)
  const faults = all.filter((_, at) => at % every === firstSeed % every)
  console.log(`powercut: ${faults.length} of ${all.length} faults, seed ${firstSeed}, ${target.join(' ')}`)
  let failed = 0
  await inLanes(faults, async (fault) => {
    const { hit, problems } = await playFault(firstSeed, fault).catch((error: Error) => ({
      hit: [],
      problems: [error.message],
    }))
    failed += hit.length
    progress(`${++done}/${faults.length} faults, ${losses} losses`)
    if (problems.length === 0) return
    losses++
    const { call, number, error } = fault
    console.log(`LOSS seed ${firstSeed}, ${error} at ${call} ${number} of a thread: ${problems.join('; ')}`)
  })
  return `${done} runs, in which ${failed} calls failed`
}

const exploreStates = async () => {
  console.log(`powercut: ${states} states, seed ${firstSeed}, ${target.join(' ')}`)
  const seeds = Array.from({ length: Math.ceil(states / statesPerRecording) }, (_, at) => firstSeed + at)
  const onState = () => progress(`${++done}/${states} states, ${losses} losses`)
  await inLanes(seeds, async (seed) => {
    const left = states - (seed - firstSeed) * statesPerRecording
    const recording = await record(seed, steps)
    const loss = await explore({ recording, states: Math.min(left, statesPerRecording), onState })
    if (!loss) return discard(recording)
    losses++
    tell(seed, loss)
    console.log(
      `  kept in ${recording.folder}; again: npm run powercut -- --seed ${seed} --state ${loss.state}`,
    )
  })
  return `${done} different states opened`
}

const began = performance.now()
const what = await (values.faults ? playFaults() : exploreStates())
const seconds = Math.round((performance.now() - began) / 1000)
console.log(`${what}, in ${seconds} s: ${losses} losses`)
process.exit(losses ? 1 : 0)
