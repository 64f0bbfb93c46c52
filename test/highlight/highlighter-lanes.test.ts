import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import {
  failed,
  highlighted,
  maxChildBytes,
  notNow,
  times,
  withFakeChildren,
} from '../support/highlighting.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const short = 'a'.repeat(64 * 1024)
const long = `${short}a`

describe('a short paste in its own language', () => {
  test('waits for no job of a longer one or of another language', async () => {
    const { highlight, child } = withFakeChildren()
    highlight(long, 'c')
    highlight('b', 'c', false)
    expect(child(0).jobs.map(({ text }) => text)).toEqual([long])
    const highlighting = highlight(short, 'c')
    expect(child(1).jobs.map(({ text }) => text)).toEqual([short])
    child(1).finish('html')
    expect(await highlighting).toEqual(highlighted('html'))
  })

  test('starts no second process', () => {
    const { highlight, children } = withFakeChildren()
    highlight(short, 'c')
    highlight('b', 'c')
    expect(children).toHaveLength(1)
  })
})

describe('of those that wait', () => {
  /** What the slow child gets, one after the other. */
  const orderOf = ({ child }: ReturnType<typeof withFakeChildren>, jobs: number) => {
    for (let at = 0; at < jobs; at++) child(0).finish('')
    return child(0).jobs.map(({ language }) => language)
  }

  test('own languages go before others, shorter texts before longer ones, and else the first comes first', () => {
    const all = withFakeChildren()
    const { highlight } = all
    highlight(long, 'running', false)
    highlight(long, 'long, asked', false)
    highlight('a', 'short, asked', false)
    highlight('b', 'short, asked, second', false)
    highlight(`${long}a`, 'longer')
    highlight(long, 'long')
    expect(orderOf(all, 5)).toEqual([
      'running',
      'long',
      'longer',
      'short, asked',
      'short, asked, second',
      'long, asked',
    ])
  })

  test('the last makes room for one more than eight, and is shown plain at once', async () => {
    const all = withFakeChildren()
    const { highlight } = all
    highlight(long, 'running', false)
    const asked = Array.from({ length: 8 }, (_, at) => highlight('a', `asked ${at}`, false))
    expect(await highlight('a', 'asked, too many', false)).toEqual(notNow)
    highlight(long, 'own')
    expect(await asked[7]).toEqual(notNow)
    expect(orderOf(all, 8)).toEqual(['running', 'own', ...[0, 1, 2, 3, 4, 5, 6].map((at) => `asked ${at}`)])
  })
})

describe('a process', () => {
  test('that has grown too large is replaced by a new one', async () => {
    const { highlight, child, children } = withFakeChildren()
    const [first, second, third] = [highlight('1', 'c'), highlight('2', 'c'), highlight('3', 'c')]
    child(0).finish('one', maxChildBytes.quick)
    expect(await first).toEqual(highlighted('one'))
    expect(child(0).isKilled).toBe(false)
    child(0).finish('two', maxChildBytes.quick + 1)
    expect(await second).toEqual(highlighted('two'))
    expect(child(0).isKilled).toBe(true)
    child(1).finish('three')
    expect(await third).toEqual(highlighted('three'))
    expect(children).toHaveLength(2)
  })

  test('for long pastes and other languages is replaced sooner, and goes last on the machine', async () => {
    const { highlight, child, children } = withFakeChildren()
    const answers = [highlight('1', 'c', false), highlight('2', 'c', false), highlight('3', 'c')]
    child(0).finish('one', maxChildBytes.slow + 1)
    child(1).finish('three', maxChildBytes.slow + 1)
    await Promise.all([answers[0], answers[2]])
    expect(children.map(({ lane, isKilled }) => [lane, isKilled])).toEqual([
      ['slow', true],
      ['quick', false],
      ['slow', false],
    ])
  })

  test('for long pastes and other languages is ended sooner than the other one', async () => {
    const { highlight, child } = withFakeChildren()
    const both = [highlight('a', 'c'), highlight(long, 'c')]
    child(0).finish('quick')
    child(1).finish('slow')
    await Promise.all(both)
    jest.advanceTimersByTime(times.idleMs.slow)
    expect([child(0).isKilled, child(1).isKilled]).toEqual([false, true])
    jest.advanceTimersByTime(times.idleMs.quick - times.idleMs.slow)
    expect(child(0).isKilled).toBe(true)
  })

  test('that fails leaves the other one alone', async () => {
    const { highlight, child } = withFakeChildren()
    const [quick, slow] = [highlight('a', 'c'), highlight(long, 'c')]
    child(1).end()
    child(0).finish('quick')
    expect(await Promise.all([quick, slow])).toEqual([highlighted('quick'), failed])
  })

  test('is ended by close in either lane', () => {
    const { highlight, close, child } = withFakeChildren()
    highlight('a', 'c')
    highlight(long, 'c')
    close()
    expect([child(0).isKilled, child(1).isKilled]).toEqual([true, true])
  })
})
