import { afterAll, describe, expect, test } from 'bun:test'
import { childMilliseconds } from '../support/memory.ts'
import { keep } from '../support/process.ts'

const looks = 2000

describe.skipIf(process.platform !== 'linux')('the processor time of the children of a process', () => {
  const stops: (() => unknown)[] = []
  afterAll(() => Promise.all(stops.map((stop) => stop())))

  test('is told while children begin and end, and never becomes less', () => {
    const parent = Bun.spawn(['sh', '-c', 'while :; do /bin/true; done'], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    stops.push(keep(parent))
    const seen: number[] = []
    // On a busy machine, the children may get no time within so many looks.
    while (seen.length < looks || seen.at(-1) === 0) seen.push(childMilliseconds(parent.pid))
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
  })

  test('is refused for a process that is gone', async () => {
    const gone = Bun.spawn(['true'])
    await gone.exited
    expect(() => childMilliseconds(gone.pid)).toThrow()
  })
})
