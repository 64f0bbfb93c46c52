import { describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertSame, type Bench, type Figure } from '../../scripts/bench/exchange.ts'
import { missingPrograms, playRounds, readOptions } from '../../scripts/bench/main.ts'
import { chartOf, sectionOf } from '../../scripts/bench/report.ts'
import {
  isReached,
  median,
  resultOf,
  rowOf,
  spread,
  tableText,
  targetText,
} from '../../scripts/bench/results.ts'
import { coresIn, takeTurns } from '../../scripts/bench/rounds.ts'
import { parseWrkOutput } from '../../scripts/bench/wrk.ts'
import { repository } from '../support/process.ts'

const figure = {
  name: 'link-hot',
  what: 'follow a short link',
  target: { atLeast: 0.9 },
  unit: 'req/s',
  sides: ['shortcrust', 'bare Bun.serve'],
} as const

const pairs = [
  { product: 900, baseline: 1000 },
  { product: 1600, baseline: 2000 },
  { product: 950, baseline: 1000 },
]

describe('the figures', () => {
  test('have the middle value as median, or the mean of the two in the middle', () => {
    expect(median([5, 1, 30])).toBe(5)
    expect(median([10, 1, 2, 4])).toBe(3)
    expect(spread([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 })
  })

  test('have no median without numbers', () => {
    expect(() => median([])).toThrow('no median')
    expect(() => median([1, Number.NaN])).toThrow('no median')
  })

  test('have ratios of the two sides of one round, not of their medians', () => {
    const { ratio, product, baseline } = resultOf(figure, pairs)
    expect(ratio).toEqual({ median: 0.9, min: 0.8, max: 0.95 })
    expect(product).toEqual({ name: 'shortcrust', median: 950, unit: 'req/s' })
    expect(baseline).toEqual({ name: 'bare Bun.serve', median: 1000, unit: 'req/s' })
  })

  test('reach a target at the very number', () => {
    expect([0.89, 0.9, 0.91].map((ratio) => isReached({ atLeast: 0.9 }, ratio))).toEqual([false, true, true])
    expect([1.14, 1.15, 1.16].map((ratio) => isReached({ atMost: 1.15 }, ratio))).toEqual([true, true, false])
    expect([targetText({ atLeast: 0.9 }), targetText({ atMost: 3 })]).toEqual([
      'at least 0.90',
      'at most 3.00',
    ])
  })

  /** Two servers that answer so many requests a second, asked for ten seconds, and a clock that only turns move. */
  const loadFor = (perSecond: { product: number; baseline: number }) => {
    const events: string[] = []
    const running = new Set<string>()
    const served = { product: 0, baseline: 0 }
    let now = 0
    const pass = (ms: number) => {
      now += ms
      for (const side of ['product', 'baseline'] as const)
        if (running.has(side)) served[side] += (perSecond[side] * ms) / 1000
    }
    const begin = (side: 'product' | 'baseline') => async () => {
      running.add(side)
      return {
        halt: () => running.delete(side),
        goOn: () => {
          running.add(side)
          events.push([...running].join('+'))
        },
        endsAt: now + 10_000,
        answered: async () => {
          pass(Math.max(0, 10_000 - now))
          if (perSecond[side] === 0) throw new Error('wrk got no answer')
          return served[side]
        },
      }
    }
    const clock = { now: () => now, wait: async (ms: number) => pass(ms) }
    const sides = { product: begin('product'), baseline: begin('baseline') }
    const [there, back] = [
      ['product', 'baseline'],
      ['baseline', 'product'],
    ] as const
    const round = (isBaselineFirst: boolean) => takeTurns(sides, 1500, clock)(isBaselineFirst ? back : there)
    return { round, events, running }
  }

  test('are measured in turns: one side is halted while the other runs, and only its own time counts', async () => {
    const { round, events } = loadFor({ product: 900, baseline: 1000 })
    expect(await round(false)).toEqual({ product: 900, baseline: 1000 })
    const [there, back] = [
      ['product', 'baseline'],
      ['baseline', 'product'],
    ] as const
    expect(events.slice(0, 8)).toEqual([...there, ...back, ...there, ...there])
    const other = loadFor({ product: 900, baseline: 1000 })
    expect(await other.round(true)).toEqual({ product: 900, baseline: 1000 })
    expect(other.events.slice(0, 4)).toEqual([...back, ...there])
  })

  test('are not measured where the load met an error, and then no side stays halted', async () => {
    const { round, running } = loadFor({ product: 0, baseline: 1000 })
    await expect(round(false)).rejects.toThrow('wrk got no answer')
    expect([...running].toSorted()).toEqual(['baseline', 'product'])
  })

  test('start both sides anew for each round, and stop them after it, also when it fails', async () => {
    const events: string[] = []
    const play: Figure['play'] = async ({ closers }, isSecond) => {
      for (const side of ['product', 'baseline']) {
        events.push(`start ${side}`)
        closers.defer(() => void events.push(`stop ${side}`))
      }
      if (isSecond) throw new Error('wrk failed')
      return { product: 1, baseline: 2 }
    }
    const oneRound = ['start product', 'start baseline', 'stop baseline', 'stop product']
    expect(await playRounds({ ...figure, play }, {} as Bench, 1)).toEqual([{ product: 1, baseline: 2 }])
    expect(events).toEqual(oneRound)
    await expect(playRounds({ ...figure, play }, {} as Bench, 2)).rejects.toThrow('wrk failed')
    expect(events).toEqual([...oneRound, ...oneRound, ...oneRound])
  })

  test('and all of them have a bar', () => {
    const machine = { cpu: 'a CPU', cores: 2, memoryBytes: 2 ** 30, kernel: '6.1' }
    const versions = { shortcrust: '1', commit: 'c', bun: '1', wrk: '4' }
    const figures = [resultOf(figure, pairs)]
    const report = { date: '2026-11-21', machine, versions, seconds: 1, rounds: 5, figures }
    expect(sectionOf(report)).toContain('1 of 1 targets are reached')
    expect(chartOf(report)).toContain('link-hot')
  })
})

describe('the table', () => {
  const reached = resultOf(figure, pairs)
  const missed = resultOf({ ...figure, target: { atLeast: 0.99 } }, pairs)

  test('has the ratio first and says what is missed', () => {
    expect(rowOf(reached)).toEqual([
      '0.90',
      '0.80',
      '0.95',
      'at least 0.90',
      '',
      'link-hot',
      '950.0 req/s',
      '1,000 req/s (bare Bun.serve)',
    ])
    expect(rowOf(missed)[4]).toBe('missed')
  })

  test('has one line for each figure, in columns', () => {
    const [head = '', ...lines] = tableText([reached, missed]).split('\n')
    expect(lines.map((line) => line.indexOf('link-hot'))).toEqual([0, 0].map(() => head.indexOf('figure')))
  })
})

describe('the output of wrk', () => {
  const output = (errors: object = {}) => {
    const all = { connect: 0, read: 0, write: 0, timeout: 0, 'status above 399': 0, ...errors }
    const line = { requests: 5000, errors: all }
    return `Running 2s test\n  Requests/sec: 2.50k\n${JSON.stringify(line)}\n`
  }

  test('is read from its line of JSON', () => {
    expect(parseWrkOutput(output())).toBe(5000)
  })

  test.each(['connect', 'read', 'write', 'timeout', 'status above 399'])(
    'is refused for one error: %s',
    (kind) => {
      expect(() => parseWrkOutput(output({ [kind]: 1 }))).toThrow(`wrk met errors: 1 × ${kind}`)
    },
  )

  test('is refused when figures are missing', () => {
    expect(() => parseWrkOutput('unable to connect')).toThrow('wrk printed no figures: unable to connect')
    expect(() => parseWrkOutput(output().replace('5000', '0'))).toThrow('wrk got no answer')
  })
})

test('the cores a process may use are read as Linux writes them', () => {
  expect(coresIn('0')).toEqual([0])
  expect(coresIn('0-1')).toEqual([0, 1])
  expect(coresIn('2,4-6,9')).toEqual([2, 4, 5, 6, 9])
})

describe('the options', () => {
  const names = ['link-hot', 'full/link-hot', 'full/raw-4k']
  const read = (...args: string[]) => readOptions(args, names)

  test('default to five rounds of five seconds of everything', () => {
    expect(read()).toEqual({ json: undefined, only: [], seconds: 5, rounds: 5, isSmoke: false })
    expect(read('--smoke')).toEqual({ json: undefined, only: [], seconds: 1, rounds: 1, isSmoke: true })
  })

  test('name figures, or all that share what stands before the slash', () => {
    expect(read('--only', 'link-hot', '--only', 'full').only).toEqual(['link-hot', 'full'])
    expect(() => read('--only', 'link')).toThrow(
      'there is no figure "link"; there are link-hot, full/link-hot',
    )
  })

  test.each([
    [['--seconds', '0'], '--seconds takes a whole number from 1 to 9999, not "0"'],
    [['--seconds', '1.5'], '--seconds takes a whole number'],
    [['--rounds', '4'], '--rounds takes a whole number from 5 to 9999, not "4"'],
    [['--json', join(tmpdir(), 'not/there.json')], 'does not exist; make it first'],
    [['--fast'], "Unknown option '--fast'"],
    [['word'], "Unexpected argument 'word'"],
  ])('refuse %j', (args, message) => {
    expect(() => read(...args)).toThrow(message)
  })
})

describe('the bench', () => {
  test('says what to install when a program is missing', () => {
    expect(missingPrograms(() => '/usr/bin/it')).toBeUndefined()
    expect(missingPrograms(() => null)).toBe(
      'wrk and taskset missing; install with: apt-get install wrk util-linux',
    )
    expect(missingPrograms((name) => (name === 'wrk' ? null : '/usr/bin/it'))).toBe(
      'wrk missing; install with: apt-get install wrk',
    )
  })

  const bench = (args: readonly string[], env: Record<string, string>) => {
    const main = join(repository, 'scripts/bench/main.ts')
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, main, ...args], { env })
    return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
  }

  test('ends with 2 and its usage for a wrong option', () => {
    const { exitCode, stdout, stderr } = bench(['--rounds', '2'], { PATH: '/nowhere' })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(
      'bench: --rounds takes a whole number from 5 to 9999, not "2"\nusage: npm run bench',
    )
  })

  test('ends with 1 where wrk is missing, before anything is built', () => {
    const { exitCode, stdout, stderr } = bench(['--smoke'], { PATH: '/nowhere' })
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/^bench: wrk.* missing; install with: apt-get install wrk.*\n$/)
  })

  test('refuses a baseline that answers one header or one byte less', () => {
    const answer = { status: 200, headers: { etag: '"a"', vary: 'Accept' }, body: 'YQ==' }
    expect(() => assertSame('raw', answer, { ...answer })).not.toThrow()
    for (const other of [{ status: 304 }, { headers: { etag: '"a"' } }, { body: 'Yg==' }])
      expect(() => assertSame('raw', answer, { ...answer, ...other })).toThrow('does not answer the same')
  })
})
