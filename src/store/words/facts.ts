/** How results are sorted: the newest, last changed, largest, most used or soonest expiring first. */
export const sorts = ['created', 'changed', 'size', 'uses', 'expires'] as const
export type Sort = (typeof sorts)[number]

/** Where a result is in its order; among equals, the newest comes first. */
export type Found = { key: number; createdAt: number; id: string }

export type Search = {
  /** What FTS5 must match, in tokens; empty for everything. */
  match: string
  /** Leaves out the items of others, if the tokens do not. As `ownerOf` names it. */
  only?: string | undefined
  /** Created at this time or later, in milliseconds since the epoch. */
  since: number
  sort: Sort
  /** The last one of the page before. */
  after?: Found | undefined
  count: number
  /** Leaves out what has expired at this time. */
  now: number
}

/** What an item is sorted by, and whose it is. Times in milliseconds since the epoch, the size in bytes. */
export type Facts = {
  /** As `ownerOf` names it. */
  owner: string
  id: string
  created: number
  changed: number
  size: number
  /** How often it was used, at most a few seconds ago. */
  uses: number
  expires: number | null
}

/** Names the items of one owner and kind. */
export const ownerOf = (kind: string, owner: string) => `${kind} ${owner}`

const never = Number.MAX_SAFE_INTEGER
const columnNames = ['created', 'changed', 'size', 'uses', 'expires'] as const

/** The decimal numbers of a text, with commas between them, from the last to the first. */
export function* numbersIn(text: string) {
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

/** Owners by numbers from 1, and how many items they have. */
const createOwners = () => {
  const numbers = new Map<string, number>()
  const counts = [0]
  let ofItems = new Int32Array(1024)
  let all = 0

  const remove = (item: number) => {
    const owner = ofItems[item] ?? 0
    if (owner === 0) return
    ofItems[item] = 0
    counts[owner] = (counts[owner] as number) - 1
    all--
  }
  return {
    remove,
    set: (item: number, name: string) => {
      remove(item)
      const owner = numbers.get(name) ?? counts.push(0) - 1
      numbers.set(name, owner)
      if (item >= ofItems.length) {
        const larger = new Int32Array(2 * item)
        larger.set(ofItems)
        ofItems = larger
      }
      ofItems[item] = owner
      counts[owner] = (counts[owner] as number) + 1
      all++
    },
    /** True if at least half of all items are of this owner. */
    hasMost: (name: string) => 2 * (counts[numbers.get(name) ?? 0] as number) >= all,
    /** The items of all owners. */
    all: function* () {
      for (let item = 0; item < ofItems.length; item++) if (ofItems[item] !== 0) yield item
    },
    /** Whether an item is of this owner; all are of `undefined`. */
    has: (name: string | undefined) => {
      if (name === undefined) return () => true
      const owner = numbers.get(name) ?? -1
      return (item: number) => ofItems[item] === owner
    },
  }
}

/** The facts of all items, by their numbers. Sorting 100,000 hits takes 3 ms; joining them with a table took 40. */
export const createFacts = () => {
  const columns = Object.fromEntries(columnNames.map((name) => [name, new Float64Array(1024)])) as Record<
    (typeof columnNames)[number],
    Float64Array
  >
  const ids: string[] = []
  const owners = createOwners()

  const grow = (length: number) => {
    for (const name of columnNames) {
      const larger = new Float64Array(2 * length)
      larger.set(columns[name])
      columns[name] = larger
    }
  }

  return {
    set: (number: number, { owner, id, expires, ...others }: Facts) => {
      owners.set(number, owner)
      if (number >= columns.created.length) grow(number)
      ids[number] = id
      for (const name of ['created', 'changed', 'size', 'uses'] as const) columns[name][number] = others[name]
      columns.expires[number] = expires ?? never
    },
    remove: owners.remove,
    /** True if choosing the hits of this owner costs less than matching another token. */
    hasMost: owners.hasMost,
    /** The numbers of all items. */
    all: owners.all,
    setExpiry: (number: number, expires: number | null) => {
      columns.expires[number] = expires ?? never
    },
    setUses: (number: number, uses: number) => {
      columns.uses[number] = uses
    },

    /** The first hits in order. @param numbers of the hits */
    first: (
      numbers: Iterable<number>,
      { only, sort, since, now, after, count }: Omit<Search, 'match'>,
    ): Found[] => {
      const first: Found[] = []
      const { created, expires } = columns
      const isIncluded = owners.has(only)
      const keys = columns[sort]
      const sign = sort === 'expires' ? -1 : 1
      for (const number of numbers) {
        const createdAt = created[number] as number
        if (createdAt < since || (expires[number] as number) <= now || !isIncluded(number)) continue
        const key = sign * (keys[number] as number)
        const last = first.length === count ? first.at(-1) : undefined
        if (last && key < last.key) continue
        const found = { key, createdAt, id: ids[number] as string }
        if (!after || compare(after, found) < 0) insert(first, found, count)
      }
      return first
    },
  }
}
