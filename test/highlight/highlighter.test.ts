import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { failed, highlighted, maxChars, notNow, times, withFakeChildren } from '../support/highlighting.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const pass = (ms: number) => jest.advanceTimersByTime(ms)

/** The child has worked for half a second before, and works on only when a test says so. */
const withBusyChild = () => {
  const fake = withFakeChildren()
  fake.highlight('before', 'c')
  const working = fake.child(0)
  working.finish('html')
  working.processorMs = 500
  return { ...fake, working }
}

describe('a paste is shown highlighted', () => {
  test('as the child answers it', async () => {
    const { highlight, child } = withFakeChildren()
    const highlighting = highlight('a < b', 'c')
    expect(child(0).jobs).toEqual([{ text: 'a < b', language: 'c' }])
    child(0).finish('<b>html</b>')
    expect(await highlighting).toEqual(highlighted('<b>html</b>'))
  })

  test('in the pieces that the child sends, and those of no other job', async () => {
    const { highlight, child } = withFakeChildren()
    const [first, second] = [highlight('1', 'c'), highlight('2', 'c')]
    child(0).answer({ piece: 'one' })
    child(0).finish('two')
    expect((await first).lines?.html).toEqual(['one', 'two'])
    child(0).finish('three')
    expect((await second).lines?.html).toEqual(['three'])
  })

  test('by a child that takes one job at a time', async () => {
    const { highlight, child, children } = withFakeChildren()
    const jobs = ['a', 'b', 'c'].map((text) => highlight(text, 'c'))
    for (const [at, highlighting] of jobs.entries()) {
      expect(child(0).jobs).toHaveLength(at + 1)
      child(0).finish(String(at))
      expect(await highlighting).toEqual(highlighted(String(at)))
    }
    expect(children).toHaveLength(1)
  })

  test('up to the largest size, and not where it is plain text', () => {
    const { isHighlightable } = withFakeChildren()
    expect(isHighlightable({ text: 'a'.repeat(maxChars), language: 'c' })).toBe(true)
    expect(isHighlightable({ text: 'a'.repeat(maxChars + 1), language: 'c' })).toBe(false)
    expect(isHighlightable({ text: 'a', language: 'text' })).toBe(false)
    expect(isHighlightable({ text: 'a', language: 'text', show: { grep: 'a' } })).toBe(true)
  })

  test('up to eight times that size where it needs no grammar', () => {
    const { isHighlightable } = withFakeChildren()
    const jsonl = '{"level":"info","time":"2026-11-23T14:02:11Z"}\n'
    for (const [language, unit, show] of [
      ['log', 'a', undefined],
      ['text', 'a', { grep: 'a' }],
      ['jsonl', jsonl, undefined],
    ] as const) {
      const text = unit.repeat(Math.floor((8 * maxChars) / unit.length))
      const job = { language, ...(show && { show }) }
      expect(isHighlightable({ ...job, text }), language).toBe(true)
      expect(isHighlightable({ ...job, text: text + unit }), language).toBe(false)
    }
  })
})

