import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { shownAs } from '../support/shown.ts'

const formatted = (text: string, language = 'json') => shownAs('formatted', text, language)
const textOf = async (text: string, language?: string) => (await formatted(text, language)).text

describe('formatted JSON', () => {
  test('has a line for each member, and none for empty values', async () => {
    expect(await textOf('{"a":[1,{"b":{}}],"c":[],\n"d":"e"}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": {}\n    }\n  ],\n  "c": [],\n  "d": "e"\n}',
    )
  })

  test.each(['1e400', '-0', '12345678901234567890', '0.10', '"\\u0041\\/"', 'null', '"\u2028"'])(
    'keeps %s as it is',
    async (word) => {
      const { text, facts } = await formatted(` [ ${word} ]`)
      expect(text.replaceAll('\n', '')).toBe(`[  ${word}]`)
      expect(facts.refused).toBeUndefined()
    },
  )

  test('keeps the order of names, and names that occur twice', async () => {
    expect(await textOf('{"b":1,"2":2,"1":3,"b":4,"__proto__":5}')).toBe(
      '{\n  "b": 1,\n  "2": 2,\n  "1": 3,\n  "b": 4,\n  "__proto__": 5\n}',
    )
  })

  test('is what a program would print with two spaces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
        const printed = JSON.stringify(value, null, 2).replaceAll('\0', '␀')
        expect(await textOf(JSON.stringify(value))).toBe(printed)
      }),
      { numRuns: 200 },
    )
  })

  test('has the colours of JSON on pages, and lines to link to', async () => {
    const { html, named } = await formatted('{"a":1,"b":"c"}')
    const { html: asText } = await shownAs('formatted', '{"a":1,"b":"c"} x', 'json')
    for (const word of ['"a"', '1', '"c"']) {
      const coloured = new RegExp(`<span class=(\\w+)>${word}</span>`)
      expect(coloured.exec(html)?.[1]).toBe(coloured.exec(asText)?.[1] as string)
    }
    expect(named('li').map(({ attributes: { id } }) => id)).toEqual(['L1', 'L2', 'L3', 'L4'])
  })

  test('may have comments and trailing commas as JSONC only', async () => {
    const text = '// a\n{"b":[1,],/* c */"d":2,}'
    expect(await textOf(text, 'jsonc')).toBe('// a\n{\n  "b": [\n    1,\n  ],\n  /* c */\n  "d": 2,\n}')
    expect((await formatted(text)).facts.refused?.why).toBe(
      'Not valid JSON in line 1, column 1: JSON has no comments.',
    )
  })

  test.each([
    ['{"a":1,\n "b" 2}', 'line 2, column 6: a colon is missing.'],
    ['[1 2]', 'line 1, column 4: a comma is missing.'],
    ['[1,]', 'line 1, column 4: a value is missing.'],
    ['{"a":1', 'line 1, column 7: a closing } is missing.'],
    ['["a', 'line 1, column 2: a string is not closed.'],
    ['{} {}', 'line 1, column 4: there is more after the end of the value.'],
    ["{'a':1}", 'line 1, column 2: a word is not JSON.'],
    ['', 'line 1, column 1: a value is missing.'],
    ['\n\n[01]', 'line 3, column 3: a comma is missing.'],
    ['["\\x"]', 'line 1, column 2: an escaped character is not valid.'],
  ])('of what is not JSON is the text, and says why: %j', async (text, why) => {
    const { text: shown, facts } = await formatted(text)
    expect(shown).toBe(text)
    expect(facts.refused).toEqual({
      why: `Not valid JSON in ${why}`,
      line: Number(/line (\d+)/.exec(why)?.[1]),
    })
  })

  test('that is nested too deeply is the text, and is not called invalid', async () => {
    const [fits, deep] = [200, 250].map((levels) => '['.repeat(levels) + ']'.repeat(levels)) as [
      string,
      string,
    ]
    expect((await formatted(fits)).facts.refused).toBeUndefined()
    const why = 'The text is nested too deeply to be formatted: more than 200 levels in line 1, column 201.'
    expect((await formatted(deep)).facts.refused).toEqual({ why, line: 1 })
    expect((await formatted(`[1]\n${deep}\n`, 'jsonl')).facts.problem).toEqual({
      why: why.replace('The text', 'A record').replace('line 1', 'line 2'),
      line: 2,
    })
  })

  test('may begin with the mark of a file', async () => {
    expect(await textOf('\ufeff[1]')).toBe('[\n  1\n]')
  })

  test('that would be larger than a page is the text', async () => {
    const { facts } = await formatted(`[${'[1],'.repeat(250_000)}1]`)
    expect(facts.refused?.why).toContain('too large')
  })
})

describe('formatted JSON lines', () => {
  test('have one record after another, each with the number of its line', async () => {
    const { text, named, facts } = await formatted('{"a":1}\r\n\n[2]\n', 'jsonl')
    expect(text).toBe('{\n  "a": 1\n}\n\n[\n  2\n]\n')
    expect(named('li').map(({ attributes: { id } }) => id)).toEqual(['L1', 'L2', 'L3'])
    expect(facts).toEqual({ shown: 3, total: 3, isPartial: false })
  })

  test('show a record that is not JSON as it is, and name the first', async () => {
    const { text, facts } = await formatted('{"a":1}\n{b}\nc\n', 'jsonl')
    expect(text).toBe('{\n  "a": 1\n}\n{b}\nc\n')
    expect(facts.problem).toEqual({ why: 'Not valid JSON in line 2, column 2: a word is not JSON.', line: 2 })
  })
})
