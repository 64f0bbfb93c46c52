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
  const writes: Record<string, number | 'forgotten'>[] = []
  const uses: [string, number][] = []
  const control = { isBroken: false, gate: Promise.resolve(), begun: Promise.withResolvers<void>() }
  const store: CountsStore = {
    prepare: () => {
      control.begun.resolve()
      return control.gate
    },
    get: (kind, ids) => {
      if (control.isBroken) throw new Error('broken')
      return new Map(ids.map((id) => [id, stored.get(`${kind}/${id}`) ?? 0]))
    },
    write: (changes, used) => {
      if (control.isBroken) throw new Error('broken')
      writes.push(Object.fromEntries(changes.map(({ kind, id, by }) => [`${kind}/${id}`, by])))
      uses.push(...used)
      for (const { kind, id, by } of changes) {
        const key = `${kind}/${id}`
        if (by === 'forgotten') stored.delete(key)
        else stored.set(key, (stored.get(key) ?? 0) + by)
      }
    },
    close: () => {},
  }
  return { store, stored, writes, uses, control }
}

const flushMs = 1000
const setUp = () => {
  const memory = createMemory()
  const changes: boolean[] = []
  const counts = createCounts({
    ...{ store: memory.store, flushMs, onWritten: () => {} },
    onChange: (isGood) => changes.push(isGood),
  })
  return { ...memory, counts, changes }
}

describe('a count', () => {
  test('is written one second after the first, not one millisecond earlier', async () => {
    const { counts, writes, control } = setUp()
    counts.add('link', 'abc')
    jest.advanceTimersByTime(500)
    counts.add('link', 'abc')
    jest.advanceTimersByTime(499)
    expect(jest.getTimerCount()).toBe(1)
    jest.advanceTimersByTime(1)
    await control.begun.promise
    await counts.flush()
    expect(writes).toEqual([{ 'link/abc': 2 }])
  })

  test('of ten thousand is one write, and nothing is written when nothing came', async () => {
    const { counts, writes, stored } = setUp()
    for (let at = 0; at < 10_000; at++) counts.add(at % 2 ? 'link' : 'paste', at % 4 < 2 ? 'abc' : 'abd')
    counts.add('link', 'xyz')
    await counts.flush()
    const [link, paste] = [
      { 'link/abc': 2500, 'link/abd': 2500 },
      { 'paste/abc': 2500, 'paste/abd': 2500 },
    ]
    expect(writes).toEqual([{ ...link, ...paste, 'link/xyz': 1 }])
    expect(stored.get('paste/abc')).toBe(2500)
    await counts.flush()
    expect(writes).toHaveLength(1)
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
    expect(await counts.of('link', 'abc')).toBe(2)
    counts.add('link', 'abd')
    gate.resolve()
    await flushed
    await counts.flush()
    expect(Object.fromEntries(stored)).toEqual({ 'link/abc': 2, 'link/abd': 1 })
  })

  test('of many items is written in steps, between which visits are counted and told', async () => {
    const { counts, writes, stored } = setUp()
    const ids = Array.from({ length: 250 }, (_, at) => `id${at}`)
    for (const id of ids) counts.add('link', id)
    const flushed = counts.flush()
    while (writes.length < 1) await Promise.resolve()
    counts.add('link', 'id0')
    counts.add('link', 'id249')
    counts.add('link', 'new')
    expect(await counts.ofMany('link', ['new', 'id249', 'id0', 'id1'])).toEqual([1, 2, 2, 1])
    await flushed
    expect(writes.map((step) => Object.keys(step).length)).toEqual([100, 100, 52])
    jest.advanceTimersByTime(flushMs)
    await counts.flush()
    expect(stored.size).toBe(251)
    expect([...stored.values()].reduce((sum, count) => sum + count)).toBe(253)
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
    expect(Object.fromEntries(stored)).toEqual({ 'link/abd': 1 })
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
      expect(jest.getTimerCount()).toBe(1)
      counts.add('link', 'abc')
    }
    expect(changes).toEqual([false])
    control.isBroken = false
    jest.advanceTimersByTime(flushMs)
    await counts.flush()
    expect(stored.get('link/abc')).toBe(4)
    expect(changes).toEqual([false, true])
    expect(jest.getTimerCount()).toBe(0)
  })
})

describe('a store that may have stored what it refused', () => {
  test('gets the same changes again, the same object, and what came since in another', async () => {
    const { store, stored } = createMemory()
    const given: (readonly object[])[] = []
    const lossy: CountsStore = {
      ...store,
      write: (changes, used) => {
        if (!given.includes(changes)) store.write(changes, used)
        given.push(changes)
        if (given.length < 4) throw new Error('the answer was lost')
      },
    }
    const counts = createCounts({ store: lossy, flushMs, onWritten: () => {}, onChange: () => {} })
    for (let attempt = 0; attempt < 4; attempt++) {
      counts.add('link', 'abc')
      await counts.flush()
    }
    expect(given.map((changes) => changes === given[0])).toEqual([true, true, true, true, false])
    expect(stored.get('link/abc')).toBe(4)
    expect(await counts.of('link', 'abc')).toBe(4)
  })
})

describe('the use of a key', () => {
  const at = 1_700_000_012_345
  const minute = 1_700_000_000_000 - (1_700_000_000_000 % 60_000)

  test('is written to the minute, once a minute, with the counts', async () => {
    const { counts, uses } = setUp()
    for (let use = 0; use < 3; use++) counts.keyUsed('laptop', at + use)
    counts.keyUsed('phone', at)
    await counts.flush()
    expect(uses).toEqual([
      ['laptop', minute],
      ['phone', minute],
    ])
    counts.keyUsed('laptop', at + 1)
    expect(jest.getTimerCount()).toBe(0)
    counts.keyUsed('laptop', at + 60_000)
    jest.advanceTimersByTime(flushMs)
    await counts.flush()
    expect(uses.slice(2)).toEqual([['laptop', minute + 60_000]])
  })

  test('waits in memory while it cannot be written', async () => {
    const { counts, uses, control } = setUp()
    control.isBroken = true
    counts.keyUsed('laptop', at)
    await counts.flush()
    expect(jest.getTimerCount()).toBe(1)
    control.isBroken = false
    jest.advanceTimersByTime(flushMs)
    await counts.flush()
    expect(uses).toEqual([['laptop', minute]])
  })
})

describe('closing', () => {
  test('writes what is left and starts no timer any more', async () => {
    const { counts, stored, control } = setUp()
    counts.add('link', 'abc')
    await counts.close()
    expect(stored.get('link/abc')).toBe(1)
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
    expect(Object.fromEntries(stored)).toEqual({ 'link/abc': 1, 'link/abd': 1 })
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
        expect(new Map([...stored].map(([key, count]) => [key.slice('link/'.length), count]))).toEqual(sums)
      }),
      { numRuns: 200 },
    )
  })
})