describe('a paste is not tried again for now', () => {
  test('when the child is killed at its deadline, not one millisecond earlier', async () => {
    const { highlight, child, failures } = withFakeChildren()
    const highlighting = highlight('a < b', 'c')
    pass(times.runMs - 1)
    expect(child(0).isKilled).toBe(false)
    pass(1)
    expect(child(0).isKilled).toBe(true)
    expect(await highlighting).toEqual(failed)
    expect(failures).toEqual([`stopped after ${times.runMs} ms`])
  })

  test('when it used up its time on the processor, however long it waited for its turn there', async () => {
    const { highlight, failures, working } = withBusyChild()
    const highlighting = highlight('a < b', 'c')
    for (const used of [0, 180, 1000, times.runMs - 1]) {
      working.processorMs = 500 + used
      pass(times.runMs)
      expect(working.isKilled).toBe(false)
    }
    working.processorMs = 500 + times.runMs
    pass(1)
    expect(working.isKilled).toBe(true)
    expect(await (await highlighting).later).toEqual(failed)
    expect(failures).toEqual([`stopped after ${times.runMs} ms`])
  })

  test('when it does not end, though it hardly works', async () => {
    const { highlight, failures, working } = withBusyChild()
    const highlighting = highlight('a < b', 'c')
    pass(times.stuckMs - 1)
    expect(working.isKilled).toBe(false)
    pass(times.runMs)
    expect(working.isKilled).toBe(true)
    expect(await (await highlighting).later).toEqual(failed)
    expect(failures).toEqual([`did not end within ${times.stuckMs} ms`])
  })

  test('when the child and its grammar do not load in their own time', async () => {
    const { highlight, child, failures } = withFakeChildren({ start: true })
    const reading = highlight('a < b', 'c')
    pass(times.stuckMs - 1)
    expect(child(0).isKilled).toBe(false)
    pass(1)
    expect(child(0).isKilled).toBe(true)
    const { later, ...now } = await reading
    expect(now).toEqual(notNow)
    expect(await later).toEqual(failed)
    expect(failures).toEqual([`did not start within ${times.stuckMs} ms`])
  })

  test('when the child crashes', async () => {
    const { highlight, child, failures } = withFakeChildren()
    const highlighting = highlight('a < b', 'c')
    child(0).end()
    expect(await highlighting).toEqual(failed)
    expect(failures).toEqual(['the highlighting process ended by itself'])
  })

  test('when the child answers that it failed; it goes on with the next paste', async () => {
    const { highlight, child, failures } = withFakeChildren()
    const [first, second] = [highlight('a', 'no-such-language'), highlight('b', 'c')]
    child(0).answer({ failure: 'no such language' })
    child(0).finish('html')
    expect(await first).toEqual(failed)
    expect(await second).toEqual(highlighted('html'))
    expect(failures).toEqual(['no such language'])
    expect(child(0).isKilled).toBe(false)
  })

  test.each([{ spawn: true }, { send: true }])(
    'when a process fails to start or to be told: %j',
    async (refuse) => {
      const { highlight, failures } = withFakeChildren(refuse)
      expect(await highlight('a < b', 'c')).toEqual(failed)
      expect(failures).toHaveLength(1)
      expect(await highlight('c', 'c')).toEqual(failed)
    },
  )
})

describe('a paste is shown plain this time', () => {
  test('on a busy machine, and in colours as soon as they are made', async () => {
    const { highlight, failures, working } = withBusyChild()
    const highlighting = highlight('a < b', 'c')
    pass(10 * times.runMs)
    working.finish('coloured')
    expect(await (await highlighting).later).toEqual(highlighted('coloured'))
    expect(failures).toEqual([])
  })

  test('when the child is still loading; the job then runs for as long as any other', async () => {
    const { highlight, child } = withFakeChildren({ start: true })
    const highlighting = highlight('a', 'c')
    pass(times.waitMs)
    const { later, ...now } = await highlighting
    expect(now).toEqual(notNow)
    child(0).answer({ isStarted: true })
    pass(times.runMs - 1)
    expect(child(0).isKilled).toBe(false)
    child(0).finish('html')
    expect(await later).toEqual(highlighted('html'))
  })

  test('when it waited in the queue too long; it is never started', async () => {
    const { highlight, child, children, failures } = withFakeChildren()
    const [one, ...others] = ['1', '22', '333'].map((text) => highlight(text, 'c'))
    pass(times.runMs)
    expect(await one).toEqual(failed)
    // The first was stopped at its deadline; the second runs, but its reader waited behind the first.
    pass(times.waitMs - times.runMs)
    const [two, three] = await Promise.all(others)
    expect(three).toEqual(notNow)
    expect(two).toMatchObject(notNow)
    expect(failures).toHaveLength(1)
    child(1).finish('late')
    expect(await two?.later).toEqual(highlighted('late'))
    expect(children.flatMap(({ jobs }) => jobs.map(({ text }) => text))).toEqual(['1', '22'])
  })
})
