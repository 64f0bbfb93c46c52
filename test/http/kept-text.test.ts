import { describe, expect, test } from 'bun:test'
import { createFlights } from '../../src/http/answers.ts'
import { createKeptText } from '../../src/http/memory.ts'

describe('a text that depends on the address alone', () => {
  const open = () => {
    const made: string[] = []
    const kept = createKeptText({ 'Content-Type': 'text/plain' }, (address) => {
      made.push(address)
      return `'${address}/a' and ${address}`
    })
    const ask = async (address: string, init: RequestInit = {}) =>
      (await kept(new Request('http://nas/', init), address)).text()
    return { made, ask }
  }

  test('names the address of each request, and is made once for all of them', async () => {
    const { made, ask } = open()
    const addresses = ['http://nas', 'https://nas', 'http://a.b:81', 'http://nas']
    const many = Array.from({ length: 20 }, (_, at) => `http://nas-${at}`)
    for (const address of [...addresses, ...many])
      expect(await ask(address)).toBe(`'${address}/a' and ${address}`)
    expect(made).toHaveLength(1)
  })

  test('is made once more for addresses in brackets, which a shell takes for a pattern', async () => {
    const { made, ask } = open()
    for (const address of ['http://[::1]:80', 'http://nas', 'http://[fe80::1]'])
      expect(await ask(address)).toBe(`'${address}/a' and ${address}`)
    expect(made.map((address) => address.includes('['))).toEqual([true, false])
  })

  test('is not made where only its headers are asked for', async () => {
    const { made, ask } = open()
    expect(await ask('http://nas', { method: 'HEAD' })).toBe('')
    expect(made).toEqual([])
  })

  test('that could not be made is tried again', async () => {
    let tries = 0
    const kept = createKeptText({}, async () => {
      if (++tries === 1) throw new Error('no')
      return 'text'
    })
    const ask = () => kept(new Request('http://nas/'), 'http://nas')
    await expect(ask()).rejects.toThrow('no')
    expect(await (await ask()).text()).toBe('text')
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
