import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sweepMs } from '../../src/services/sweep.ts'
import { type Expiring, openExpiring } from '../support/expiring.ts'
import { isGone } from '../support/gone.ts'
import { filesIn } from '../support/store.ts'

const hour = 3_600_000
const start = 480_000 * hour + 60_000

let data: Expiring
beforeEach(async () => {
  data = await openExpiring(undefined, start)
})
afterEach(() => data.close())

/** The same folder as the next start finds it, at another time. */
const reopen = async (now: number) => {
  await data.close()
  data = await openExpiring(data.path, now)
}
const marksIn = () =>
  filesIn(join(data.path, 'expiry'))
    .map((file) => file.slice(data.path.length + '/expiry/'.length))
    .filter((name) => name !== 'complete')

/** Sweeps, and waits until the pass over all documents that it may have begun has ended. */
const sweepWhole = async () => {
  await data.sweep.run()
  while (!(await data.index.isComplete())) await Bun.sleep(1)
}

describe('a sweep', () => {
  test('erases what is due and its mark, at the instant and not before', async () => {
    const { id } = await data.insert(start + 1000)
    const stays = await data.insert(start + 1001)
    await sweepWhole()
    data.clock.now = start + 999
    await data.sweep.run()
    expect(data.erased).toEqual([])
    expect(existsSync(data.fileOf(id))).toBe(true)
    data.clock.now = start + 1000
    await data.sweep.run()
    expect(data.erased).toEqual([`link ${id}`])
    expect(existsSync(data.fileOf(id))).toBe(false)
    expect(await data.links.load(id)).toBe('gone')
    expect(existsSync(data.fileOf(stays.id))).toBe(true)
    expect(marksIn()).toEqual([`480000/${start + 1001}-link-${stays.id}`])
  })

  test('reads the marks of an hour when it begins, and removes the folders of past hours', async () => {
    await sweepWhole()
    const { id } = await data.insert(start + 2 * hour)
    expect(marksIn()).toEqual([`480002/${start + 2 * hour}-link-${id}`])
    await reopen(start)
    await data.sweep.run()
    data.clock.now = start + 2 * hour
    await data.sweep.run()
    expect(existsSync(data.fileOf(id))).toBe(false)
    data.clock.now = start + 3 * hour
    await data.sweep.run()
    expect(readdirSync(join(data.path, 'expiry'))).toEqual(['complete'])
  })

  test('at start erases what became due while no server ran, however long that was', async () => {
    const one = await data.insert(start + 1000)
    const two = await data.insert(start + 100 * hour)
    const later = await data.insert(start + 101 * hour)
    await sweepWhole()
    await reopen(start + 100 * hour)
    await data.sweep.run()
    expect([one, two, later].map(({ id }) => existsSync(data.fileOf(id)))).toEqual([false, false, true])
  })

  test('of a folder without anything that expires reads no document', async () => {
    for (let at = 0; at < 50; at++) await data.insert()
    await sweepWhole()
    await reopen(start)
    for (let at = 0; at < 30; at++) {
      data.clock.now = start + at * hour
      await data.sweep.run()
    }
    expect(data.reads).toEqual([])
    expect(data.passes()).toBe(0)
  })

  test('is joined when one runs already', async () => {
    expect(data.sweep.run()).toBe(data.sweep.run())
    await data.sweep.run()
  })

  test('drops a mark whose item was never written, or is another of the same id', async () => {
    const { id } = await data.insert(start + hour)
    await data.sweep.add('link', '2222222', start + 1)
    await data.sweep.add('link', id, start + 1)
    await sweepWhole()
    data.clock.now = start + 1
    await data.sweep.run()
    expect(existsSync(data.fileOf(id))).toBe(true)
    expect(marksIn()).toEqual([`480001/${start + hour}-link-${id}`])
  })

  test('keeps a mark while the clock has gone back', async () => {
    const { id } = await data.insert(start + 10)
    await sweepWhole()
    data.clock.now = start - 10 * hour
    await data.sweep.run()
    expect(existsSync(data.fileOf(id))).toBe(true)
    data.clock.now = start + 10
    await data.sweep.run()
    expect(existsSync(data.fileOf(id))).toBe(false)
  })

  test('erases an item that is damaged: it has expired all the same', async () => {
    const { id } = await data.insert(start + 1)
    await reopen(start)
    writeFileSync(data.fileOf(id), 'cut sho')
    data.clock.now = start + 1
    await data.sweep.run()
    expect(existsSync(data.fileOf(id))).toBe(false)
    expect(data.failures).toEqual([])
  })

  test('leaves marks of a kind it does not know, and files that are no marks', async () => {
    const folder = join(data.path, 'expiry/480000')
    mkdirSync(folder, { recursive: true })
    const names = [`${start}-note-abc`, 'README', `${start + hour}-link-2222222`]
    for (const name of names) writeFileSync(join(folder, name), '')
    data.clock.now = start + 2 * hour
    await sweepWhole()
    expect(readdirSync(folder).sort()).toEqual(names.sort())
    expect(data.failures).toEqual([])
  })

  test('that cannot erase says so, and tries again with the next one', async () => {
    const { id } = await data.insert(start + 1)
    await sweepWhole()
    data.clock.now = start + 1
    const tmp = join(data.path, 'tmp')
    rmSync(tmp, { recursive: true })
    await data.sweep.run()
    expect(data.failures.map(({ what }) => what)).toEqual(['expired items are not erased yet: 1'])
    expect(existsSync(data.fileOf(id))).toBe(true)
    mkdirSync(tmp)
    await data.sweep.run()
    expect(existsSync(data.fileOf(id))).toBe(false)
    expect(data.failures).toHaveLength(1)
  })

  test('erases hundreds that are due at once', async () => {
    const items = await Promise.all(Array.from({ length: 300 }, (_, at) => data.insert(start + at)))
    data.clock.now = start + 299
    await sweepWhole()
    await data.sweep.run()
    expect(items.filter(({ id }) => existsSync(data.fileOf(id)))).toEqual([])
    expect(marksIn()).toEqual([])
  })
})

