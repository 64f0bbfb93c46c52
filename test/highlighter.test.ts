import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { aMinute, forever, maxChars, plainHtml, times, withFakeChildren } from './support/highlighting.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const plain = (text: string, keepMs = forever) => ({ html: plainHtml(text), keepMs })
const pass = (ms: number) => jest.advanceTimersByTime(ms)

describe('a paste is shown highlighted', () => {
  test('as the child answers it', async () => {
    const { render, child } = withFakeChildren()
    const rendering = render('a < b', 'c')
    expect(child(0).jobs).toEqual([{ text: 'a < b', language: 'c' }])
    child(0).answer({ html: '<b>html</b>' })
    expect(await rendering).toEqual({ html: '<b>html</b>', keepMs: forever })
  })

  test('up to the largest size, by one child that takes one job at a time', async () => {
    const { render, child, children } = withFakeChildren()
    const renderings = ['a'.repeat(maxChars), 'b', 'c'].map((text) => render(text, 'c'))
    for (const [at, rendering] of renderings.entries()) {
      expect(child(0).jobs).toHaveLength(at + 1)
      child(0).answer({ html: String(at) })
      expect(await rendering).toEqual({ html: String(at), keepMs: forever })
    }
    expect(children).toHaveLength(1)
  })
})

describe('a paste is shown plain for ever', () => {
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
})

describe('a paste is shown plain for a minute', () => {
  test('when the child is killed at its deadline, not one millisecond earlier', async () => {
    const { render, child, failures } = withFakeChildren()
    const rendering = render('a < b', 'c')
    pass(times.runMs - 1)
    expect(child(0).isKilled).toBe(false)
    pass(1)
    expect(child(0).isKilled).toBe(true)
    expect(await rendering).toEqual(plain('a < b', aMinute))
    expect(failures).toEqual([`stopped after ${times.runMs} ms`])
  })

  test('when the child and its grammar do not load in their own time', async () => {
    const { render, child, failures } = withFakeChildren({ start: true })
    const reading = render('a < b', 'c')
    pass(times.startMs - 1)
    expect(child(0).isKilled).toBe(false)
    pass(1)
    expect(child(0).isKilled).toBe(true)
    const { later, ...now } = await reading
    expect(now).toEqual(plain('a < b', 0))
    expect(await later).toEqual(plain('a < b', aMinute))
    expect(failures).toEqual([`did not start within ${times.startMs} ms`])
  })

  test('when the child crashes', async () => {
    const { render, child, failures } = withFakeChildren()
    const rendering = render('a < b', 'c')
    child(0).end()
    expect(await rendering).toEqual(plain('a < b', aMinute))
    expect(failures).toEqual(['the highlighting process ended by itself'])
  })

  test('when the child answers that it failed; it goes on with the next paste', async () => {
    const { render, child, failures } = withFakeChildren()
    const [first, second] = [render('a < b', 'no-such-language'), render('c', 'c')]
    child(0).answer({ failure: 'no such language' })
    child(0).answer({ html: 'html' })
    expect(await first).toEqual(plain('a < b', aMinute))
    expect(await second).toEqual({ html: 'html', keepMs: forever })
    expect(failures).toEqual(['no such language'])
    expect(child(0).isKilled).toBe(false)
  })

  test.each([{ spawn: true }, { send: true }])(
    'when a process fails to start or to be told: %j',
    async (refuse) => {
      const { render, failures } = withFakeChildren(refuse)
      expect(await render('a < b', 'c')).toEqual(plain('a < b', aMinute))
      expect(failures).toHaveLength(1)
      expect(await render('c', 'c')).toEqual(plain('c', aMinute))
    },
  )
})

describe('a paste is shown plain for now', () => {
  test('when the child is still loading; the job then runs for as long as any other', async () => {
    const { render, child } = withFakeChildren({ start: true })
    const rendering = render('a', 'c')
    pass(times.waitMs)
    const { later, ...now } = await rendering
    expect(now).toEqual(plain('a', 0))
    child(0).answer({ isStarted: true })
    pass(times.runMs - 1)
    expect(child(0).isKilled).toBe(false)
    child(0).answer({ html: 'html' })
    expect(await later).toEqual({ html: 'html', keepMs: forever })
  })

  test('when it waited in the queue too long; it is never started', async () => {
    const { render, child, children, failures } = withFakeChildren()
    const [one, ...others] = ['one', 'two', 'three'].map((text) => render(text, 'c'))
    pass(times.runMs)
    expect(await one).toEqual(plain('one', aMinute))
    // The first was stopped at its deadline; the second runs, but its reader waited behind the first.
    pass(times.waitMs - times.runMs)
    const [two, three] = await Promise.all(others)
    expect(three).toEqual(plain('three', 0))
    expect(two).toMatchObject(plain('two', 0))
    expect(failures).toHaveLength(1)
    child(1).answer({ html: 'late' })
    expect(await two?.later).toEqual({ html: 'late', keepMs: forever })
    expect(children.flatMap(({ jobs }) => jobs.map(({ text }) => text))).toEqual(['one', 'two'])
  })
})
