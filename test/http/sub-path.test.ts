import { describe, expect, test } from 'bun:test'
import { createPlaces, createRouteList, prefixesOf } from '../../src/http/routes.ts'

const routes = createRouteList(
  [
    'GET /',
    'POST /',
    'POST /paste',
    'ALL /paste',
    'POST /shortener',
    'GET /paste/delete',
    'POST /paste/delete',
    'ALL /paste/delete',
    'GET /p/:id',
    'ALL /p/:id',
    'GET /p/raw/:id',
    'GET /s/:id',
    'GET /qr/p/:id',
    'GET /assets/:name',
    'GET /healthz',
    'ALL /:name',
    'ALL /*',
  ].map((line) => {
    const [method = '', path = ''] = line.split(' ')
    return { method, path }
  }),
)

describe('the table of routes', () => {
  test.each([
    ['GET', '/', '/'],
    ['HEAD', '/p/abc', '/p/:id'],
    ['GET', '/p/raw', '/p/:id'],
    ['GET', '/p/raw/abc', '/p/raw/:id'],
    ['POST', '/paste/', '/paste'],
    ['GET', '/healthz/', '/healthz'],
    ['PUT', '/name.py', '/:name'],
  ])('finds what answers %s %s', (method, pathname, template) => {
    expect(routes.find(method, pathname)).toBe(template)
  })

  test.each(['/p/a/b', '/a/b/c', '//', ''])('finds nothing that answers GET %s', (pathname) => {
    expect(routes.find('GET', pathname)).toBeUndefined()
  })

  test('finds a route whatever the method, but never the one of all other paths', () => {
    expect(routes.findAny('/paste')).toBe('/paste')
    expect(routes.findAny('/p/raw')).toBe('/p/:id')
    expect(routes.findAny('/nothing/at/all')).toBeUndefined()
  })
})

describe('the prefixes', () => {
  test('are the paths of both addresses, longest first, without those that have none', () => {
    expect(prefixesOf('http://a/x/', 'http://a/x/api')).toEqual(['/x/api', '/x'])
    expect(prefixesOf('http://a/x', 'https://b/x/')).toEqual(['/x'])
    expect(prefixesOf('http://a', undefined)).toEqual([])
  })
})

/** What each request stands for under a prefix: [method, path as it came, path of ours]. */
const places: Record<string, [string, string, string][]> = {
  '/paste': [
    ['GET', '/paste/', '/'],
    ['POST', '/paste/', '/'],
    ['POST', '/paste', '/paste'],
    ['GET', '/paste', '/paste'],
    ['POST', '/paste/paste', '/paste'],
    ['GET', '/paste/paste', '/paste'],
    ['POST', '/paste/delete', '/paste/delete'],
    ['PUT', '/paste/name.py', '/name.py'],
    ['GET', '/paste/abc', '/abc'],
    ['POST', '/paste/paste/delete', '/paste/delete'],
    ['GET', '/paste/p/abc', '/p/abc'],
    ['GET', '/paste/p/raw/abc', '/p/raw/abc'],
    ['GET', '/paste/nothing/at/all', '/nothing/at/all'],
    ['GET', '/pastefoo', '/pastefoo'],
    ['GET', '/p/abc', '/p/abc'],
    ['GET', '/', '/'],
  ],
  '/p': [
    ['GET', '/p/', '/'],
    ['GET', '/p/abc', '/p/abc'],
    ['GET', '/p/p/abc', '/p/abc'],
    ['GET', '/p/p/raw/abc', '/p/raw/abc'],
    ['GET', '/p/raw/abc', '/p/raw/abc'],
    ['GET', '/p/s/abc', '/s/abc'],
    ['GET', '/p/qr/p/abc', '/qr/p/abc'],
    ['POST', '/p/paste', '/paste'],
    ['GET', '/p/paste', '/paste'],
    ['PUT', '/p/name.py', '/name.py'],
    ['GET', '/p/healthz', '/healthz'],
    ['GET', '/paste', '/paste'],
  ],
  '/s': [
    ['GET', '/s/', '/'],
    ['GET', '/s/abc', '/s/abc'],
    ['GET', '/s/s/abc+', '/s/abc+'],
    ['GET', '/s/p/abc', '/p/abc'],
    ['GET', '/shortener', '/shortener'],
  ],
  '/a/b': [
    ['GET', '/a/b/', '/'],
    ['POST', '/a/b', '/'],
    ['GET', '/a/b/p/abc', '/p/abc'],
    ['GET', '/a/b//p/abc', '//p/abc'],
    ['GET', '/a/bc/p/abc', '/a/bc/p/abc'],
    ['GET', '/a/', '/a/'],
  ],
  '/a.b+(c)$': [
    ['GET', '/a.b+(c)$/p/abc', '/p/abc'],
    ['GET', '/axb/p/abc', '/axb/p/abc'],
  ],
}

describe.each(Object.entries(places))('under %s', (prefix, cases) => {
  test.each(cases)('%s %s is %s', (method, pathname, place) => {
    expect(createPlaces([prefix], routes)(method, pathname)).toEqual({ pathname: place })
  })
})

test('a reader at the prefix without its slash is sent on, because links of the page begin at the slash', () => {
  expect(createPlaces(['/a/b'], routes)('GET', '/a/b')).toEqual({ redirect: '/a/b/' })
  expect(createPlaces(['/s'], routes)('HEAD', '/s')).toEqual({ redirect: '/s/' })
})

test('of two prefixes the longer one is tried first, and only one is taken off', () => {
  const placeOf = createPlaces(['/x/api', '/x'], routes)
  expect(placeOf('POST', '/x/api/paste')).toEqual({ pathname: '/paste' })
  expect(placeOf('GET', '/x/p/abc')).toEqual({ pathname: '/p/abc' })
  expect(placeOf('GET', '/x/x/p/abc')).toEqual({ pathname: '/x/p/abc' })
})
