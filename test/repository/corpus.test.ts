import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mistakesOf, scoreOf } from '../../scripts/corpus/report.ts'
import { samplesOf, snippetsOf } from '../../scripts/corpus/samples.ts'
import model from '../../src/highlight/languages/detect/model.json' with { type: 'json' }
import { languages } from '../../src/highlight/languages/languages.ts'
import { repository } from '../support/process.ts'

const figures = readFileSync(join(repository, 'docs/detection.md'), 'utf8')
/** Language → held-out files of it. */
const heldOut = new Map(
  [...figures.matchAll(/^\| ([a-z-]+) \| (\d+) \| [\d.–]+/gm)].map(([, name = '', count]) => [
    name,
    Number(count),
  ]),
)

describe('the corpus of the detection', () => {
  test('has 1,500 files and 25 languages at least, all of which can be rendered', () => {
    const [, files, count] = /The corpus: (\d+) files in (\d+) languages/.exec(figures) ?? []
    expect(Number(files)).toBeGreaterThanOrEqual(1500)
    expect(Number(count)).toBeGreaterThanOrEqual(25)
    const known = new Set(languages.map(({ id }) => id))
    expect([...heldOut.keys(), ...model.languages].filter((name) => !known.has(name))).toEqual([])
  })

  test('has files to measure with in each language that the model learnt', () => {
    expect(model.languages.filter((name) => !heldOut.get(name))).toEqual([])
  })

  test('has logs of which no format is both learnt and measured', () => {
    const logs = samplesOf([], 0)
    const formats = (isHeldOut: boolean) =>
      new Set(
        logs.filter((one) => one.isHeldOut === isHeldOut).map(({ path }) => path.replace(/-\d\.log$/, '')),
      )
    expect(formats(true).size).toBeGreaterThan(5)
    expect([...formats(true)].filter((format) => formats(false).has(format))).toEqual([])
  })

  test('cuts the same snippets of 5 to 200 lines each time', () => {
    const text = Array.from({ length: 900 }, (_, at) => `line ${at} of a long text`).join('\n')
    const snippets = snippetsOf(text, 'c0ffee00', 50)
    expect(snippetsOf(text, 'c0ffee00', 50)).toEqual(snippets)
    for (const snippet of snippets) {
      expect(snippet.split('\n').length).toBeWithin(5, 201)
      expect(text).toContain(snippet)
    }
  })
})

describe('the figures of the detection', () => {
  const told = [
    { truth: 'go', said: 'go' },
    { truth: 'go', said: 'text' },
    { truth: 'c', said: 'go' },
    { truth: 'text', said: 'text' },
    { truth: 'text', said: 'c' },
  ]

  test('count as wrong what was said and is not so, and as answered what has a language and got one', () => {
    expect(scoreOf(told)).toEqual({ texts: 5, wrong: 2, withLanguage: 3, answered: 2 })
    expect(mistakesOf(told)).toEqual([
      ['c → go', 1],
      ['text → c', 1],
    ])
  })

  test('in the docs reach their targets', () => {
    const shares = [...figures.matchAll(/\| \*\*([\d.]+) %\*\* \| ≤ 3 % \| \*\*([\d.]+) %\*\* \| ≥ 75 % \|/g)]
    expect(shares).toHaveLength(2)
    for (const [, wrong, answered] of shares) {
      expect(Number(wrong)).toBeLessThanOrEqual(3)
      expect(Number(answered)).toBeGreaterThanOrEqual(75)
    }
    const [, ms] = /64 KiB take \*\*([\d.]+) ms\*\*/.exec(figures) ?? []
    expect(Number(ms)).toBeLessThanOrEqual(2)
  })
})
