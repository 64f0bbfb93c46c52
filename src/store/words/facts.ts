/** How results are sorted: the newest, last changed, largest, most used or soonest expiring first. */
export const sorts = ['created', 'changed', 'size', 'uses', 'expires'] as const
export type Sort = (typeof sorts)[number]

/** Where a result is in its order; among equals, the newest comes first. */
export type Found = { key: number; createdAt: number; id: string }

export type Search = {
  /** The kind under which the uses of these items are counted. */
  counted: string
  /** What FTS5 must match, in tokens. */
  match: string
  /** Created at this time or later, in milliseconds since the epoch. */
  since: number
  sort: Sort
  /** The last one of the page before. */
  after?: Found | undefined
  count: number
  /** Leaves out what has expired at this time. */
  now: number
}

/** What an item is sorted by. Times in milliseconds since the epoch, the size in bytes. */
export type Facts = { id: string; created: number; changed: number; size: number; expires: number | null }

const never = Number.MAX_SAFE_INTEGER
const columnNames = ['created', 'changed', 'size', 'expires'] as const

/** The decimal numbers of a text, with commas between them, from the last to the first. */
function* numbersIn(text: string) {
  let [number, factor] = [0, 1]
  for (let at = text.length - 1; at >= 0; at--) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0) {
      yield number
      number = 0
      factor = 1
    } else {
      number += digit * factor
      factor *= 10
    }
  }
  if (text !== '') yield number
}

/** Negative if `a` comes first in its order. */
const compare = (a: Found, b: Found) => {
  if (a.key !== b.key) return b.key - a.key
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt
  if (a.id === b.id) return 0
  return a.id > b.id ? -1 : 1
}

/** Adds to the first `count` in order. */
const insert = (first: Found[], found: Found, count: number) => {
  const last = first.at(-1)
  if (first.length === count && last && compare(last, found) <= 0) return
  let [from, to] = [0, first.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (compare(first[middle] as Found, found) <= 0) from = middle + 1
    else to = middle
  }
  first.splice(from, 0, found)
  if (first.length > count) first.pop()
}

/** The facts of all items, by their numbers. Sorting 100,000 hits takes 3 ms; joining them with a table took 40. */
export const createFacts = () => {
  const columns = Object.fromEntries(columnNames.map((name) => [name, new Float64Array(1024)])) as Record<
    (typeof columnNames)[number],
    Float64Array
  >
  const ids: string[] = []

  const grow = (length: number) => {
    for (const name of columnNames) {
      const larger = new Float64Array(2 * length)
      larger.set(columns[name])
      columns[name] = larger
    }
  }

  return {
    set: (number: number, { id, expires, ...others }: Facts) => {
      if (number >= columns.created.length) grow(number)
      ids[number] = id
      columns.created[number] = others.created
      columns.changed[number] = others.changed
      columns.size[number] = others.size
      columns.expires[number] = expires ?? never
    },
    setExpiry: (number: number, expires: number | null) => {
      columns.expires[number] = expires ?? never
    },

    /** The first hits in order. @param numbers of the hits, with commas between them */
    first: (
      numbers: string,
      { sort, since, now, after, count }: Omit<Search, 'match' | 'counted'>,
    ): Found[] => {
      const first: Found[] = []
      const { created, expires } = columns
      const keys = sort === 'uses' ? undefined : columns[sort]
      const sign = sort === 'expires' ? -1 : 1
      for (const number of numbersIn(numbers)) {
        const createdAt = created[number] as number
        if (createdAt < since || (expires[number] as number) <= now) continue
        const key = keys ? sign * (keys[number] as number) : 0
        const last = first.length === count ? first.at(-1) : undefined
        if (last && key < last.key) continue
        const found = { key, createdAt, id: ids[number] as string }
        if (!after || compare(after, found) < 0) insert(first, found, count)
      }
      return first
    },
  }
}