describe('marks that are missing', () => {
  test.each(['complete', ''])('are made anew once, when expiry/%s was removed', async (name) => {
    const due = await data.insert(start + 1)
    const later = await data.insert(start + 5 * hour)
    await data.insert()
    await sweepWhole()
    rmSync(join(data.path, 'expiry', name), { recursive: true })
    rmSync(join(data.path, 'expiry/480005'), { recursive: true, force: true })
    await reopen(start + 1)
    await sweepWhole()
    await data.sweep.run()
    expect(existsSync(data.fileOf(due.id))).toBe(false)
    expect(marksIn()).toEqual([`480005/${start + 5 * hour}-link-${later.id}`])
    expect(data.passes()).toBe(1)
    data.clock.now = start + hour
    await data.sweep.run()
    expect(data.passes()).toBe(1)
  })

  test('are made anew past documents that are damaged', async () => {
    const items = await Promise.all([1, 2, 3].map(() => data.insert(start + hour)))
    const [broken, ...whole] = items.map(({ id }) => id).sort()
    writeFileSync(data.fileOf(broken as string), '')
    await reopen(start)
    rmSync(join(data.path, 'expiry'), { recursive: true })
    await sweepWhole()
    expect(marksIn()).toEqual(whole.map((id) => `480001/${start + hour}-link-${id}`))
  })
})

describe('the timer', () => {
  test('sweeps at once and then every few seconds, until it is stopped', async () => {
    jest.useFakeTimers()
    try {
      const first = await data.insert(start)
      const second = await data.insert(start + 10)
      data.sweep.start()
      await data.sweep.run()
      expect(existsSync(data.fileOf(first.id))).toBe(false)
      data.clock.now = start + 10
      expect(sweepMs).toBeLessThanOrEqual(15_000)
      jest.advanceTimersByTime(sweepMs)
      // To ask for a sweep would make one: only the timer may.
      await isGone(data.fileOf(second.id))
      await data.sweep.stop()
      const third = await data.insert(start + 11)
      data.clock.now = start + 11
      jest.advanceTimersByTime(10 * sweepMs)
      expect(existsSync(data.fileOf(third.id))).toBe(true)
    } finally {
      jest.useRealTimers()
    }
  })
})
