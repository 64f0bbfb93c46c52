import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createRenderer } from '../../src/highlight/child.ts'
import type { Job } from '../../src/highlight/lines.ts'
import { renderLog } from '../../src/highlight/log-page.ts'
import { parseRendering } from '../support/html.ts'

const render = (text: string, show: Job['show'] = {}, language = 'log') => {
  const { html, ...lines } = renderLog({ text, language, show })
  const { text: shown, elements } = parseRendering(html.join(''))
  const ofLines = elements.filter(({ name }) => name === 'li')
  return {
    ...lines,
    text: shown,
    elements,
    numbers: ofLines.map(({ attributes }) => attributes.id),
    classes: ofLines.map(({ attributes }) => attributes.class ?? ''),
    marks: elements.filter(({ name }) => name === 'mark').map((mark) => mark.text),
    folds: elements.filter(({ name }) => name === 'summary').map((fold) => fold.attributes['aria-label']),
  }
}

const frames = (count: number) => Array.from({ length: count }, (_, at) => `\tat a.B${at}\n`).join('')
const log = `14:02:11 INFO start\r\n14:02:12 WARN slow\n14:02:13 ERROR broken\n${frames(5)}14:02:14 DEBUG end`

describe('a log on its page', () => {
  test('has its text letter for letter, and the numbers of its lines, also where a trace is folded', () => {
    const { text, numbers, folds, total, shown } = render(log)
    expect(text).toBe(log)
    expect(numbers).toEqual(Array.from({ length: 9 }, (_, at) => `L${at + 1}`))
    expect(folds).toEqual(['5 lines of the stack trace'])
    expect([total, shown]).toEqual([9, 9])
  })

  test('tints errors and warnings, with what belongs to them', () => {
    const { classes } = render(log)
    expect(classes).toEqual(['', 'lw', 'le', ...Array(5).fill('le lc'), 'ld'])
  })

  test('continues the numbers in lists after a fold, and in groups of a hundred', () => {
    const text = `${'INFO a\n'.repeat(98)}ERROR b\n${frames(150)}INFO c\n${'INFO d\n'.repeat(200)}`
    const { elements, text: shown } = render(text)
    expect(shown).toBe(text)
    const starts = elements.filter(({ name }) => name === 'ol').map(({ attributes }) => attributes.start)
    expect(starts).toEqual(['1', '100', '250', '350', '450'])
    expect(elements.filter(({ name }) => name === 'div')).toHaveLength(4)
  })

  test('folds no trace of two lines, and a very long one in parts', () => {
    expect(render(`ERROR a\n${frames(2)}`).folds).toEqual([])
    const { folds, text } = render(`ERROR a\n${frames(2100)}`)
    expect(folds.map((name) => name?.split(' ')[0])).toEqual(['1000', '1000', '100'])
    expect(text).toHaveLength(`ERROR a\n${frames(2100)}`.length)
  })

  test('keeps the colours of a terminal, from one line to the next', () => {
    const text = '\x1b[31mERROR\x1b[0m a\nINFO \x1b[1mbold\nstill\x1b[0m\nplain\r\n'
    const { elements, text: shown } = render(text)
    expect(shown).toBe('ERROR a\nINFO bold\nstill\nplain\r\n')
    const spans = elements
      .filter(({ name }) => name === 'span')
      .map((span) => [span.attributes.class, span.text])
    expect(spans.slice(1)).toEqual([
      ['b', 'bold'],
      ['b', 'still'],
    ])
    expect(spans[0]?.[1]).toBe('ERROR')
    const filtered = render(text, { level: 'error' }, 'ansi')
    expect([filtered.text, filtered.kept]).toEqual(['ERROR a\n', 1])
  })

  test('loses nothing of any text', () => {
    const words = fc.constantFrom(...'ERROR|WARN |\tat a|\n|\n|\r\n|\r| |<b>|&|14:02:11 |é😀'.split('|'))
    const anyText = fc
      .array(fc.oneof(words, fc.string({ maxLength: 3 })), { minLength: 1 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(anyText, (text) => {
        const { text: shown, numbers, total } = render(text)
        expect(shown).toBe(text.replaceAll('\0', '␀'))
        expect(numbers).toEqual(numbers.map((_, at) => `L${at + 1}`))
        expect(total).toBe(Math.max(1, (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).length))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a filtered log', () => {
  test('has the lines of a level and above with their numbers, and their traces', () => {
    const error = render(log, { level: 'error' })
    expect(error.numbers).toEqual(['L3', 'L4', 'L5', 'L6', 'L7', 'L8'])
    expect(error.folds).toHaveLength(1)
    expect([error.kept, error.total]).toEqual([6, 9])
    expect(render(log, { level: 'debug' }).numbers).toHaveLength(9)
    expect(render('no level\nINFO a\n', { level: 'trace' }).numbers).toEqual(['L2'])
  })

  test('has the lines with a word in any case, and marks it', () => {
    const found = render(log, { grep: 'BRO' })
    expect([found.numbers, found.marks]).toEqual([['L3'], ['bro']])
    expect(found.text).toBe('14:02:13 ERROR broken\n')
    // Across the time, which has a colour of its own.
    expect(render(log, { grep: '1 info' }).marks.join('')).toBe('1 INFO')
    expect(render(log, { grep: 'at a.b' }).folds).toEqual([])
    expect(render(log, { level: 'warn', grep: '14:02' }).numbers).toEqual(['L2', 'L3'])
    expect(render(log, { grep: '.*' }).numbers).toEqual([])
  })

  test('leads to no error where only its trace is shown', () => {
    expect(render(log).log?.first).toBe(3)
    expect(render(log, { grep: 'a.B' }).log?.first).toBeUndefined()
  })

  test('leaves out long lines of a lower level', () => {
    const { numbers } = render(`INFO ${'x'.repeat(70_000)}\nERROR a\n`, { level: 'error' })
    expect(numbers).toEqual(['L2'])
  })

  test('keeps a colour that begins in a line that is left out', () => {
    const { elements, text } = render('INFO \x1b[1ma\nERROR b\x1b[0m\n', { level: 'error' })
    const bold = elements.filter(({ attributes }) => attributes.class === 'b')
    expect([text, bold.map((span) => span.text)]).toEqual(['ERROR b\n', ['ERROR b']])
  })

  test('searches what a terminal shows', () => {
    const { marks, numbers } = render('\x1b[31mERR\x1b[0mOR a\nb\n', { grep: 'error a' }, 'ansi')
    expect([marks.join(''), numbers]).toEqual(['ERROR a', ['L1']])
  })

  test('numbers lines that are not neighbours', () => {
    const text = Array.from({ length: 400 }, (_, at) => `${at % 3 ? 'a' : 'b'} ${at + 1}\n`).join('')
    const { numbers, elements } = render(text, { grep: 'b' })
    expect(numbers).toEqual(Array.from({ length: 134 }, (_, at) => `L${3 * at + 1}`))
    const values = elements.filter(({ name }) => name === 'li').map(({ attributes }) => attributes.value)
    expect(values.slice(0, 3)).toEqual([undefined as never, '4', '7'])
  })

  test('finds a word at the end of a line of a megabyte', () => {
    const { numbers, text } = render(`a\n${'x'.repeat(1024 ** 2)}<needle>\n`, { grep: '<NEEDLE>' })
    expect(numbers).toEqual(['L2'])
    expect(text).toEndWith('x<needle>\n')
  })
})

describe('a source text with a word', () => {
  test('has only the lines with it, in their colours, with marks across tokens', async () => {
    const renderJob = await createRenderer()
    const text = 'const one = "a"\r\nlet b\nconst <two> = one\n'
    const job = { text, language: 'typescript', show: { grep: 'CONST <T' } }
    const { html, kept, total } = await renderJob(job, () => {})
    const { text: shown, elements } = parseRendering(html.join(''))
    expect([shown, kept, total]).toEqual(['const <two> = one\n', 1, 3])
    const marks = elements.filter(({ name }) => name === 'mark').map((mark) => mark.text)
    expect(marks.join('')).toBe('const <t')
    expect(html.join('')).toContain('<span class=')
    const none = await renderJob({ ...job, show: { grep: 'nowhere' } }, () => {})
    expect([none.html.join(''), none.kept]).toEqual(['', 0])
  })
})

describe('a plain text with a word', () => {
  const linesWith = async (text: string, grep: string) => {
    const renderJob = await createRenderer()
    const { html, kept } = await renderJob({ text, language: 'text', show: { grep } }, () => {})
    return { html: html.join(''), kept }
  }

  test('has its lines with it, a number each after the first that is left out: Chromium forgets where it counted on', async () => {
    const { html, kept } = await linesWith('a\nb\na\na\n<A>\n', 'a')
    expect(html.match(/<li id=L\d( value=\d)?>/g)).toEqual([
      '<li id=L1>',
      ...[3, 4, 5].map((line) => `<li id=L${line} value=${line}>`),
    ])
    expect(html).toContain('&lt;<mark>A</mark>&gt;\n')
    expect(kept).toBe(4)
  })

  test.each(['rm', '[0m'])(
    'has marks for what a terminal would obey, and is found by it: %s',
    async (word) => {
      const { html, kept } = await linesWith('rm foo\recho foo\x1b[0m\n', word)
      for (const mark of ['CR', 'ESC']) expect(html).toContain(`data-x=${mark}>`)
      expect(kept).toBe(1)
    },
  )
})
