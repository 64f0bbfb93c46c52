import type { Span } from './finders.ts'
import { readingsOf } from './readings.ts'
import { isPersonal, table } from './table.ts'

/** A value in a text that is masked. Lines and columns count from 1. */
export type Finding = {
  kind: string
  from: number
  length: number
  line: number
  column: number
  value: string
}

type Hit = { kind: string; rank: number; from: number; to: number }

/** Of values that overlap, the one of the upper row. */
const apart = (hits: readonly Hit[]) => {
  const kept: Hit[] = []
  for (const hit of hits) {
    const last = kept.at(-1)
    if (last === undefined || hit.from >= last.to) kept.push(hit)
    else if (hit.rank < last.rank) kept[kept.length - 1] = hit
  }
  return kept
}

const byPlace = (a: Hit, b: Hit) => a.from - b.from || a.rank - b.rank

/** More values than this are looked for only where their rows find them. */
const mostRepeated = 50
const shortestRepeated = 8

const isEdge = (text: string, at: number) => !/\w/.test(text[at] ?? ' ')

/** The other places of a value. */
const placesOf = (text: string, value: string): Span[] => {
  const places: Span[] = []
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    if (isEdge(text, at - 1) && isEdge(text, at + value.length)) places.push([at, at + value.length])
  return places
}

/** The same secrets elsewhere: masked in a header, one must not stay in the log below it. */
const repeated = (text: string, hits: readonly Hit[]): Hit[] => {
  const secrets = new Map<string, string>()
  for (const hit of hits) {
    if (secrets.size >= mostRepeated) break
    const value = text.slice(hit.from, hit.to)
    if (!isPersonal(hit.kind) && value.length >= shortestRepeated && !secrets.has(value))
      secrets.set(value, hit.kind)
  }
  // What a row has found there counts more.
  const rank = table.length
  return [...secrets].flatMap(([value, kind]) =>
    placesOf(text, value).map(([from, to]) => ({ kind, rank, from, to })),
  )
}

const endOfLine = (text: string, from: number) => {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** What is found in one reading, by its place there. */
const hitsIn = (text: string) => {
  const hits = table
    .flatMap(({ kind, find }, rank) => [...find(text)].map(([from, to]): Hit => ({ kind, rank, from, to })))
    .sort(byPlace)
  const found = apart(hits)
  return apart([...found, ...repeated(text, found)].sort(byPlace))
}

/** What is found in all readings, by its place in the text itself. */
const hitsOf = (text: string): Hit[] => {
  const [first = [], ...others] = readingsOf(text).map((reading, at) =>
    hitsIn(reading.text).map(({ kind, rank, from, to }) => ({
      kind,
      // Below every hit of the reading before.
      rank: rank + at * (table.length + 1),
      from: reading.placeOf(from),
      to: reading.placeOf(to - 1) + 1,
    })),
  )
  return others.length === 0 ? first : apart([...first, ...others.flat()].sort(byPlace))
}

/** Everything in a text that looks like a secret, or says who or where somebody is, by its place. */
export const findSecrets = (text: string): Finding[] => {
  let [line, lineStart, lineEnd] = [1, 0, endOfLine(text, 0)]
  return hitsOf(text).map(({ kind, from, to }) => {
    while (lineEnd < from) {
      line++
      lineStart = lineEnd + 1
      lineEnd = endOfLine(text, lineStart)
    }
    return { kind, from, length: to - from, line, column: from - lineStart + 1, value: text.slice(from, to) }
  })
}
