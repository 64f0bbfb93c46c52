// `npm run powercut -- [--states N] [--seed S] [--state N]`: records the calls of the executable under loads, builds what a disk
// may hold when the power is cut between two of them, opens that, and holds it against what was acknowledged.
// `npm run powercut -- --faults [--every N] [--seed S]`: lets each call of a load fail in turn, or one of N.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { target } from '../../test/support/process.ts'
import { requireProgram } from '../../test/support/programs.ts'
import { inLanes, readOrComplain, showProgress, wholeNumber } from '../measure/options.ts'
import { createExplorer, explore, type Loss } from './explore.ts'
import { everyFault, playFault } from './faults.ts'
import { discard, readRecording, record } from './record.ts'

const usage =
  '[--states N] [--seed S] [--state N, of a recording that was kept] | --faults [--every N] [--seed S]'
const chosen = readOrComplain('powercut', usage, () => {
  const text = { type: 'string' } as const
  const known = { states: text, seed: text, state: text, every: text, faults: { type: 'boolean' } } as const
  const { values } = parseArgs({ options: known })
  return {
    states: wholeNumber('states', values.states, 10_000, 1),
    firstSeed: wholeNumber('seed', values.seed, Date.now() % 1_000_000, 0),
    every: wholeNumber('every', values.every, 1, 1),
    ...(values.state !== undefined && { state: wholeNumber('state', values.state, 0, 0) }),
    faults: values.faults,
  }
})
if (!chosen) process.exit(2)
const { states, firstSeed, every } = chosen
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
if (chosen.state !== undefined) await replay(firstSeed, chosen.state)

/** One more than there are cores: each waits for its server now and then. */
const lanes = availableParallelism() + 1

let done = 0
let losses = 0

const playFaults = async () => {
  const all = await everyFault(firstSeed)
  const faults = all.filter((_, at) => at % every === firstSeed % every)
  console.log(`powercut: ${faults.length} of ${all.length} faults, seed ${firstSeed}, ${target.join(' ')}`)
  let failed = 0
  await inLanes(faults, lanes, async (fault) => {
    const { hit, problems } = await playFault(firstSeed, fault).catch((error: Error) => ({
      hit: [],
      problems: [error.message],
    }))
    failed += hit.length
    showProgress(`${++done}/${faults.length} faults, ${losses} losses`)
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
  const onState = () => showProgress(`${++done}/${states} states, ${losses} losses`)
  await inLanes(seeds, lanes, async (seed) => {
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
const what = await (chosen.faults ? playFaults() : exploreStates())
showProgress('')
const seconds = Math.round((performance.now() - began) / 1000)
console.log(`${what}, in ${seconds} s: ${losses} losses`)
process.exit(losses ? 1 : 0)
