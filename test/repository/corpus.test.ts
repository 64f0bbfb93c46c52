import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf, packages } from '../../scripts/corpus/collect/packages.ts'
import { readList, samplesOf } from '../../scripts/corpus/collect/samples.ts'
import { snippetsOf } from '../../scripts/corpus/collect/snippets.ts'
import { mistakesOf, scoreOf } from '../../scripts/corpus/measure.ts'
import { languages } from '../../src/highlight/languages/languages.ts'
import { repository } from '../support/process.ts'

const listed = await readList()
const heldOut = new Set(packages.filter(({ isHeldOut }) => isHeldOut).map(keyOf))

describe('the corpus of the detection', () => {
  test('has 1,500 files and 25 languages at least, each file once', () => {
    expect(listed.length).toBeGreaterThanOrEqual(1500)
    expect(new Set(listed.map(({ language }) => language)).size).toBeGreaterThanOrEqual(25)
    expect(new Set(listed.map(({ hash }) => hash)).size).toBe(listed.length)
  })

  test('takes files of the pinned packages alone, in languages that can be rendered', () => {
    const keys = new Set(packages.map(keyOf))
    expect(listed.filter((one) => !keys.has(one.package))).toEqual([])
    const known = new Set([...languages.map(({ id }) => id), 'pem'])
    expect(listed.filter(({ language }) => !known.has(language))).toEqual([])
  })

  test('has files to learn from and files to measure with in each language', () => {
    const of = (isHeldOut: boolean) =>
      new Set(listed.filter((one) => heldOut.has(one.package) === isHeldOut).map(({ language }) => language))
    // Packages ship hardly any; the others are made.
    const rare = ['tsv', 'jsonl']
    const all = [...new Set(listed.map(({ language }) => language))].filter((name) => !rare.includes(name))
    expect(all.filter((language) => !of(true).has(language) || !of(false).has(language))).toEqual([])
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
    const text = readFileSync(join(repository, 'docs/detection.md'), 'utf8')
    const shares = [...text.matchAll(/\| \*\*([\d.]+) %\*\* \| ≤ 3 % \| \*\*([\d.]+) %\*\* \| ≥ 75 % \|/g)]
    expect(shares).toHaveLength(2)
    for (const [, wrong, answered] of shares) {
      expect(Number(wrong)).toBeLessThanOrEqual(3)
      expect(Number(answered)).toBeGreaterThanOrEqual(75)
    }
    const [, ms] = /64 KiB take \*\*([\d.]+) ms\*\*/.exec(text) ?? []
    expect(Number(ms)).toBeLessThanOrEqual(2)
  })
})
