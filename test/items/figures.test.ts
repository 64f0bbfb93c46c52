import { describe, expect, test } from 'bun:test'
import { createFigures, createStats } from '../../src/services/stats.ts'
import type { Row, RowKey } from '../../src/store/store.ts'

const dayMs = 86_400_000
const now = Date.UTC(2026, 10, 23, 12)

const rowOf = (at: number, fields: Partial<Row> = {}): Row => ({
  kind: 'pastes',
  owner: 'ann',
  createdAt: now - at,
  id: `id${at}`,
  version: 1,
  bytes: 10,
  kept: 0,
  keptBytes: 0,
  ...fields,
})

const sum = (rows: readonly Row[]) => {
  const figures = createFigures(now)
  rows.forEach(figures.add)
  return figures.result()
}

describe('the figures', () => {
  test('of nothing are zeros, with a row for each of the last 30 days', () => {
    const { totals, keys, days, largest, expiring, versions } = sum([])
    expect(totals).toEqual([
      { kind: 'paste', items: 0, bytes: 0 },
      { kind: 'link', items: 0, bytes: 0 },
    ])
    expect([keys, largest, expiring, versions]).toEqual([[], [], [], { count: 0, bytes: 0 }])
    expect(days).toHaveLength(30)
    expect([days[0], days[29]]).toEqual([
      { day: '2026-10-25', pastes: 0, links: 0 },
      { day: '2026-11-23', pastes: 0, links: 0 },
    ])
  })

  test('sum up by kind and by key, the keys with the most bytes first', () => {
    const { totals, keys } = sum([
      rowOf(1),
      rowOf(2, { owner: 'bob', bytes: 500 }),
      rowOf(3, { kind: 'links', bytes: 7 }),
      rowOf(4, { bytes: 20 }),
    ])
    expect(totals).toEqual([
      { kind: 'paste', items: 3, bytes: 530 },
      { kind: 'link', items: 1, bytes: 7 },
    ])
    expect(keys).toEqual([
      { owner: 'bob', kind: 'paste', items: 1, bytes: 500 },
      { owner: 'ann', kind: 'paste', items: 2, bytes: 30 },
      { owner: 'ann', kind: 'link', items: 1, bytes: 7 },
    ])
  })

  test('count a day from midnight to midnight in UTC, and leave out what is older', () => {
    const midnight = Date.UTC(2026, 10, 23)
    const at = (createdAt: number, kind = 'pastes') => rowOf(1, { createdAt, kind })
    const { days } = sum([
      at(midnight),
      at(midnight - 1),
      at(midnight + dayMs - 1, 'links'),
      at(midnight - 29 * dayMs),
      at(midnight - 29 * dayMs - 1),
      at(midnight + dayMs),
    ])
    expect(days.filter(({ pastes, links }) => pastes + links > 0)).toEqual([
      { day: '2026-10-25', pastes: 1, links: 0 },
      { day: '2026-11-22', pastes: 1, links: 0 },
      { day: '2026-11-23', pastes: 1, links: 1 },
    ])
  })

  test('name the ten largest and the ten that expire next, in order, and nothing that has expired', () => {
    const rows = Array.from({ length: 100 }, (_, at) =>
      rowOf(at, { bytes: (at * 37) % 100, ...(at % 2 === 0 && { expiresAt: now + ((at * 13) % 100) - 4 }) }),
    )
    const { largest, expiring, totals } = sum(rows)
    expect(largest.map(({ bytes }) => bytes)).toEqual([99, 97, 95, 94, 93, 92, 91, 90, 89, 88])
    const times = expiring.map(({ expiresAt = '' }) => Date.parse(expiresAt) - now)
    expect(times).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20])
    expect(totals[0]?.items).toBe(97)
  })

  test('count earlier versions, and list 200 keys at most', () => {
    const many = Array.from({ length: 300 }, (_, at) =>
      rowOf(at, { owner: `key-${at}`, bytes: at, kept: 2, keptBytes: 5 }),
    )
    const { versions, keys } = sum(many)
    expect(versions).toEqual({ count: 600, bytes: 1500 })
    expect([keys.length, keys[0]?.owner, keys[199]?.owner]).toEqual([200, 'key-299', 'key-100'])
  })
})

describe('the figures of a server', () => {
  /** An index that counts how often it was asked for its first rows, and how many at once. */
  const indexOf = (count: number) => {
    const rows = Array.from({ length: count }, (_, at) => rowOf(at))
    const asked = { runs: 0, most: 0 }
    const rowsAfter = (after: RowKey, most: number) => {
      const from = after.id === '' ? 0 : Number(after.id.slice(2)) + 1
      if (from === 0) asked.runs++
      asked.most = Math.max(asked.most, most)
      return rows.slice(from, from + most)
    }
    const stats = createStats({
      index: { rowsAfter, state: () => 'whole' },
      space: async () => undefined,
      now: () => now,
    })
    return { asked, stats }
  }

  test.each([0, 199, 200, 201, 1000])('of %d items are whole, in steps of 200', async (count) => {
    const { asked, stats } = indexOf(count)
    const { totals } = await stats.read({ admin: true })
    expect(totals[0]).toEqual({ kind: 'paste', items: count, bytes: 10 * count })
    expect(asked).toEqual({ runs: 1, most: 200 })
  })

  test('are counted once for callers at the same time, and again for a later one', async () => {
    const { asked, stats } = indexOf(5000)
    const results = await Promise.all(Array.from({ length: 50 }, () => stats.read({ admin: true })))
    expect(new Set(results).size).toBe(1)
    expect(asked.runs).toBe(1)
    await stats.read({ admin: true })
    expect(asked.runs).toBe(2)
  })

  test('give others a turn after each step', async () => {
    const { stats } = indexOf(10_000)
    let turns = 0
    const turn = () => {
      turns++
      timer = setImmediate(turn)
    }
    let timer = setImmediate(turn)
    await stats.read({ admin: true })
    clearImmediate(timer)
    expect(turns).toBeGreaterThanOrEqual(49)
  })
})
