import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createRateLimiter, type RateLimiter } from '../../src/services/keys.ts'

const capacity = 3
const periodMs = 15_000

const withClock = () => {
  let time = 0
  const limiter = createRateLimiter({ now: () => time })
  const take = (key: string, policy = { capacity, periodMs }) => limiter.take(key, policy)
  return { take, advance: (ms: number) => (time += ms), time: () => time }
}

const gaps = fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 60 })

describe('the token bucket', () => {
  test('refuses one millisecond before a token is back and accepts when it is', () => {
    const { take, advance } = withClock()
    for (let taken = 0; taken < capacity; taken++) expect(take('key').isAccepted).toBe(true)
    advance(periodMs - 1)
    expect(take('key')).toEqual({ isAccepted: false, remaining: 0, retryAfterMs: 1 })
    advance(1)
    expect(take('key').isAccepted).toBe(true)
  })

  test('keeps one bucket per key', () => {
    const { take } = withClock()
    for (let taken = 0; taken < capacity; taken++) take('one')
    expect(take('one').isAccepted).toBe(false)
    expect(take('two').isAccepted).toBe(true)
  })
})

describe('keys with policies of their own', () => {
  test('never exceed it in any period, and need wait no longer than they are told', () => {
    fc.assert(
      fc.property(
        gaps,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 40_000 }),
        (pauses, capacity, periodMs) => {
          const { take, advance, time } = withClock()
          const accepted: number[] = []
          const ask = () => {
            const { isAccepted, retryAfterMs } = take('key', { capacity, periodMs })
            if (isAccepted) accepted.push(time())
            return isAccepted ? 0 : retryAfterMs
          }
          for (const pause of pauses) {
            advance(pause)
            const wait = ask()
            if (wait === 0) continue
            advance(wait)
            expect(ask()).toBe(0)
          }
          for (const start of accepted)
            expect(accepted.filter((at) => at >= start && at < start + periodMs).length).toBeLessThanOrEqual(
              capacity,
            )
        },
      ),
    )
  })
})

/** The rule in its shortest form, which looks at every token that is out. */
const createModel = (now: () => number): Pick<RateLimiter, 'take'> => {
  let out: number[] = []
  return {
    take: (_, { capacity, periodMs }) => {
      const time = now()
      out = out.filter((taken) => time - taken < periodMs)
      const isAccepted = out.length < capacity
      if (isAccepted) out.push(time)
      const over = out.length - capacity
      const retryAfterMs = over < 0 ? 0 : (out[over] as number) + periodMs - time
      return { isAccepted, remaining: Math.max(0, -over), retryAfterMs }
    },
  }
}

describe('the limiter, at any rate,', () => {
  const steps = fc.array(
    fc.record({
      requests: fc.integer({ min: 1, max: 900 }),
      pauseMs: fc.constantFrom(0, 0, 1, 7, 1000),
      capacity: fc.constantFrom(1, 2, 3, 700, 5000),
      periodMs: fc.constantFrom(1, 500, 15_000),
    }),
    { minLength: 1, maxLength: 30 },
  )

  test('answers as the rule in its shortest form does, also while the policy changes', () => {
    fc.assert(
      fc.property(steps, (some) => {
        let time = 0
        const limiter = createRateLimiter({ now: () => time })
        const model = createModel(() => time)
        for (const { requests, pauseMs, ...policy } of some)
          for (let request = 0; request < requests; request++) {
            time += pauseMs
            const [take, expected] = [limiter.take('key', policy), model.take('key', policy)]
            // `expect` by itself takes longer than all that it looks at.
            if (!Bun.deepEquals(take, expected)) expect(take).toEqual(expected)
          }
      }),
      { numRuns: 60 },
    )
  })
})
