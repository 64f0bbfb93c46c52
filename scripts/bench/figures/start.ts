import { start, temporaryFolder } from '../../../test/support/process.ts'
import type { Bench, Figure } from '../bench.ts'
import { megabyte, residentBytes } from '../memory.ts'
import { productArgs } from '../product.ts'
import { alternately } from '../rounds.ts'
import { median } from '../stats.ts'

/** One start takes a moment, and some take longer. */
const startsPerHalf = 3
const mostMilliseconds = 80

/** From the start of the process to its first answer, and what it then holds. */
const startOnce = async (data: string) => {
  const began = performance.now()
  const server = await start({ args: productArgs, data })
  const response = await fetch(`${server.url}/healthz`)
  const milliseconds = performance.now() - began
  const megabytes = residentBytes(server.pid) / megabyte
  await server.stop()
  if (response.status !== 200) throw new Error(`/healthz answered ${response.status}`)
  return { milliseconds, megabytes }
}

type Started = Awaited<ReturnType<typeof startOnce>>

const starts = (key: keyof Started, data: string, { isSmoke }: Bench) => {
  const times = Array.from({ length: isSmoke ? 1 : startsPerHalf })
  return async () => {
    const values: number[] = []
    for (const _ of times) values.push((await startOnce(data))[key])
    return median(values)
  }
}

const fullAgainstEmpty = (key: keyof Started): Figure['open'] => {
  return async (bench) => {
    const [full, empty] = [(await bench.stock()).data, temporaryFolder()]
    return { round: alternately(starts(key, full, bench), starts(key, empty, bench)) }
  }
}

/** Starting on a full folder. */
export const startFigures: readonly Figure[] = [
  {
    name: 'full/start',
    what: 'start to first answer: full folder against an empty one',
    target: { atMost: 1.1 },
    unit: 'ms',
    sides: ['full folder', 'empty folder'],
    open: fullAgainstEmpty('milliseconds'),
  },
  {
    name: 'full/start-80ms',
    what: 'start to first answer with a full folder, of 80 ms allowed',
    target: { atMost: 1 },
    unit: 'ms',
    sides: ['full folder', 'allowed'],
    open: async (bench) => {
      const full = starts('milliseconds', (await bench.stock()).data, bench)
      return { round: alternately(full, async () => mostMilliseconds) }
    },
  },
  {
    name: 'full/memory',
    what: 'resident memory after start: full folder against an empty one',
    target: { atMost: 1.1 },
    unit: 'MB',
    sides: ['full folder', 'empty folder'],
    open: fullAgainstEmpty('megabytes'),
  },
]
