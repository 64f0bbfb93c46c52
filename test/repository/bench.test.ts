import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertSame } from '../../scripts/bench/answers.ts'
import { anewEachRound, type Bench } from '../../scripts/bench/bench.ts'
import { chartOf } from '../../scripts/bench/chart.ts'
import { coresIn } from '../../scripts/bench/cores.ts'
import { fileOf, fillFolder, keepOnly } from '../../scripts/bench/folder.ts'
import { nginxConfig } from '../../scripts/bench/limits/nginx.ts'
import { readOptions } from '../../scripts/bench/options.ts'
import { missingPrograms } from '../../scripts/bench/requirements.ts'
import { isReached, resultOf, targetText } from '../../scripts/bench/results.ts'
import { alternately, inTurns } from '../../scripts/bench/rounds.ts'
import { sectionOf } from '../../scripts/bench/section.ts'
import { median, spread } from '../../scripts/bench/stats.ts'
import { rowOf, tableText } from '../../scripts/bench/table.ts'
import { parseWrkOutput } from '../../scripts/bench/wrk-output.ts'
import { repository, temporaryFolder } from '../support/process.ts'

const figure = {
  name: 'link-hot',
  what: 'follow a short link',
  target: { atLeast: 0.9 },
  unit: 'req/s',
  sides: ['shortcrust', 'bare Bun.serve'],
} as const

const pairs = [
  { product: 900, limit: 1000 },
  { product: 1600, limit: 2000 },
  { product: 950, limit: 1000 },
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
    const { ratio, product, limit } = resultOf(figure, pairs, [])
    expect(ratio).toEqual({ median: 0.9, min: 0.8, max: 0.95 })
    expect(product).toEqual({ name: 'shortcrust', median: 950, unit: 'req/s' })
    expect(limit).toEqual({ name: 'bare Bun.serve', median: 1000, unit: 'req/s' })
  })

  test('reach a target at the very number', () => {
    expect([0.89, 0.9, 0.91].map((ratio) => isReached({ atLeast: 0.9 }, ratio))).toEqual([false, true, true])
    expect([1.14, 1.15, 1.16].map((ratio) => isReached({ atMost: 1.15 }, ratio))).toEqual([true, true, false])
    expect([targetText({ atLeast: 0.9 }), targetText({ atMost: 3 })]).toEqual([
      'at least 0.90',
      'at most 3.00',
    ])
  })

  test('are measured there and back, so that a machine that slows down slows both sides alike', async () => {
    const order: string[] = []
    const round = alternately(
      async () => order.push('product'),
      async () => 100 * order.push('limit'),
    )
    expect(await round(false)).toEqual({ product: 2.5, limit: 250 })
    expect(order).toEqual(['product', 'limit', 'limit', 'product'])
    expect(await round(true)).toEqual({ product: 6.5, limit: 650 })
    expect(order.slice(4)).toEqual(['limit', 'product', 'product', 'limit'])
  })

  /** Two servers that answer so many requests a second, asked for ten seconds, and a clock that only turns move. */
  const loadFor = (perSecond: { product: number; limit: number }) => {
    const events: string[] = []
    const running = new Set<string>()
    const served = { product: 0, limit: 0 }
    let now = 0
    const pass = (ms: number) => {
      now += ms
      for (const side of ['product', 'limit'] as const)
        if (running.has(side)) served[side] += (perSecond[side] * ms) / 1000
    }
    const begin = (side: 'product' | 'limit') => async () => {
      running.add(side)
      return {
        halt: () => running.delete(side),
        goOn: () => {
          running.add(side)
          events.push([...running].join('+'))
        },
        endsAt: now + 10_000,
        measured: async () => {
          pass(Math.max(0, 10_000 - now))
          if (perSecond[side] === 0) throw new Error('wrk got no answer')
          return { requests: served[side], requestsPerSecond: 0, p99Milliseconds: 0 }
        },
      }
    }
    const clock = { now: () => now, wait: async (ms: number) => pass(ms) }
    const sides = { product: begin('product'), limit: begin('limit') }
    return { round: inTurns(sides, 1500, clock), events, running }
  }

  test('are measured in turns: one side is halted while the other runs, and only its own time counts', async () => {
    const { round, events } = loadFor({ product: 900, limit: 1000 })
    expect(await round(false)).toEqual({ product: 900, limit: 1000 })
    const [there, back] = [
      ['product', 'limit'],
      ['limit', 'product'],
    ] as const
    expect(events.slice(0, 8)).toEqual([...there, ...back, ...there, ...there])
    const other = loadFor({ product: 900, limit: 1000 })
    expect(await other.round(true)).toEqual({ product: 900, limit: 1000 })
    expect(other.events.slice(0, 4)).toEqual([...back, ...there])
  })

  test('are not measured where the load met an error, and then no side stays halted', async () => {
    const { round, running } = loadFor({ product: 0, limit: 1000 })
    await expect(round(false)).rejects.toThrow('wrk got no answer')
    expect([...running].toSorted()).toEqual(['limit', 'product'])
  })

  test('start both sides anew for each round, and stop them after it, also when it fails', async () => {
    const events: string[] = []
    const open = anewEachRound(async ({ defer }) => {
      for (const side of ['product', 'limit']) {
        events.push(`start ${side}`)
        defer(() => events.push(`stop ${side}`))
      }
      return {
        round: async (isSecond) => {
          if (isSecond) throw new Error('wrk failed')
          return { product: 1, limit: 2 }
        },
      }
    })
    const { round } = await open({} as Bench)
    const oneRound = ['start product', 'start limit', 'stop limit', 'stop product']
    expect(await round(false)).toEqual({ product: 1, limit: 2 })
    await expect(round(true)).rejects.toThrow('wrk failed')
    expect(events).toEqual([...oneRound, ...oneRound])
  })

  test('without a target explain others: neither reached nor missed, and in no chart', () => {
    const { target: _, ...explaining } = { ...figure, name: 'ready/link-hot' }
    const results = [resultOf(figure, pairs, []), resultOf(explaining, pairs, [])]
    expect(results.map((result) => rowOf(result).slice(3, 5))).toEqual([
      ['at least 0.90', ''],
      ['', ''],
    ])
    const machine = { cpu: 'a CPU', cores: 2, memoryBytes: 2 ** 30, kernel: '6.1' }
    const versions = { shortcrust: '1', commit: 'c', bun: '1', wrk: '4', nginx: '1' }
    const report = { date: '2026-11-21', machine, versions, seconds: 1, rounds: 5, figures: results }
    expect(sectionOf(report)).toContain('1 of 1 targets are reached')
    expect(sectionOf(report)).toContain('| – |')
    expect(chartOf(report)).toContain('link-hot')
    expect(chartOf(report)).not.toContain('ready/link-hot')
  })
})

