import { join } from 'node:path'
import { createRandom } from '../measure/random.ts'
import { build, knownAt, problemsOf, remove } from './disk.ts'
import type { Recording } from './record.ts'
import { type Durability, durability, fingerprintOf, type Mode, modes, stateAt } from './states.ts'

/** Of so many states, one is given to the command `verify` too. */
const statesPerVerify = 20

export type Loss = { state: number; point: number; mode: Mode; problems: string[] }

type Exploration = {
  recording: Recording
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
export const createExplorer = ({ recording, forgotten }: Omit<Exploration, 'states'>) => {
  const { trace, folder, seed } = recording
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
      const problems = await problemsOf(disk, knownAt(recording, point), isThorough)
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

/** The syncs that are needed, by the site names of `readTrace`: without one, an acknowledged item is lost or half there. */
export const neededSyncs: readonly string[] = [
  'bytes of items/xx/*.json',
  'items/xx, renamed items/xx/*.json',
  'items/xx, renamed items/xx/*.gone',
  'items/xx, removed items/xx/*.json',
  'bytes of items/xx/*.n.json',
  'items/xx, renamed items/xx/*.n.json',
  'items/xx, removed items/xx/*.n.json',
  'bytes of aliases/items/xx/*.json',
  'aliases/items/xx, renamed aliases/items/xx/*.json',
  'items, made a folder',
  'aliases/items, made a folder',
  'aliases, made a folder',
  'the data folder, made a folder',
  'the disk, made a folder',
  'bytes of keys.json',
  'the data folder, renamed keys.json',
  'bytes of shortcrust.json',
  'bytes of counts.sqlite',
]

/**
 * Syncs that acknowledge nothing: what SQLite does in files that may be lost (where one matters, the one of its log and the
 * one of its file each do: `test/store/durability.test.ts`), and two that a folder sees once, with its first
 * start, for the files are written as all others are. A file that a kill left in `tmp` is nobody's.
 */
export const isSpare = (site: string) =>
  /\b((index|counts|words)\.sqlite|words\.key)\b/.test(site) ||
  ['the data folder, renamed shortcrust.json', 'the data folder, unchanged'].includes(site) ||
  site.startsWith('bytes of tmp/') ||
  site.startsWith('tmp,')
