import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createRateLimiter } from '../src/services/rate-limiter.ts'

const capacity = 3
const periodMs = 15_000

const withClock = () => {
  let time = 0
  const limiter = createRateLimiter({ capacity, periodMs, now: () => time })
  return { limiter, advance: (ms: number) => (time += ms), time: () => time }
}

const gaps = fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 60 })

describe('the token bucket', () => {
  test('accepts no more than 3 in any 15 seconds, whenever requests arrive', () => {
    fc.assert(
      fc.property(gaps, (pauses) => {
        const { limiter, advance, time } = withClock()
        const accepted: number[] = []
        for (const pause of pauses) {
          advance(pause)
          if (limiter.take('key').isAccepted) accepted.push(time())
        }
        for (const start of accepted)
          expect(accepted.filter((at) => at >= start && at < start + periodMs).length).toBeLessThanOrEqual(
            capacity,
          )
      }),
    )
  })

  test('accepts a refused client that waited as long as it was told', () => {
    fc.assert(
      fc.property(gaps, (pauses) => {
        const { limiter, advance } = withClock()
        for (const pause of pauses) {
          advance(pause)
          const { isAccepted, retryAfterMs } = limiter.take('key')
          if (isAccepted) continue
          expect(retryAfterMs).toBeGreaterThan(0)
          advance(retryAfterMs)
          expect(limiter.take('key').isAccepted).toBe(true)
        }
      }),
    )
  })

  test('refuses one millisecond before a token is back and accepts when it is', () => {
    const { limiter, advance } = withClock()
    for (let taken = 0; taken < capacity; taken++) expect(limiter.take('key').isAccepted).toBe(true)
    advance(periodMs - 1)
    expect(limiter.take('key')).toEqual({ isAccepted: false, remaining: 0, retryAfterMs: 1 })
    advance(1)
    expect(limiter.take('key').isAccepted).toBe(true)
  })

  test('takes no token for a refusal', () => {
    const { limiter, advance } = withClock()
    for (let taken = 0; taken < capacity; taken++) limiter.take('key')
    for (let refused = 0; refused < 100; refused++) limiter.take('key')
    advance(periodMs)
    expect(limiter.take('key').remaining).toBe(capacity - 1)
  })

  test('keeps one bucket per key', () => {
    const { limiter } = withClock()
    for (let taken = 0; taken < capacity; taken++) limiter.take('one')
    expect(limiter.take('one').isAccepted).toBe(false)
    expect(limiter.take('two').isAccepted).toBe(true)
  })
})
