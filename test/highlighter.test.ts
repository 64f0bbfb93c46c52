import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { renderPlain } from '../src/highlight/render.ts'
import { maxChars, times, withFakeChildren } from './support/highlighting.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const plain = (text: string, isFinal = true) => ({ html: renderPlain(text), isFinal })
const pass = (ms: number) => jest.advanceTimersByTime(ms)

describe('a paste is shown highlighted', () => {
  test('as the child answers it', async () => {
    const { render, child } = withFakeChildren()
    const rendering = render('a < b', 'c')
    expect(child(0).jobs).toEqual([{ text: 'a < b', language: 'c' }])
    child(0).answer({ html: '<b>html</b>' })
    expect(await rendering).toEqual({ html: '<b>html</b>', isFinal: true })
  })

  test('up to the largest size, by one child that takes one job at a time', async () => {
    const { render, child, children } = withFakeChildren()
    const renderings = ['a'.repeat(maxChars), 'b', 'c'].map((text) => render(text, 'c'))
    for (const [at, rendering] of renderings.entries()) {
      expect(child(0).jobs).toHaveLength(at + 1)
      child(0).answer({ html: String(at) })
      expect(await rendering).toEqual({ html: String(at), isFinal: true })
    }
    expect(children).toHaveLength(1)
  })
})

describe('a paste is shown plain, and stays so', () => {
  test('when it is plain text: no process is asked', async () => {
    const { render, children } = withFakeChildren()
    expect(await render('a < b', 'text')).toEqual(plain('a < b'))
    expect(children).toEqual([])
  })

  test('when it is larger than the limit: no process is asked', async () => {
    const { render, children, failures } = withFakeChildren()
    const text = 'a'.repeat(maxChars + 1)
    expect(await render(text, 'c')).toEqual(plain(text))
    expect(children).toEqual([])
    expect(failures).toEqual([])
  })

  test('when the child is killed at its deadline, not one millisecond earlier', async () => {
    const { render, child, failures } = withFakeChildren()
    const rendering = render('a < b', 'c')
    pass(times.runMs - 1)
    expect(child(0).isKilled).toBe(false)
    pass(1)
    expect(child(0).isKilled).toBe(true)
    expect(await rendering).toEqual(plain('a < b'))
    expect(failures).toEqual([`stopped after ${times.runMs} ms`])
  })

  test('when the child crashes', async () => {
    const { render, child, failures } = withFakeChildren()
    const rendering = render('a < b', 'c')
    child(0).end()
    expect(await rendering).toEqual(plain('a < b'))
    expect(failures).toEqual(['the highlighting process ended by itself'])
  })

  test('when the child answers that it failed; it goes on with the next paste', async () => {
    const { render, child, failures } = withFakeChildren()
    const [first, second] = [render('a < b', 'no-such-language'), render('c', 'c')]
    child(0).answer({ failure: 'no such language' })
    child(0).answer({ html: 'html' })
    expect(await first).toEqual(plain('a < b'))
    expect(await second).toEqual({ html: 'html', isFinal: true })
    expect(failures).toEqual(['no such language'])
    expect(child(0).isKilled).toBe(false)
  })

  test.each([{ spawn: true }, { send: true }])(
    'when a process fails to start or to be told: %j',
    async (refuse) => {
      const { render, failures } = withFakeChildren(refuse)
      expect(await render('a < b', 'c')).toEqual(plain('a < b'))
      expect(failures).toHaveLength(1)
      expect(await render('c', 'c')).toEqual(plain('c'))
    },
  )
})

describe('a paste is shown plain for now', () => {
  test('when it waited in the queue too long; it is never started', async () => {
    const { render, child, children, failures } = withFakeChildren()
    const renderings = ['one', 'two', 'three'].map((text) => render(text, 'c'))
    pass(times.waitMs)
    // The first was stopped at its deadline; the second runs, but its reader waited behind the first.
    expect(await Promise.all(renderings)).toEqual([plain('one'), plain('two', false), plain('three', false)])
    expect(failures).toHaveLength(1)
    child(1).answer({ html: 'late' })
    expect(children.flatMap(({ jobs }) => jobs.map(({ text }) => text))).toEqual(['one', 'two'])
  })
})
