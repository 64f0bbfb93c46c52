import { describe, expect, test } from 'bun:test'
import { createRouteList } from '../../src/http/routes.ts'
import { aliasFor } from '../../src/services/options.ts'
import { appRoutes } from '../support/description.ts'

const routes = appRoutes()
const list = createRouteList(routes)

describe('the list of routes', () => {
  test('reserves what every path begins with: no item may be called so', () => {
    const firsts = routes
      .map(({ path }) => path.split('/')[1] ?? '')
      .filter((first) => /^[a-z0-9_-]+$/.test(first))
    expect(new Set(firsts).size).toBeGreaterThan(10)
    for (const first of firsts) {
      expect(list.isReserved(first)).toBe(true)
      expect(() => aliasFor(first), first).toThrow('reserved')
    }
    expect(list.isReserved('wiki')).toBe(false)
    expect(list.isReserved(':name')).toBe(false)
  })

  test('says of each path which methods it answers, in the order of its routes', () => {
    expect(list.at('/paste/delete')?.methods).toEqual(['POST', 'DELETE', 'GET', 'HEAD'])
    expect(list.at('/p/abc/')?.path).toBe('/p/:id')
    expect(list.at('/p/abc/more')).toBeUndefined()
  })

  test('says what only programs use: its errors are no pages', () => {
    const ofPrograms = [
      '/paste',
      '/shortener',
      '/documents',
      '/key',
      '/pastes',
      '/pastes/a',
      '/links',
      '/links/a',
    ]
    const known = [
      ...ofPrograms,
      '/',
      '/a',
      '/p/a',
      '/s/a',
      '/raw/a',
      '/documents/a',
      '/paste/delete',
      '/docs',
    ]
    expect(known.filter((path) => list.at(path)?.isApi)).toEqual(ofPrograms)
  })
})
