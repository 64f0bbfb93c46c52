import { describe, expect, test } from 'bun:test'
import {
  createAdmission,
  createGuests,
  createRateLimiter,
  type KeyHolder,
  type KeyLimits,
  requireScope,
} from '../../src/services/keys.ts'
import { configOf } from '../support/config.ts'

const now = Date.parse('2026-01-31T12:00:00Z')

const everywhere = configOf({ flags: { 'guest-from': '0.0.0.0/0,::/0', 'guest-key': 'guests' } }).guestFrom

/** Guests from everywhere, whose key has these limits; `undefined` for no key. */
const openGuests = (limits: KeyLimits | undefined, maxBuckets?: number) => {
  const uses: string[] = []
  const [limiter, keylessLimiter] = [
    createRateLimiter({ now: () => 0 }),
    createRateLimiter({ now: () => 0, ...(maxBuckets && { maxBuckets }) }),
  ]
  const admit = createAdmission({
    authorize: requireScope,
    ...{ limiter, keylessLimiter },
    rate: { requests: 3, seconds: 15 },
  })
  const holder: KeyHolder | undefined = limits && { name: 'guests', as: 'key', bucket: 'hash', ...limits }
  const guests = createGuests({
    from: everywhere,
    keyName: 'guests',
    named: async () => holder,
    now: () => now,
    admit,
    onUse: (name) => uses.push(name),
  })
  /** How many of so many creations from an address are accepted. */
  const accepted = async (address: string, times: number) => {
    let count = 0
    for (let at = 0; at < times; at++)
      count += await guests.admit(address, 'paste').then(
        () => 1,
        () => 0,
      )
    return count
  }
  return { guests, limiter, keylessLimiter, accepted, uses }
}

describe('the rate of guests', () => {
  test('is counted for each address, apart from that of the key', async () => {
    const { accepted, limiter } = openGuests({})
    expect(await accepted('192.168.1.5', 5)).toBe(3)
    expect(await accepted('192.168.1.6', 5)).toBe(3)
    expect(limiter.size()).toBe(0)
  })

  test('of a million addresses is kept for the last ones only', async () => {
    const [addresses, maxBuckets] = [1_000_000, 100_000]
    const limiter = createRateLimiter({ now: () => 0, maxBuckets })
    const policy = { capacity: 1, periodMs: 15_000 }
    let largest = 0
    for (let at = 0; at < addresses; at++) {
      limiter.take(`guest ${at}`, policy)
      largest = Math.max(largest, limiter.size())
    }
    expect(largest).toBe(maxBuckets)
    expect(limiter.take(`guest ${addresses - 1}`, policy).isAccepted).toBe(false)
    expect(limiter.take(`guest ${addresses - maxBuckets / 2}`, policy).isAccepted).toBe(false)
    expect(limiter.take('guest 0', policy).isAccepted).toBe(true)
  })

  test('is kept for people who come back, while others go', () => {
    const limiter = createRateLimiter({ now: () => 0, maxBuckets: 4 })
    const policy = { capacity: 1, periodMs: 15_000 }
    const others = Array.from({ length: 20 }, (_, at) => [`other ${at}`, 'regular']).flat()
    for (const name of ['regular', ...others]) limiter.take(name, policy)
    expect(limiter.take('regular', policy).isAccepted).toBe(false)
    expect(limiter.take('other 0', policy).isAccepted).toBe(true)
  })
})

describe('the key of guests', () => {
  test('is looked up by address, and names the owner', async () => {
    const { guests, uses } = openGuests({ admin: true })
    expect(await guests.admit('10.0.0.1', 'paste')).toMatchObject({ name: 'guests', as: 'guest' })
    expect(await guests.admit('nowhere', 'paste')).toBeUndefined()
    expect(uses).toEqual(['guests'])
  })

  test('is not used by a page that is shown', async () => {
    const { guests, uses, keylessLimiter } = openGuests({})
    expect(await guests.holderAt('10.0.0.1')).toMatchObject({ name: 'guests' })
    expect([uses.length, keylessLimiter.size()]).toEqual([0, 0])
  })
})
