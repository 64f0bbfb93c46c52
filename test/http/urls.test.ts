import { describe, expect, test } from 'bun:test'
import { createAddresses, relativeRoot } from '../../src/http/origin.ts'

const site = 'https://p.example/sub'
const api = 'http://nas:8080'
const request = 'http://10.0.0.5:8080'
const addresses = createAddresses(site, api, request)

describe('a short link of this service', () => {
  test.each([
    'https://p.example/sub/s/abc',
    'https://p.example:443/sub/s/abc',
    'http://p.example/sub/s/abc',
    'https://P.EXAMPLE/sub/s/abc+',
    'https://p.example/sub/x/../s/abc',
    'https://p.example/sub/s/abc?a#b',
    'http://10.0.0.5:8080/s/abc',
    'http://nas:8080/s/abc',
    'http://me@10.0.0.5:8080/s/abc',
    // The root of the DNS written out.
    'https://p.example./sub/s/abc',
    'http://nas.:8080/s/abc',
    // The server takes its prefix off also where a proxy has done so, or where there is none.
    'http://10.0.0.5:8080/sub/s/abc',
    'https://p.example/sub/sub/s/abc',
    'https://p.example/sub/sub/sub/s/abc',
  ])('is recognised as %s', (url) => {
    expect(addresses.isOwnLink(new URL(url))).toBe(true)
  })

  test.each([
    'https://p.example/s/abc',
    'https://p.example/sub/p/abc',
    'https://p.example/sub/sx/abc',
    'https://q.example/sub/s/abc',
    'http://10.0.0.5/s/abc',
    'http://10.0.0.5:8080/other/s/abc',
    'http://10.0.0.5:8080/?/s/abc',
  ])('is not %s', (url) => {
    expect(addresses.isOwnLink(new URL(url))).toBe(false)
  })
})

describe('the relative root', () => {
  test.each(['/', '/paste', '/p/abc', '/p/raw/abc', '/paste/', '/a/b/c/d/'])(
    'of %s leads to the top',
    (path) => {
      const root = relativeRoot(path)
      expect(root).toMatch(/^(\.\/|(\.\.\/)+)$/)
      expect(new URL(root, `http://nas${path}`).pathname).toBe('/')
      expect(new URL(root, `http://nas/sub${path}`).pathname).toBe('/sub/')
    },
  )
})
