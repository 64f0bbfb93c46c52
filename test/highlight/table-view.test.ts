import { describe, expect, test } from 'bun:test'
import { shownAs } from '../support/shown.ts'

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

  test('does not take addresses, versions, dates, telephone numbers and codes for numbers', async () => {
    const words =
      '10.0.0.1|192.168.100.200|1.2.3|2026.02.03|03.02.2026|+49 171 234 567|+4917123456|555 123 4567|0171 234567|01067|1,2,3|12:30|1.|1e'
    for (const word of words.split('|'))
      expect((await table(`a\tb\n${word}\tx\n`, 'tsv')).html, word).not.toContain('class=r')
  })

  test('takes the usual ways to write a number', async () => {
    const numbers =
      "0|-1|+2.5|0,5|.5|1,234.5|1.234,5|1.234.567|1'234'567|12,34,567|1 234|1\u00a0234,5|$3.50|7 %|12 €|6.02e+23|−4| 5 "
    for (const one of numbers.split('|'))
      expect((await table(`a\tb\n${one}\tx\n`, 'tsv')).html, one).toContain('class=r')
  })

  test('is separated by what a line for Excel says, which is no header', async () => {
    const text = '\ufeffsep=;\r\na,b;c\r\n1;2\r\n'
    expect(await rowsOf(text)).toEqual([
      ['L2', 'Linea,bc'],
      ['L3', '312'],
    ])
    expect(await cellsOf('"sep=|"\na|b\n')).toEqual(['Line', 'a', 'b'])
    expect(await cellsOf('sep=x\na,b\n')).toEqual(['Line', 'sep=x', '', '2', 'a', 'b'])
  })

  test('has the same rows with CR alone', async () => {
    expect(await rowsOf('a,b\rc,d\r\re,f\r')).toEqual(await rowsOf('a,b\nc,d\n\ne,f\n'))
  })

  test('counts lines as other pages do, where a line has CR in it', async () => {
    const ids = async (text: string) => (await rowsOf(text)).map(([id]) => id)
    expect(await ids('a,b\r\r\n1,2\r\r\n3,4\r\r\n')).toEqual(['L1', 'L2', 'L3'])
    expect(await ids('a,b\n1,2\r3,4\n\n5,"6\r\n"\n7,8\n')).toEqual(['L1', 'L2', 'L4', 'L6'])
    expect(await ids('sep=,\n\na,b\r1\n\n2,3')).toEqual(['L3', 'L5'])
  })

  test('shows quotes as text if one is not closed, and says so', async () => {
    const [title, why] = ['Quotes are shown as text.', 'A quote is not closed.']
    const { facts } = await table('a,b\n1,"2\n"\n"c,d\ne,f\n')
    expect(facts.refused).toBeUndefined()
    expect(facts.problem).toEqual({ title, why, line: 4 })
    expect((await table('"a,b\nc,d\n')).facts.problem).toEqual({ title, why, line: 1 })
    expect(await cellsOf('a,b\n"c,d\ne,f\n')).toEqual(['Line', 'a', 'b', '2', '"c', 'd', '3', 'e', 'f'])
  })

  test('of TSV has a row for each line, where a quote would join even ones', async () => {
    const text = 'a\tb\n1\t"x\n2\ty\n3\t"z\n'
    expect((await cellsOf(text, 'tsv')).join(' ')).toBe('Line a b 2 1 "x 3 2 y 4 3 "z')
    const title = 'Quotes are shown as text.'
    expect((await table(text, 'tsv')).facts.problem).toEqual({
      title,
      why: 'A quote would join lines 2 to 4.',
      line: 2,
    })
    expect((await table('a\tb\n"x\ty\nz"\tw\n', 'tsv')).facts.problem).toEqual({
      title,
      why: 'A quote would join lines 2 and 3.',
      line: 2,
    })
    const quoted = 'a\tb\n1\t"x\ny"\n"2"\tz\n'
    expect(await cellsOf(quoted, 'tsv')).toEqual(['Line', 'a', 'b', '2', '1', 'x\ny', '4', '2', 'z'])
    expect((await table(quoted, 'tsv')).facts.problem).toBeUndefined()
  })

  test('is refused for too many columns, and for no rows', async () => {
    const wide = `${'a,'.repeat(301)}\n`
    const { text, facts } = await table(wide)
    expect(facts.refused?.why).toContain('300 columns')
    expect(text).toBe(wide)
    expect((await table('\n\n')).facts.refused?.why).toContain('no rows')
  })

  test('marks invisible characters', async () => {
    expect((await table('a\u202eb\n')).html).toContain('data-x=RLO')
  })
})
