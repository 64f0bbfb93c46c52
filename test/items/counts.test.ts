import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import fc from 'fast-check'
import { createCounts } from '../../src/services/counts.ts'
import type { CountsStore } from '../../src/store/derived/counts-store.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** A store in memory that notes each write, and refuses or holds them when told to. */
const createMemory = () => {
  const stored = new Map<string, number>()
  const writes: Record<string, number>[] = []
  const control = { isBroken: false, gate: Promise.resolve(), begun: Promise.withResolvers<void>() }
  const store: CountsStore = {
    shardOf: (id) => id.slice(0, 2),
    get: async (collection, id) => {
      if (control.isBroken) throw new Error('broken')
      return stored.get(`${collection}/${id}`) ?? 0
    },
    add: async (collection, _, changes) => {
      control.begun.resolve()
      await control.gate
      if (control.isBroken) throw new Error('broken')
      writes.push(Object.fromEntries(changes))
      for (const [id, change] of changes) {
        const sum = (stored.get(`${collection}/${id}`) ?? 0) + change
        if (sum > 0) stored.set(`${collection}/${id}`, sum)
        else stored.delete(`${collection}/${id}`)
      }
    },
  }
  return { store, stored, writes, control }
}

const flushMs = 1000
const setUp = () => {
  const memory = createMemory()
  const changes: boolean[] = []
  const counts = createCounts({ store: memory.store, flushMs, onChange: (isGood) => changes.push(isGood) })
  return { ...memory, counts, changes }
}

describe('a count', () => {
  test('is written one second after the first, not one millisecond earlier', async () => {
    const { counts, writes } = setUp()
    counts.add('link', 'abc')
    jest.advanceTimersByTime(500)
    counts.add('link', 'abc')
    jest.advanceTimersByTime(499)
    await counts.of('link', 'abc')
    expect(writes).toEqual([])
    jest.advanceTimersByTime(1)
    await counts.of('link', 'abc')
    expect(writes).toEqual([{ abc: 2 }])
  })

  test('of ten thousand is one write to each file, and nothing is written when nothing came', async () => {
    const { counts, writes, stored } = setUp()
    for (let at = 0; at < 10_000; at++) counts.add(at % 2 ? 'link' : 'paste', at % 4 < 2 ? 'abc' : 'abd')
    counts.add('link', 'xyz')
    await counts.flush()
    expect(writes).toEqual([{ abc: 2500, abd: 2500 }, { abc: 2500, abd: 2500 }, { xyz: 1 }])
    expect(stored.get('pastes/abc')).toBe(2500)
    await counts.flush()
    expect(writes).toHaveLength(3)
    expect(jest.getTimerCount()).toBe(0)
  })

  test('is told with what is still in memory, by kind', async () => {
    const { counts } = setUp()
    expect(await counts.of('link', 'abc')).toBe(0)
    counts.add('link', 'abc')
    await counts.flush()
    counts.add('link', 'abc')
    counts.add('paste', 'abc')
    expect(await counts.of('link', 'abc')).toBe(2)
    expect(await counts.of('paste', 'abc')).toBe(1)
  })

  test('that comes while a write is under way is neither lost nor seen twice', async () => {
    const { counts, control, stored } = setUp()
    const gate = Promise.withResolvers<void>()
    control.gate = gate.promise
    counts.add('link', 'abc')
    const flushed = counts.flush()
    await control.begun.promise
    counts.add('link', 'abc')
    const told = counts.of('link', 'abc')
    counts.add('link', 'abd')
    gate.resolve()
    expect(await told).toBe(2)
    await flushed
    expect(Object.fromEntries(stored)).toEqual({ 'links/abc': 1 })
    await counts.flush()
    expect(Object.fromEntries(stored)).toEqual({ 'links/abc': 2, 'links/abd': 1 })
  })

  test('is forgotten with its item, also when it comes afterwards in the same second', async () => {
    const { counts, stored } = setUp()
    counts.add('link', 'abc')
    counts.add('link', 'abd')
    await counts.flush()
    counts.forget('link', 'abc')
    counts.add('link', 'abc')
    expect(await counts.of('link', 'abc')).toBe(0)
    await counts.flush()
    expect(Object.fromEntries(stored)).toEqual({ 'links/abd': 1 })
  })
})

describe('a store that fails', () => {
  test('is tried again each second, is told of once, and loses nothing', async () => {
    const { counts, control, stored, changes } = setUp()
    control.isBroken = true
    counts.add('link', 'abc')
    for (let second = 0; second < 3; second++) {
      jest.advanceTimersByTime(flushMs)
      expect(await counts.of('link', 'abc')).toBe(1 + second)
      await counts.flush()
      counts.add('link', 'abc')
    }
    expect(changes).toEqual([false])
    control.isBroken = false
    jest.advanceTimersByTime(flushMs)
    await counts.flush()
    expect(stored.get('links/abc')).toBe(4)
    expect(changes).toEqual([false, true])
    expect(jest.getTimerCount()).toBe(0)
  })
})

describe('closing', () => {
  test('writes what is left and starts no timer any more', async () => {
    const { counts, stored, control } = setUp()
    counts.add('link', 'abc')
    await counts.close()
    expect(stored.get('links/abc')).toBe(1)
    control.isBroken = true
    counts.add('link', 'abc')
    await counts.flush()
    expect(jest.getTimerCount()).toBe(0)
  })

  test('waits for a write that is under way', async () => {
    const { counts, stored, control } = setUp()
    const gate = Promise.withResolvers<void>()
    control.gate = gate.promise
    counts.add('link', 'abc')
    jest.advanceTimersByTime(flushMs)
    await control.begun.promise
    counts.add('link', 'abd')
    const closed = counts.close()
    gate.resolve()
    await closed
    expect(Object.fromEntries(stored)).toEqual({ 'links/abc': 1, 'links/abd': 1 })
  })
})

describe('whatever happens in whatever order', () => {
  const step = fc.oneof(
    fc.record({ what: fc.constantFrom('add', 'forget'), id: fc.constantFrom('aaa', 'aab', 'bbb') }),
    fc.record({ what: fc.constantFrom('flush', 'second', 'break', 'repair'), id: fc.constant('') }),
  )

  test('the counts are what a plain sum says, and all of them are stored in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { counts, control, stored } = setUp()
        const sums = new Map<string, number>()
        const forgotten = new Set<string>()
        for (const { what, id } of steps) {
          if (what === 'add' && !forgotten.has(id)) {
            counts.add('link', id)
            sums.set(id, (sums.get(id) ?? 0) + 1)
          }
          if (what === 'forget') {
            counts.forget('link', id)
            sums.delete(id)
            forgotten.add(id)
          }
          if (what === 'flush') counts.flush()
          if (what === 'second') jest.advanceTimersByTime(flushMs)
          if (what === 'break' || what === 'repair') {
            await counts.flush()
            control.isBroken = what === 'break'
          }
          if (!control.isBroken)
            for (const one of ['aaa', 'aab', 'bbb'])
              expect(await counts.of('link', one)).toBe(sums.get(one) ?? 0)
        }
        control.isBroken = false
        await counts.flush()
        await counts.close()
        expect(new Map([...stored].map(([key, count]) => [key.slice('links/'.length), count]))).toEqual(sums)
      }),
      { numRuns: 200 },
    )
  })
})
