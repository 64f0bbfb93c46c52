import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Attack } from '../../scripts/attack/attack.ts'
import { attacks } from '../../scripts/attack/list.ts'
import { play, readOptions, runAttacks } from '../../scripts/attack/main.ts'
import { judge, type Report, type Round, sectionOf, whatOf } from '../../scripts/attack/report.ts'
import { withSection } from '../../scripts/measure/report.ts'
import { repository } from '../support/process.ts'

const read = (path: string) => Bun.file(join(repository, path)).text()
const attackNamed = (name: string) => {
  const found = attacks.find((one) => one.name === name)
  if (!found) throw new Error(`there is no attack ${name}`)
  return found
}

/** A stranger posts one small form. */
const smallForm = attackNamed('fields-21/1')
/** No machine is too busy for these. */
const patient: Attack = { ...smallForm, limits: { ...smallForm.limits, 'stall ms': 60_000 } }
const pace = { seconds: 0.2, times: 1, restMs: 50, longestMs: 110_000 }
const faulty = (fault: string) => [process.execPath, join(repository, 'test/support/faulty-server.ts'), fault]

describe('an attack', () => {
  test('finds nothing wrong with a server that refuses at once', async () => {
    const { verdict, rounds } = await play(patient, pace, faulty('none'))
    expect(verdict).toBe('ok')
    expect(rounds).toHaveLength(1)
    expect(rounds[0]?.answers).toEqual({ 401: 1 })
  })

  test.each([
    ['growth', 'over: growth MB'],
    ['page', 'over: answer MB'],
    ['welcome', 'a stranger was answered 200'],
    ['impatience', 'a stranger was answered 503'],
    ['stack', 'a failure in the log'],
    ['death', 'the server no longer answers'],
  ])('finds out a server whose fault is %s', async (fault, verdict) => {
    expect((await play(patient, pace, faulty(fault))).verdict).toBe(verdict)
  })

  test('is ended when it takes too long', async () => {
    const { verdict } = await play(
      { ...patient, name: 'idle/2000' },
      { ...pace, seconds: 60, longestMs: 300 },
      faulty('none'),
    )
    expect(verdict).toContain('ended: it took too long')
  })
})

describe('the command', () => {
  test('ends with 1 when a server does what it must not', async () => {
    expect(await runAttacks(['--short', '--only', 'fields-21/1'], faulty('welcome'))).toBe(1)
  })

  test('refuses an attack that is not there, and a file that cannot be written', () => {
    expect(() => readOptions(['--only', 'nonsense'])).toThrow('there is no attack "nonsense"')
    expect(() => readOptions(['--json', '/no/such/folder/a.json'])).toThrow('make it first')
  })

  test('takes all variants of a name, or one', () => {
    expect(readOptions(['--only', 'fields-21', '--only', 'idle/2000', '--short'])).toEqual({
      json: undefined,
      only: ['fields-21', 'idle/2000'],
      isShort: true,
    })
  })

  test('plays one of each kind as its shortest run', () => {
    const { only, isShort } = readOptions(['--shortest'])
    expect(isShort).toBe(true)
    for (const name of only) attackNamed(name)
    expect(only.length).toBeGreaterThan(10)
  })
})

describe('the list of attacks', () => {
  test('limits stall and memory of each, but where nobody attacks', () => {
    const free = attacks.filter(({ limits }) => !(limits['stall ms'] && limits['growth MB']))
    expect(free.map(({ name }) => name)).toEqual(['nothing'])
  })

  test('allows no more than the page promises', () => {
    for (const { name, senders, limits } of attacks) {
      // Rows of key holders that have limits of their own.
      const most = name.startsWith('one-byte-chunks-with-key/') ? 500 : senders === 1 ? 50 : 250
      expect(limits['stall ms'] ?? 0, name).toBeLessThanOrEqual(most)
      expect(limits['growth MB'] ?? 0, name).toBeLessThanOrEqual(160)
    }
  })
})

const report = JSON.parse(await read('docs/attacks.json')) as Report
const page = await read('docs/attacks.md')

const round = (figures: Record<string, number>, wrong: string[] = []): Round => ({
  quietMs: 2,
  answers: { 401: 1 },
  figures,
  wrong,
})
const good = { 'stall ms': 50, 'growth MB': 160, 'answer MB': 1 }
const judged = (...rounds: Round[]) => judge(smallForm, rounds)

describe('the verdict', () => {
  test('is ok at the limit, and not above it', () => {
    expect(judged(round(good)).verdict).toBe('ok')
    expect(judged(round({ ...good, 'stall ms': 50.1 })).verdict).toBe('over: stall ms')
  })

  test('counts a limit as exceeded when it is exceeded in every round', () => {
    const [slow, large] = [
      { ...good, 'stall ms': 51 },
      { ...good, 'growth MB': 161 },
    ]
    expect(judged(round(slow), round(large)).verdict).toBe('ok')
    expect(judged(round(slow), round({ ...large, 'stall ms': 60 })).verdict).toBe('over: stall ms')
  })

  test('does not forgive what was wrong in one round', () => {
    expect(judged(round(good, ['answered 500']), round(good)).verdict).toBe('answered 500')
  })

  test('misses a figure that no round has', () => {
    const { 'answer MB': _, ...others } = good
    expect(judged(round(others)).verdict).toBe('over: answer MB')
  })
})

describe('docs/attacks.md', () => {
  test('is what the report makes of docs/attacks.json', () => {
    expect(withSection('docs/attacks.md', 'attacks', sectionOf(report))).toBe(page)
  })

  test('has a list of what each attack sends, of the same run', async () => {
    expect(withSection('docs/attack-list.md', 'attacks', whatOf(report))).toBe(
      await read('docs/attack-list.md'),
    )
    for (const { name } of report.attacks) expect(whatOf(report)).toContain(`- \`${name.split('/')[0]}\`: `)
  })

  test("says of each row what its own rounds and today's limits say", () => {
    for (const { name, rounds, verdict } of report.attacks)
      expect(`${name}: ${verdict}`).toBe(`${name}: ${judge(attackNamed(name), rounds).verdict}`)
  })
})
