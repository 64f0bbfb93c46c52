import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { failed, highlighted, times, withFakeChildren } from '../support/highlighting.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const pass = (ms: number) => jest.advanceTimersByTime(ms)

describe('the highlighting process', () => {
  test('is replaced by a new one after a crash and after a deadline', async () => {
    const { highlight, child, children } = withFakeChildren()
    const [first, second, third] = [highlight('1', 'c'), highlight('2', 'c'), highlight('3', 'c')]
    child(0).end()
    expect(await first).toEqual(failed)
    pass(times.runMs)
    expect(await second).toEqual(failed)
    child(2).finish('three')
    expect(await third).toEqual(highlighted('three'))
    expect(children.map(({ isKilled }) => isKilled)).toEqual([false, true, false])
  })

  test('cannot answer for another one that took its place', async () => {
    const { highlight, child } = withFakeChildren()
    const [first, second] = [highlight('1', 'c'), highlight('2', 'c')]
    pass(times.runMs)
    child(0).finish('one, too late')
    child(0).end()
    child(1).finish('two')
    expect(await first).toEqual(failed)
    expect(await second).toEqual(highlighted('two'))
  })

  test('is ended when it was idle, counted from its last answer, and started again when needed', async () => {
    const { highlight, child, failures } = withFakeChildren()
    for (const html of ['one', 'two']) {
      const highlighting = highlight('a', 'c')
      child(0).finish(html)
      expect(await highlighting).toEqual(highlighted(html))
      pass(times.idleMs.quick - 1)
      expect(child(0).isKilled).toBe(false)
    }
    pass(1)
    expect(child(0).isKilled).toBe(true)
    const highlighting = highlight('a', 'c')
    child(1).finish('three')
    expect(await highlighting).toEqual(highlighted('three'))
    expect(failures).toEqual([])
  })

  test('that ends while idle harms nobody', async () => {
    const { highlight, child, failures } = withFakeChildren()
    const first = highlight('a', 'c')
    child(0).finish('one')
    await first
    child(0).end()
    const second = highlight('a', 'c')
    child(1).finish('two')
    expect(await second).toEqual(highlighted('two'))
    expect(failures).toEqual([])
  })

  test('is ended by close, and leaves no timer behind once its readers were answered', async () => {
    const { highlight, close, child } = withFakeChildren()
    const highlighting = highlight('a', 'c')
    child(0).finish('one')
    await highlighting
    close()
    expect(child(0).isKilled).toBe(true)
    expect(jest.getTimerCount()).toBe(0)
  })
})
