import { describe, expect, test } from 'bun:test'
import { foreignIn, shownAs } from '../support/shown.ts'
import { hostile } from '../support/views.ts'
import { asTable, markdownPayloads, xssPayloads } from '../support/xss.ts'

const table = (text: string, language = 'csv') => shownAs('table', text, language)
const cellsOf = async (text: string, language?: string) => {
  const { elements } = await table(text, language)
  const cells = elements.filter(({ name }) => name === 'td' || name === 'th')
  return cells.map(({ text }) => text.replace(/\n$/, ''))
}
const rowsOf = async (text: string) =>
  (await table(text)).named('tr').map(({ attributes: { id }, text }) => [id, text.trimEnd()])

describe('a table', () => {
  test('has a header, and rows that are named after their lines in the text', async () => {
    const text = 'name,text\na,"one\ntwo"\nb,c\n\nd,e\n'
    expect(await rowsOf(text)).toEqual([
      ['L1', 'Linenametext'],
      ['L2', '2aone\ntwo'],
      ['L4', '4bc'],
      ['L6', '6de'],
    ])
    const { named } = await table(text)
    expect(named('a').map(({ attributes: { href }, text }) => [text, href])).toEqual([
      ['2', '#L2'],
      ['4', '#L4'],
      ['6', '#L6'],
    ])
  })

  test('has the same rows with CRLF', async () => {
    expect(await rowsOf('a,b\r\n"c\r\nd",e\r\n\r\nf,g\r\n')).toEqual(await rowsOf('a,b\n"c\nd",e\n\nf,g\n'))
  })

  test.each([',', ';', '\t'])('is separated by what its first line is separated by: %j', async (mark) => {
    const text = `a${mark}"b,;\t${mark}"${mark}c\n1${mark}2${mark}3\n`
    expect(await cellsOf(text)).toEqual(['Line', 'a', `b,;\t${mark}`, 'c', '2', '1', '2', '3'])
  })

  test('of TSV is separated by tabs alone', async () => {
    expect(await cellsOf('a,b\tc\n1,5\t2\n', 'tsv')).toEqual(['Line', 'a,b', 'c', '2', '1,5', '2'])
  })

  test('has room for the longest row, and empty cells in shorter ones', async () => {
    expect(await cellsOf('a\nb,c\n\nd\n')).toEqual(['Line', 'a', '', '2', 'b', 'c', '4', 'd', ''])
  })

  test('aligns a column of numbers to the right, empty cells or not', async () => {
    const { named } = await table('n,m,w,t\n1,-1.5e3,1,2026-01-01\n,"1,234 €",x,\n')
    const right = named('td').filter(({ attributes }) => attributes.class === 'r')
    expect(right.map(({ text }) => text.trim())).toEqual(['1', '-1.5e3', '', '1,234 €'])
  })

  test('keeps quotes in the middle of a cell, spaces, and a mark at the beginning of the file out', async () => {
    expect(await cellsOf('\ufeffa,b\n" c ""d""",e"f"\n')).toEqual(['Line', 'a', 'b', '2', ' c "d"', 'e"f"'])
  })

  test('has 5,000 rows at most, and says where it ends', async () => {
    const row = 'a,"b\nc"\n'
    const full = await table(`x,y\n${row.repeat(5000)}`)
    expect(full.facts).toEqual({ shown: 10_001, total: 10_001, isPartial: false })
    const cut = await table(`x,y\n${row.repeat(5001)}`)
    expect(cut.named('tr')).toHaveLength(5001)
    expect(cut.facts).toEqual({ shown: 10_001, total: 10_003, isPartial: false })
  })

  test('is refused for a quote that is not closed, for too many columns, and for no rows', async () => {
    expect((await table('a,b\n"c,d\n')).facts.refused?.why).toContain('A quote is not closed')
    expect((await table(`${'a,'.repeat(301)}\n`)).facts.refused?.why).toContain('300 columns')
    expect((await table('\n\n')).facts.refused?.why).toContain('no rows')
  })

  test('that is refused shows the text', async () => {
    expect((await table('a,b\n"c,d\n')).text).toBe('a,b\n"c,d\n')
  })

  test('marks invisible characters', async () => {
    expect((await table('a\u202eb\n')).html).toContain('data-x=RLO')
  })
})

describe('a hostile table', () => {
  test.each([...xssPayloads, ...hostile, ...markdownPayloads])(
    'has only words in its cells: %j',
    async (payload) => {
      for (const text of [payload, asTable(payload)])
        for (const language of ['csv', 'tsv'])
          expect(
            foreignIn((await table(text, language)).elements.filter(({ name }) => name !== 'ol')),
          ).toEqual([])
    },
  )
})
