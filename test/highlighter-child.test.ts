import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { aMinute, forever, plainHtml, times, withFakeChildren } from './support/highlighting.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const plain = (text: string) => ({ html: plainHtml(text), keepMs: aMinute })
const pass = (ms: number) => jest.advanceTimersByTime(ms)

describe('the highlighting process', () => {
  test('is replaced by a new one after a crash and after a deadline', async () => {
    const { render, child, children } = withFakeChildren()
    const [first, second, third] = [render('1', 'c'), render('2', 'c'), render('3', 'c')]
    child(0).end()
    expect(await first).toEqual(plain('1'))
    pass(times.runMs)
    expect(await second).toEqual(plain('2'))
    child(2).answer({ html: 'three' })
    expect(await third).toEqual({ html: 'three', keepMs: forever })
    expect(children.map(({ isKilled }) => isKilled)).toEqual([false, true, false])
  })

  test('cannot answer for another one that took its place', async () => {
    const { render, child } = withFakeChildren()
    const [first, second] = [render('1', 'c'), render('2', 'c')]
    pass(times.runMs)
    child(0).answer({ html: 'one, too late' })
    child(0).end()
    child(1).answer({ html: 'two' })
    expect(await first).toEqual(plain('1'))
    expect(await second).toEqual({ html: 'two', keepMs: forever })
  })

  test('is ended when it was idle, counted from its last answer, and started again when needed', async () => {
    const { render, child, failures } = withFakeChildren()
    for (const html of ['one', 'two']) {
      const rendering = render('a', 'c')
      child(0).answer({ html })
      expect(await rendering).toEqual({ html, keepMs: forever })
      pass(times.idleMs - 1)
      expect(child(0).isKilled).toBe(false)
    }
    pass(1)
    expect(child(0).isKilled).toBe(true)
    const rendering = render('a', 'c')
    child(1).answer({ html: 'three' })
    expect(await rendering).toEqual({ html: 'three', keepMs: forever })
    expect(failures).toEqual([])
  })

  test('that ends while idle harms nobody', async () => {
    const { render, child, failures } = withFakeChildren()
    const first = render('a', 'c')
    child(0).answer({ html: 'one' })
    await first
    child(0).end()
    const second = render('a', 'c')
    child(1).answer({ html: 'two' })
    expect(await second).toEqual({ html: 'two', keepMs: forever })
    expect(failures).toEqual([])
  })

  test('is ended by close, and leaves no timer behind once its readers were answered', async () => {
    const { render, close, child } = withFakeChildren()
    const rendering = render('a', 'c')
    child(0).answer({ html: 'one' })
    await rendering
    close()
    expect(child(0).isKilled).toBe(true)
    expect(jest.getTimerCount()).toBe(0)
  })
})
