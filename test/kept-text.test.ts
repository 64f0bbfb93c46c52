import { describe, expect, test } from 'bun:test'
import { createFlights } from '../src/routes/flights.ts'
import { createKeptText } from '../src/routes/kept-text.ts'

describe('a text that depends on the address alone', () => {
  const open = () => {
    const made: string[] = []
    const kept = createKeptText({ 'Content-Type': 'text/plain' })
    const ask = async (key: string, init: RequestInit = {}) => {
      const make = () => {
        made.push(key)
        return `text for ${key}`
      }
      return (await kept(new Request('http://nas/', init), key, make)).text()
    }
    return { made, ask }
  }

  test('is made once for each address', async () => {
    const { made, ask } = open()
    for (const key of ['a', 'b', 'a', 'b']) expect(await ask(key)).toBe(`text for ${key}`)
    expect(made).toEqual(['a', 'b'])
  })

  test('is not made where only its headers are asked for', async () => {
    const { made, ask } = open()
    expect(await ask('a', { method: 'HEAD' })).toBe('')
    expect(made).toEqual([])
  })

  test('is kept for eight addresses, and for none of more than 300 characters', async () => {
    const { made, ask } = open()
    const keys = ['0', '1', '2', '3', '4', '5', '6', '7', '8']
    for (const key of keys) await ask(key)
    for (const key of ['8', '1', '0']) await ask(key)
    const [short, long] = ['a'.repeat(300), 'a'.repeat(301)]
    for (const key of [short, short, long, long]) await ask(key)
    expect(made).toEqual([...keys, '0', short, long, long])
  })
})

describe('work under way', () => {
  test('is shared under its key until it ends, also by a failure', async () => {
    const { shared } = createFlights<number>()
    let made = 0
    const make = async () => {
      made++
      if (made === 1) throw new Error('no')
      return made
    }
    const [first, second] = await Promise.allSettled([shared('a', make), shared('a', make)])
    expect([first?.status, second?.status]).toEqual(['rejected', 'rejected'])
    expect(await Promise.all([shared('a', make), shared('a', make), shared('b', make)])).toEqual([2, 2, 3])
  })

  test('that takes turns begins when what came before has ended, also by a failure', async () => {
    const { oneAtATime } = createFlights<void>()
    const works = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    const begun: number[] = []
    const results = works.map(({ promise }, at) =>
      oneAtATime(() => {
        begun.push(at)
        return promise
      }),
    )
    await new Promise(setImmediate)
    expect(begun).toEqual([0])
    works[0]?.reject(new Error('no'))
    expect(await results[0]?.catch(() => 'failed')).toBe('failed')
    await new Promise(setImmediate)
    expect(begun).toEqual([0, 1])
    works[1]?.resolve()
    works[2]?.resolve()
    await results[2]
    expect(begun).toEqual([0, 1, 2])
  })
})
