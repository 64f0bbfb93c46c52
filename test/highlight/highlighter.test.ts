import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import {
  failed,
  highlighted,
  maxChars,
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

describe('the rows of a comparison that come before their colours', () => {
  const compare = { text: 'b', language: 'c', as: 'unified' } as const
  const early = { shown: 1, total: 1, isPartial: false, isEarly: true, residentBytes: 0 } as const
  const begun = () => {
    const fake = withFakeChildren()
    const highlighting = fake.ask({ text: 'a', language: 'c', compare }, true)
    fake.child(0).processorMs = 0
    fake.child(0).answer({ piece: 'plain' })
    fake.child(0).answer(early)
    return { ...fake, highlighting }
  }

  test('are for a reader whose wait is over', async () => {
    const { highlighting, child } = begun()
    pass(times.waitMs)
    const { lines, later } = await highlighting
    expect(lines).toMatchObject({ html: ['plain'], isEarly: true })
    child(0).finish('coloured')
    expect(await later).toEqual(highlighted('coloured'))
  })

  test('are for all if their colours fail', async () => {
    const { highlighting, child } = begun()
    child(0).answer({ failure: 'no colours' })
    expect(await highlighting).toEqual(highlighted('plain'))
  })
})

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

describe('a child', () => {
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

const short = 'a'.repeat(64 * 1024)
const long = `${short}a`

describe('for a paste that was created', () => {
  test('a child starts and meets the language, once, by the first 1,024 characters', async () => {
    const { prepare, highlight, child, children } = withFakeChildren()
    prepare({ text: 'a'.repeat(5000), language: 'c' })
    expect(child(0).jobs).toEqual([{ text: 'a'.repeat(1024), language: 'c' }])
    child(0).finish('prepared')
    prepare({ text: 'again', language: 'c' })
    prepare({ text: 'other', language: 'sql' })
    expect(child(0).jobs.map(({ text }) => text.slice(0, 5))).toEqual(['aaaaa', 'other'])
    child(0).finish('prepared')
    const highlighting = highlight('read', 'c')
    child(0).finish('html')
    expect(await highlighting).toEqual(highlighted('html'))
    expect(children).toHaveLength(1)
  })

  test('nothing happens where the page needs no child, or the child is busy', () => {
    const { prepare, highlight, children, child } = withFakeChildren()
    prepare({ text: 'plain', language: 'text' })
    expect(children).toEqual([])
    highlight('read', 'c')
    prepare({ text: 'created', language: 'sql' })
    child(0).finish('html')
    expect(child(0).jobs).toHaveLength(1)
  })

  test('a new child meets the language again', () => {
    const { prepare, child } = withFakeChildren()
    prepare({ text: 'one', language: 'c' })
    child(0).finish('prepared')
    pass(times.idleMs.quick)
    prepare({ text: 'two', language: 'c' })
    expect(child(1).jobs).toEqual([{ text: 'two', language: 'c' }])
  })
})

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

describe('a child of a lane', () => {
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
    pass(times.idleMs.slow)
    expect([child(0).isKilled, child(1).isKilled]).toEqual([false, true])
    pass(times.idleMs.quick - times.idleMs.slow)
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
