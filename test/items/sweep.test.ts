import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sweepMs } from '../../src/services/sweep.ts'
import { bootId, indexName, openIndexFile } from '../../src/store/derived/item-index.ts'
import { isGone } from '../support/gone.ts'
import { type Links, openLinks } from '../support/links.ts'

const hour = 3_600_000
const start = 480_000 * hour + 60_000

let data: Links
beforeEach(async () => {
  data = await openLinks({ startAt: start })
})
afterEach(() => data.close())

/** The same folder as the next start finds it, at another time. */
const reopen = async (now: number, change = () => {}) => {
  await data.close()
  change()
  data = await openLinks({ path: data.path, startAt: now })
}
const isThere = ({ id }: { id: string }) => existsSync(data.fileOf(id))
/** Waits until the index is built, which a list does. */
const sweepWhole = async () => {
  await data.idsOf()
  await data.sweep.run()
}
const createAt = (expiresAt: number) => data.create({ expiresIn: expiresAt - data.clock.now })

describe('a sweep', () => {
  test('erases what is due, at the instant and not before, and drops its count', async () => {
    const { id } = await createAt(start + 1000)
    const stays = await createAt(start + 1001)
    data.clock.now = start + 999
    await data.sweep.run()
    expect(data.forgotten).toEqual([])
    expect(isThere({ id })).toBe(true)
    data.clock.now = start + 1000
    await data.sweep.run()
    expect(data.forgotten).toEqual([`link ${id}`])
    expect(isThere({ id })).toBe(false)
    expect(await data.store.load(id)).toBe('gone')
    expect(isThere(stays)).toBe(true)
    expect(await data.store.due(10)).toEqual([])
  })

  test('erases the oldest first, and hundreds that are due at once', async () => {
    const items = await Promise.all(Array.from({ length: 1100 }, (_, at) => createAt(start + at)))
    data.clock.now = start + 1099
    expect((await data.store.due(3)).map(({ expiresAt }) => expiresAt)).toEqual([start, start + 1, start + 2])
    await data.sweep.run()
    expect(items.filter(isThere)).toEqual([])
  })

  test('is joined when one runs already', async () => {
    expect(data.sweep.run()).toBe(data.sweep.run())
    await data.sweep.run()
  })

  test('drops a row whose item was never written, and puts right one of another time', async () => {
    const { id, owner, createdAt } = await createAt(start + hour)
    await data.close()
    const newRow = { version: 1, bytes: 0, kept: 0, keptBytes: 0 }
    const rows = openIndexFile(join(data.path, indexName), bootId())
    rows.settle({ kind: 'links', owner, createdAt, id: '2222222', expiresAt: start + 1, ...newRow }, '')
    rows.settle({ kind: 'links', owner, createdAt, id, expiresAt: start + 1, ...newRow }, '')
    rows.close(true)
    data = await openLinks({ path: data.path, startAt: start + 1 })
    expect(await data.store.due(10)).toHaveLength(2)
    await data.sweep.run()
    expect(isThere({ id })).toBe(true)
    expect(await data.store.due(10)).toEqual([])
    expect(await data.idsOf()).toEqual([id])
    data.clock.now = start + hour
    await data.sweep.run()
    expect(isThere({ id })).toBe(false)
  })

  test('erases nothing while the clock has gone back', async () => {
    const item = await createAt(start + 10)
    data.clock.now = start - 10 * hour
    await data.sweep.run()
    expect(isThere(item)).toBe(true)
    data.clock.now = start + 10
    await data.sweep.run()
    expect(isThere(item)).toBe(false)
  })

  test('erases an item that is damaged: it has expired all the same', async () => {
    const item = await createAt(start + 1)
    await reopen(start)
    writeFileSync(data.fileOf(item.id), 'cut sho')
    data.clock.now = start + 1
    await data.sweep.run()
    expect(isThere(item)).toBe(false)
    expect(data.failures).toEqual([])
  })

  test('that cannot erase says so, and tries again with the next one', async () => {
    const item = await createAt(start + 1)
    data.clock.now = start + 1
    const tmp = join(data.path, 'tmp')
    rmSync(tmp, { recursive: true })
    writeFileSync(tmp, '')
    await data.sweep.run()
    expect(data.failures.map(({ what }) => what)).toEqual(['expired items are not erased yet: 1'])
    expect(isThere(item)).toBe(true)
    rmSync(tmp)
    mkdirSync(tmp)
    await data.sweep.run()
    expect(isThere(item)).toBe(false)
    expect(data.failures).toHaveLength(1)
  })
})

describe('an expiry', () => {
  const indexFile = () => join(data.path, indexName)

  test('is found again where the index is removed under a running server', async () => {
    const due = await createAt(start + 1)
    rmSync(indexFile())
    const next = await createAt(start + 2)
    data.clock.now = start + 2
    await sweepWhole()
    expect([due, next].map(isThere)).toEqual([false, false])
  })

  test('is found past documents that are damaged', async () => {
    const items = await Promise.all([1, 2, 3].map(() => createAt(start + hour)))
    const [broken, ...whole] = items.map(({ id }) => id).sort()
    writeFileSync(data.fileOf(broken as string), '')
    await reopen(start + hour, () => rmSync(indexFile()))
    await sweepWhole()
    expect(whole.filter((id) => isThere({ id }))).toEqual([])
  })
})

describe('the timer', () => {
  test('sweeps at once and then every few seconds, until it is stopped', async () => {
    jest.useFakeTimers()
    try {
      const first = await createAt(start)
      const second = await createAt(start + 10)
      data.sweep.start()
      await data.sweep.run()
      expect(isThere(first)).toBe(false)
      data.clock.now = start + 10
      expect(sweepMs).toBeLessThanOrEqual(15_000)
      jest.advanceTimersByTime(sweepMs)
      // To ask for a sweep would make one: only the timer may.
      await isGone(data.fileOf(second.id))
      await data.sweep.stop()
      const third = await createAt(start + 11)
      data.clock.now = start + 11
      jest.advanceTimersByTime(10 * sweepMs)
      expect(isThere(third)).toBe(true)
    } finally {
      jest.useRealTimers()
    }
  })
})
