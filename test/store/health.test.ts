import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { createHealth } from '../../src/store/disk.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const broken = () => Promise.reject(new Error('the disk is full'))

/** A disk that works or not, as the test says; counts how often it was tried. */
const withDisk = () => {
  const disk = { works: true, tries: 0, changes: [] as boolean[] }
  const tryWrite = () => {
    disk.tries++
    return disk.works ? Promise.resolve() : broken()
  }
  const health = createHealth({ tryWrite, onChange: (isGood) => disk.changes.push(isGood) })
  return { disk, health }
}

/** One second, and what the retry in it led to. */
const passOneSecond = async () => {
  jest.advanceTimersByTime(1000)
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

test('storage is well until a write fails, and well again once a write succeeds', async () => {
  const { disk, health } = withDisk()
  expect(health.isGood()).toBe(true)
  expect(await health.watch(Promise.resolve('written'))).toBe('written')
  expect(health.watch(broken())).rejects.toThrow('the disk is full')
  await passOneSecond()
  disk.works = false
  await health.watch(broken()).catch(() => {})
  expect(health.isGood()).toBe(false)
  await health.watch(Promise.resolve())
  expect(health.isGood()).toBe(true)
})

test('storage that failed is tried every second until it works, and no longer', async () => {
  const { disk, health } = withDisk()
  disk.works = false
  await health.watch(broken()).catch(() => {})
  for (const tries of [1, 2, 3]) {
    await passOneSecond()
    expect([disk.tries, health.isGood()]).toEqual([tries, false])
  }
  disk.works = true
  await passOneSecond()
  await passOneSecond()
  expect([disk.tries, health.isGood()]).toEqual([4, true])
  expect(disk.changes).toEqual([false, true])
  expect(jest.getTimerCount()).toBe(0)
})

test('storage is tried no more once it was closed', async () => {
  const { disk, health } = withDisk()
  await health.watch(broken()).catch(() => {})
  health.close()
  await passOneSecond()
  expect(disk.tries).toBe(0)
})
