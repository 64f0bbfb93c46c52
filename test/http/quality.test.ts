import { describe, expect, test } from 'bun:test'
import { codingOf, isBrowser, mostWanted, preferredForm, qualitiesOf } from '../../src/http/negotiate.ts'

const request = (headers: Record<string, string>) => new Request('http://nas/', { headers })

describe('a list of qualities', () => {
  test.each([
    ['a', { a: 1 }],
    ['a, b;q=0.5', { a: 1, b: 0.5 }],
    [' A ; Q=0.25 ,b;q=1.000', { a: 0.25, b: 1 }],
    ['a;level=1;q=0', { a: 0 }],
    ['a;q=0.', { a: 0 }],
    ['a;q=2, b;q=-1, c;q=, d;q=x, e;q=1.5', { a: 1, b: 1, c: 1, d: 1, e: 1 }],
  ])('%s is %j', (header, qualities) => {
    expect(Object.fromEntries(qualitiesOf(header))).toEqual(qualities)
  })

  test('is read no further than 1,000 characters, and to the last whole item', () => {
    const names = Array.from({ length: 2000 }, (_, at) => `type-${1000 + at};q=0.5`)
    const read = qualitiesOf(names.join(','))
    expect(read.size).toBeWithin(60, 80)
    expect(new Set(read.values())).toEqual(new Set([0.5]))
  })

  test('wants most the first of those that it wants alike, and none that it refuses', () => {
    const wanted = (header: string) => mostWanted(['a', 'b', 'c'], qualitiesOf(header))
    expect(wanted('c, b, a')).toBe('a')
    expect(wanted('c, b, a;q=0.9')).toBe('b')
    expect(wanted('c;q=0.1, a;q=0')).toBe('c')
    expect(wanted('a;q=0, d')).toBeUndefined()
  })
})

describe('a coding', () => {
  test.each([
    ['gzip;q=1, zstd;q=0.1', 'gzip'],
    ['gzip, zstd', 'zstd'],
    ['gzip;q=0.5, zstd;q=0.5', 'zstd'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0', 'identity'],
    ['', 'identity'],
  ] as const)('of "%s" is %s', (header, coding) => {
    expect(codingOf(request({ 'Accept-Encoding': header }))).toBe(coding)
  })
})

describe('a form of a paste', () => {
  test.each([
    ['application/json, text/html;q=0.5', 'json'],
    ['text/html;q=0.5, application/json;q=0.4', 'page'],
    ['text/plain, application/json, text/html', 'page'],
    ['text/plain, application/json', 'json'],
    ['text/html;q=0', 'json'],
    ['text/html;q=0, */*', 'json'],
    ['text/html;q=0, application/json;q=0', 'raw'],
    ['text/html;q=0, application/json;q=0, text/plain;q=0', 'raw'],
    ['text/html;q=0, text/plain;q=0.1', 'raw'],
    ['TEXT/HTML', 'page'],
    ['text/htmlx, application/json', 'json'],
    ['*/*', 'page'],
    ['', 'page'],
  ] as const)('of "%s" is %s', (header, form) => {
    expect(preferredForm(request({ Accept: header }))).toBe(form)
  })

  test('is a page for a browser by whoever names pages and does not refuse them', () => {
    const browsers = ['text/html', 'application/json, text/html;q=0.5'].map((Accept) =>
      isBrowser(request({ Accept })),
    )
    expect(browsers).toEqual([true, true])
    expect(['text/html;q=0', '*/*', 'text/*'].map((Accept) => isBrowser(request({ Accept })))).toEqual([
      false,
      false,
      false,
    ])
  })
})
