import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Figures, type StatsItem, statsLimits } from '../items/schema.ts'
import type { Collections, Row, RowKey } from '../store/store.ts'
import { type KeyLimits, requireAdmin } from './keys.ts'

const dayMs = 86_400_000

/** The collections of the store, and what they are called elsewhere. */
const kindOfCollection: Readonly<Record<string, StatsItem['kind']>> = { pastes: 'paste', links: 'link' }

type Held = { kind: StatsItem['kind']; items: number; bytes: number }

/** Keeps the first `count` of many, in order. Costs one comparison for each that is none of them. */
const createTop = <T>(count: number, isBefore: (a: T, b: T) => boolean) => {
  const top: T[] = []
  return {
    top,
    add: (one: T) => {
      const last = top[count - 1]
      if (last !== undefined && !isBefore(one, last)) return
      let at = top.length
      while (at > 0 && isBefore(one, top[at - 1] as T)) at--
      top.splice(at, 0, one)
      top.length = Math.min(top.length, count)
    },
  }
}

const toStatsItem = ({ kind, id, owner, bytes, createdAt, expiresAt }: Row): StatsItem => ({
  ...{ kind: kindOfCollection[kind] ?? 'paste', id, owner, bytes },
  createdAt: new Date(createdAt).toISOString(),
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
})

const createDays = (now: number) => {
  const first = Math.floor(now / dayMs) - statsLimits.days + 1
  const days = Array.from({ length: statsLimits.days }, (_, at) => ({
    day: new Date((first + at) * dayMs).toISOString().slice(0, 10),
    pastes: 0,
    links: 0,
  }))
  return {
    days,
    add: ({ kind, createdAt }: Row) => {
      const day = days[Math.floor(createdAt / dayMs) - first]
      if (day && (kind === 'pastes' || kind === 'links')) day[kind]++
    },
  }
}

const addTo = (held: Held, { bytes }: Row) => {
  held.items++
  held.bytes += bytes
}

/** Sums up rows of items, one by one. @param now milliseconds since the epoch */
export const createFigures = (now: number) => {
  const totals = new Map<string, Held>()
  for (const [collection, kind] of Object.entries(kindOfCollection))
    totals.set(collection, { kind, items: 0, bytes: 0 })
  const owners = new Map<string, Held & { owner: string }>()
  const days = createDays(now)
  const largest = createTop<Row>(statsLimits.items, (a, b) => a.bytes > b.bytes)
  const expiring = createTop<Row>(statsLimits.items, (a, b) => (a.expiresAt ?? 0) < (b.expiresAt ?? 0))
  const versions = { count: 0, bytes: 0 }

  const ownedBy = ({ kind, owner }: Row) => {
    const key = `${kind}/${owner}`
    const held = owners.get(key) ?? { owner, kind: kindOfCollection[kind] ?? 'paste', items: 0, bytes: 0 }
    owners.set(key, held)
    return held
  }

  return {
    add: (row: Row) => {
      const total = totals.get(row.kind)
      if (!total || (row.expiresAt ?? Number.POSITIVE_INFINITY) <= now) return
      addTo(total, row)
      addTo(ownedBy(row), row)
      days.add(row)
      largest.add(row)
      if (row.expiresAt !== undefined) expiring.add(row)
      versions.count += row.kept
      versions.bytes += row.keptBytes
    },

    /** Items and bytes of a key, both kinds together. */
    of: (owner: string) => {
      const held = Object.keys(kindOfCollection).flatMap((kind) => owners.get(`${kind}/${owner}`) ?? [])
      const sum = (name: 'items' | 'bytes') => held.reduce((all, one) => all + one[name], 0)
      return { items: sum('items'), bytes: sum('bytes') }
    },

    result: (): Omit<Figures, 'disk' | 'index'> => {
      const keys = createTop<Held & { owner: string }>(statsLimits.keys, (a, b) => a.bytes > b.bytes)
      for (const held of owners.values()) keys.add(held)
      return {
        at: new Date(now).toISOString(),
        totals: [...totals.values()],
        keys: keys.top.map(({ owner, kind, items, bytes }) => ({ owner, kind, items, bytes })),
        days: days.days,
        largest: largest.top.map(toStatsItem),
        expiring: expiring.top.map(toStatsItem),
        versions,
      }
    },
  }
}

/** Items and bytes of each kind, from the totals of the index; `undefined` while it is being built. */
export const heldByKind = async ({ index, totals }: Pick<Collections, 'index' | 'totals'>) => {
  if (index.state() === 'building') return undefined
  const held: Record<string, { items: number; bytes: number }> = {}
  for (const { kind, items, bytes } of await totals()) {
    const before = held[kindOfCollection[kind] ?? kind] ?? { items: 0, bytes: 0 }
    held[kindOfCollection[kind] ?? kind] = { items: before.items + items, bytes: before.bytes + bytes }
  }
  return held
}

type StatsParts = {
  index: Collections['index']
  /** Free space of the disk; `undefined` if the system does not say. */
  space: () => Promise<Figures['disk']>
  /** Milliseconds since the epoch. */
  now: () => number
}

/** What the owner of the server sees of the whole. */
export type Stats = {
  /** @throws {AppError} `forbidden` without an admin key */
  read: (limits: KeyLimits) => Promise<Figures>
}

/** Rows that are summed up per turn: about 1 ms, in which no request is answered. */
const rowsAtOnce = 200

export const createStats = ({ index, space, now }: StatsParts): Stats => {
  let running: Promise<Figures> | undefined

  const compute = async (): Promise<Figures> => {
    const figures = createFigures(now())
    let last: RowKey = { kind: '', owner: '', createdAt: 0, id: '' }
    for (let isMore = true; isMore; await nextTurn()) {
      const rows = await index.rowsAfter(last, rowsAtOnce)
      rows.forEach(figures.add)
      last = rows.at(-1) ?? last
      isMore = rows.length === rowsAtOnce
    }
    const disk = await space()
    return { ...figures.result(), ...(disk && { disk }), index: index.state() }
  }

  /** One run at a time: callers that come meanwhile share it. */
  const computeOnce = () => {
    running ??= compute().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    read: async (limits) => {
      requireAdmin(limits, 'read the figures of this server')
      return computeOnce()
    },
  }
}