describe('the table', () => {
  const reached = resultOf(figure, pairs, [])
  const missed = resultOf({ ...figure, target: { atLeast: 0.99 } }, pairs, ['a note'])

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

  test('has one line for each figure, in columns, and the notes below', () => {
    const [head = '', first = '', second = '', empty, note] = tableText([reached, missed]).split('\n')
    for (const line of [first, second]) expect(line.indexOf('link-hot')).toBe(head.indexOf('figure'))
    expect([empty, note]).toEqual(['', 'link-hot: a note'])
  })
})

describe('the output of wrk', () => {
  const output = (errors: object = {}) => {
    const all = { connect: 0, read: 0, write: 0, timeout: 0, 'status above 399': 0, ...errors }
    const line = { requests: 5000, microseconds: 2_000_000, p99: 1500, errors: all }
    return `Running 2s test\n  Requests/sec: 2.50k\n${JSON.stringify(line)}\n`
  }

  test('is read from its line of JSON', () => {
    expect(parseWrkOutput(output())).toEqual({
      requests: 5000,
      requestsPerSecond: 2500,
      p99Milliseconds: 1.5,
    })
  })

  test.each(['connect', 'read', 'write', 'timeout', 'status above 399'])(
    'is refused for one error: %s',
    (kind) => {
      expect(() => parseWrkOutput(output({ [kind]: 1 }))).toThrow(`wrk met errors: 1 × ${kind}`)
    },
  )

  test('may hold as many refusals as were asked for, and no other error', () => {
    expect(parseWrkOutput(output({ 'status above 399': 250 }), 0.05).requests).toBe(5000)
    expect(() => parseWrkOutput(output({ 'status above 399': 351 }), 0.05)).toThrow('351 × status')
    expect(() => parseWrkOutput(output({ read: 1 }), 0.05)).toThrow('1 × read')
  })

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

test('the full folder holds what it held, after a round has created more', () => {
  const [data, aside] = [temporaryFolder(), temporaryFolder()]
  const kept = fillFolder(data, 'link', 5)
  const pastes = fillFolder(data, 'paste', 1)
  const created = fillFolder(data, 'link', 3)
  keepOnly(data, 'link', new Set(kept), aside)
  expect(kept.map((id) => existsSync(fileOf(data, 'link', id)))).toEqual(kept.map(() => true))
  expect(created.map((id) => existsSync(fileOf(data, 'link', id)))).toEqual([false, false, false])
  expect(readdirSync(aside).toSorted()).toEqual(created.map((id) => `${id}.json`).toSorted())
  expect(existsSync(fileOf(data, 'paste', pastes[0] as string))).toBe(true)
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
      'wrk and nginx and taskset missing; install with: apt-get install wrk nginx-light util-linux',
    )
    expect(missingPrograms((name) => (name === 'nginx' ? null : '/usr/bin/it'))).toBe(
      'nginx missing; install with: apt-get install nginx-light',
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

  test('refuses a limit that answers one header or one byte less', () => {
    const answer = { status: 200, headers: { etag: '"a"', vary: 'Accept' }, body: 'YQ==' }
    expect(() => assertSame('raw', answer, { ...answer })).not.toThrow()
    for (const other of [{ status: 304 }, { headers: { etag: '"a"' } }, { body: 'Yg==' }])
      expect(() => assertSame('raw', answer, { ...answer, ...other })).toThrow('does not answer the same')
  })

  test("gives nginx the product's headers but those it writes itself", () => {
    const headers = {
      'content-length': '3',
      'content-type': 'text/html',
      location: 'http://a/',
      'x-a': `"b\\c"`,
    }
    const config = nginxConfig('/tmp/x', 8080, { status: 302, headers, body: '' })
    expect(config).toContain('add_header x-a "\\"b\\\\c\\"";')
    expect(config).toContain('return 302 "http://a/";')
    expect(config.match(/add_header/g)).toHaveLength(1)
  })
})
