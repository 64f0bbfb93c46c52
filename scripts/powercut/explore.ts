import { join } from 'node:path'
import { createRandom } from '../crash/random.ts'
import { build, knownAt, problemsOf, remove } from './check.ts'
import type { Recording } from './record.ts'
import { type Durability, durability, fingerprintOf, type Mode, modes, stateAt } from './states.ts'

/** Of so many states, one is given to the command `verify` too. */
const statesPerVerify = 20

export type Loss = { state: number; point: number; mode: Mode; problems: string[] }

export type Exploration = {
  recording: Recording
  seed: number
  /** How many different states are opened. */
  states: number
  /** The site of syncs that are taken out. */
  forgotten?: string
  onState?: () => void
}

/** Lines of the trace at which something is on its way to the disk; of syncs that were taken out, only where that matters. */
const pointsOf = ({ trace }: Recording, sureFrom: Durability, whole: Durability) => {
  const { changes, notes } = trace
  const points = new Set<number>()
  if (sureFrom === whole) {
    for (const { ended } of changes) points.add(ended)
    for (const line of whole) if (Number.isFinite(line)) points.add(line)
    for (const { at } of notes) points.add(at)
  } else
    for (const [at, { place }] of changes.entries()) {
      const [from, to] = [whole[at] as number, sureFrom[at] as number]
      if (from < to) points.add(from)
      for (const other of changes)
        if (other.place === place && from < other.ended && other.ended < to) points.add(other.ended)
      for (const noted of notes) if (from < noted.at && noted.at < to) points.add(noted.at)
    }
  return [...points].sort((a, b) => a - b)
}

/** What is at one state, by its number alone, so that it can be opened again. */
export const createExplorer = ({ recording, seed, forgotten }: Omit<Exploration, 'states'>) => {
  const { trace, folder } = recording
  const whole = durability(trace)
  const sureFrom = forgotten === undefined ? whole : durability(trace, forgotten)
  const points = pointsOf(recording, sureFrom, whole)
  const choose = (number: number) => {
    const random = createRandom(seed * 1_000_003 + number)
    const point = random.pick(points)
    const mode = modes[number % modes.length] as Mode
    return { point, mode, state: stateAt({ trace, sureFrom, point, mode, random }) }
  }
  return {
    hasPoints: points.length > 0,
    choose,
    open: async (number: number, { point, mode, state }: ReturnType<typeof choose>): Promise<Loss> => {
      const disk = join(folder, `state-${number}`)
      build(recording, state, disk)
      const isThorough = number % statesPerVerify === 0
      const problems = await problemsOf(disk, knownAt(trace, point), isThorough)
      await remove(disk)
      return { state: number, point, mode, problems }
    },
  }
}

/** Opens states until there are enough, or one has lost something. Equal states are opened once. */
export const explore = async ({ states, onState, ...parts }: Exploration): Promise<Loss | undefined> => {
  const { hasPoints, choose, open } = createExplorer(parts)
  const seen = new Set<string>()
  for (let number = 0; hasPoints && seen.size < states && number < states * 20; number++) {
    const choice = choose(number)
    const name = `${choice.point} ${fingerprintOf(choice.state)}`
    if (seen.has(name)) continue
    seen.add(name)
    const loss = await open(number, choice)
    onState?.()
    if (loss.problems.length) return loss
  }
}
