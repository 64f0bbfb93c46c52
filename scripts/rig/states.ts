import type { Random } from '../measure/random.ts'
import type { Change, Place, Trace } from './trace.ts'

/** The disk writes so much at once: a write that was cut ends at a multiple of it. */
const sectorBytes = 512

/** From which line of the trace on each change is sure to be on disk, by its position. */
export type Durability = Float64Array

/**
 * A change is sure once a sync of its place has ended that began after it. Of a rename, the place is the folder it goes to.
 * @param forgotten the site of syncs that are taken out
 */
export const durability = ({ changes, syncs }: Trace, forgotten?: string): Durability => {
  const sureFrom = new Float64Array(changes.length).fill(Number.POSITIVE_INFINITY)
  const syncsOf = Map.groupBy(
    syncs.filter(({ site }) => site !== forgotten),
    ({ place }) => place,
  )
  for (const [at, { place, ended }] of changes.entries())
    for (const sync of syncsOf.get(place) ?? [])
      if (sync.began > ended) sureFrom[at] = Math.min(sureFrom[at] as number, sync.ended)
  return sureFrom
}

/** The extremes, and what lies between them. */
export const modes = [
  'nothing',
  'everything',
  'newest',
  'entries',
  'data',
  'random',
  'random',
  'random',
] as const
export type Mode = (typeof modes)[number]

/** `version`: which one of what was written to the file; none where it is one that no program wrote. */
export type Content = { place: Place; bytes: Buffer; version: string | undefined }
/** What is on disk: files by their path, and every folder, outer ones first. */
export type State = { folders: string[]; files: Map<string, Content> }

type Fate = 'none' | 'all' | 'zeros' | 'prefix' | 'some'

/** Whether a change of a folder that nothing synced has happened, by its age among such changes: 0 is the newest. */
const entryChance = (mode: Mode, random: Random) => {
  const chance = random.pick([0.1, 0.5, 0.9])
  const newest = 1 + random.below(3)
  return (age: number) => {
    if (mode === 'newest') return age < newest
    if (mode === 'random') return random.next() < chance
    return mode === 'everything' || mode === 'entries'
  }
}

/** What became of the bytes of a file that nothing synced. */
const fateOf = (mode: Mode, random: Random): Fate => {
  if (mode === 'nothing') return 'none'
  if (mode === 'entries') return random.pick(['none', 'zeros'])
  if (mode === 'random') return random.pick(['none', 'all', 'zeros', 'prefix', 'some'])
  return mode === 'newest' ? random.pick(['none', 'all']) : 'all'
}

type Data = Exclude<Change, { what: 'entry' }>

/** The bytes of a file after some of its changes. */
const contentOf = (changes: readonly Data[]) => {
  let size = 0
  for (const change of changes)
    size = change.what === 'size' ? change.size : Math.max(size, change.at + change.bytes.length)
  const most = changes.reduce((bytes, change) => Math.max(bytes, endOf(change)), 0)
  const content = Buffer.alloc(most)
  for (const change of changes)
    if (change.what === 'bytes') change.bytes.copy(content, change.at)
    else content.fill(0, change.size)
  return content.subarray(0, size)
}
const endOf = (change: Data) => (change.what === 'size' ? change.size : change.at + change.bytes.length)

/** The first sectors of a write. */
const torn = (change: Data, random: Random): Data => {
  if (change.what === 'size') return change
  const sectors =
    Math.ceil((change.at + change.bytes.length) / sectorBytes) - Math.floor(change.at / sectorBytes)
  const end = (Math.floor(change.at / sectorBytes) + random.below(sectors)) * sectorBytes
  return { ...change, bytes: change.bytes.subarray(0, Math.max(0, end - change.at)) }
}

const zeroed = (change: Data): Data =>
  change.what === 'size' ? change : { ...change, bytes: Buffer.alloc(change.bytes.length) }

/** What of the changes that nothing synced reached the disk. */
const survivors = (loose: readonly Data[], fate: Fate, random: Random): Data[] => {
  if (fate === 'none') return []
  if (fate === 'all') return [...loose]
  if (fate === 'zeros') return loose.map(zeroed)
  if (fate === 'prefix') {
    const whole = random.below(loose.length)
    const cut = loose[whole]
    return [...loose.slice(0, whole), ...(cut ? [torn(cut, random)] : [])]
  }
  return loose.flatMap((change) => {
    const luck = random.next()
    if (luck < 0.3) return []
    return luck < 0.6 ? [change] : [luck < 0.8 ? torn(change, random) : zeroed(change)]
  })
}

/** The entries of every folder after some changes of them. */
const entriesAfter = (changes: readonly Change[]) => {
  const entries = new Map<Place, Map<string, Place>>()
  const entriesOf = (place: Place) => {
    const known = entries.get(place) ?? new Map<string, Place>()
    entries.set(place, known)
    return known
  }
  for (const change of changes) {
    if (change.what !== 'entry') continue
    const { place, name, node, from } = change
    if (from && entriesOf(from.place).get(from.name) === node) entriesOf(from.place).delete(from.name)
    if (node) entriesOf(place).set(name, node)
    else entriesOf(place).delete(name)
  }
  return entries
}

type Choice = { trace: Trace; sureFrom: Durability; point: number; mode: Mode; random: Random }

/** One of the states that the disk may hold when the power is cut at a line of the trace. */
export const stateAt = ({ trace, sureFrom, point, mode, random }: Choice): State => {
  const isEntryThere = entryChance(mode, random)
  const begun = trace.changes.map((change, at) => ({ change, isSure: (sureFrom[at] as number) <= point }))
  const past = begun.filter(({ change }) => change.began <= point)
  let age = past.filter(({ change, isSure }) => change.what === 'entry' && !isSure).length
  const happened = past.filter(
    ({ change, isSure }) => change.what !== 'entry' || isSure || isEntryThere(--age),
  )
  const entries = entriesAfter(happened.map(({ change }) => change))
  const dataOf = Map.groupBy(
    past.filter(({ change }) => change.what !== 'entry') as { change: Data; isSure: boolean }[],
    ({ change }) => change.place,
  )

  const read = (place: Place): Content => {
    const data = dataOf.get(place) ?? []
    const sure = data.filter(({ isSure }) => isSure).map(({ change }) => change)
    const loose = data.filter(({ isSure }) => !isSure).map(({ change }) => change)
    const left = loose.length ? survivors(loose, fateOf(mode, random), random) : []
    const version = loose.length === 0 ? `${place.number}-${sure.length}` : undefined
    return { place, bytes: contentOf([...sure, ...left]), version }
  }
  const state: State = { folders: [], files: new Map() }
  const walk = (place: Place, path: string) => {
    for (const [name, node] of entries.get(place) ?? []) {
      if (!node.entries) state.files.set(path + name, read(node))
      else {
        state.folders.push(path + name)
        walk(node, `${path}${name}/`)
      }
    }
  }
  walk(trace.root, '')
  return state
}

/** The same for two states that hold the same. */
export const fingerprintOf = ({ folders, files }: State) => {
  let sum = Bun.hash(folders.join('\n')) as bigint
  for (const [path, { bytes, version }] of files)
    sum = Bun.hash(version ?? bytes, Bun.hash(path, sum) as bigint) as bigint
  return sum
}
