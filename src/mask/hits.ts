import type { Span } from './finders.ts'
import { lineBefore } from './kinds/places.ts'
import { readingsOf } from './readings.ts'
import { isPersonal, table } from './table.ts'

/** A value by its place, and the row that found it: a lower rank counts more. */
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

/** What is found in one reading, by its place there. */
const hitsIn = (text: string) => {
  const hits = table
    .flatMap(({ kind, find }, rank) => [...find(text)].map(([from, to]): Hit => ({ kind, rank, from, to })))
    .sort(byPlace)
  const found = apart(hits)
  return apart([...found, ...repeated(text, found)].sort(byPlace))
}

/** Of two values of several readings that overlap: a secret counts more than a name, two secrets are one value. */
const unitedOf = (last: Hit, hit: Hit): Hit => {
  const counting = hit.rank < last.rank ? hit : last
  if (isPersonal(last.kind)) return isPersonal(hit.kind) ? counting : hit
  return isPersonal(hit.kind) ? last : { ...counting, from: last.from, to: Math.max(last.to, hit.to) }
}

/** Values of several readings, apart: no part of a secret is left that another reading has found whole. */
const united = (hits: readonly Hit[]) => {
  const kept: Hit[] = []
  for (const hit of hits) {
    const last = kept.at(-1)
    if (last === undefined || hit.from >= last.to) kept.push(hit)
    else kept[kept.length - 1] = unitedOf(last, hit)
  }
  return kept
}

/** Escapes at the end of a value, and those before the next setting of a string: `"DB_PASSWORD=a\\nDB_HOST=b"`. */
const escapesAtEnd = /(?:\\{1,2}[nrt]){1,8}$/
const nextSetting = /(?:\\{1,2}[nrt]){1,8}[A-Za-z_][\w.-]{0,60}[:=](?!=|$)/

/** True if a string has begun on the line before this place; not right here, where it is the value. */
const isInString = (text: string, at: number) =>
  !/["'`]/.test(text[at - 1] ?? '') && lineBefore(text, at).split('"').length % 2 === 0

/** Of values in the text as it is written, those that hold an escape, up to one that ends a line for certain. */
const asWritten = (text: string, hits: readonly Hit[]) =>
  hits.flatMap((hit) => {
    if (isPersonal(hit.kind)) return []
    const value = text.slice(hit.from, hit.to)
    const next = isInString(text, hit.from) ? value.search(nextSetting) : -1
    const length = next < 0 ? value.replace(escapesAtEnd, '').length : next
    return length > 0 && value.slice(0, length).includes('\\') ? [{ ...hit, to: hit.from + length }] : []
  })

/** What is found in all readings, by its place in the text itself. */
export const hitsOf = (text: string): Hit[] => {
  const [first = [], ...others] = readingsOf(text).map((reading, at) => {
    const hits = hitsIn(reading.text).map(({ kind, rank, from, to }) => ({
      kind,
      // Below every hit of the reading before.
      rank: rank + at * (table.length + 1),
      from: reading.placeOf(from),
      to: reading.placeOf(to - 1) + 1,
    }))
    return reading.isAsWritten && at > 0 ? asWritten(text, hits) : hits
  })
  return others.length === 0 ? first : united([...first, ...others.flat()].sort(byPlace))
}
