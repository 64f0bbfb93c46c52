import { describe, expect, test } from 'bun:test'
import { ErrorPage } from '../../views/error-page.tsx'
import { comparedWithHarmless, hostile, open, site } from '../support/views.ts'

const facts = { status: 404, reason: 'Not found', message: '', advice: '', ways: [] }
const footerOf = (text: string) => ({
  before: text,
  link: { address: `https://example.org/?${text}`, words: text },
  after: text,
})

describe('a name and a footer', () => {
  test.each(hostile)('of %j are only text', (text) => {
    const page = (word: string) =>
      ErrorPage({ site: { ...site, name: word, footer: footerOf(word) }, ...facts })
    const { own, expected } = comparedWithHarmless(page, text)
    expect(own).toEqual(expected)
  })

  test('stand in the title, in the bar, and below the page', () => {
    const { title, elements } = open(
      ErrorPage({ site: { ...site, name: 'Lab & co.', footer: footerOf('Ada') }, ...facts }),
    )
    expect(title).toBe('404 Not found · Lab & co.')
    const brand = elements.find(({ attributes }) => attributes.class === 'brand')
    expect([brand?.text.trim(), brand?.attributes['aria-label']]).toEqual(['Lab & co.', 'Lab & co.'])
    const footer = elements.find(({ name }) => name === 'footer')
    expect(footer?.text.replace(/\s+/g, '')).toBe('AdaAdaAda')
  })

  test('are absent without: the page is the same, byte for byte', () => {
    const page = (own: object) => String(ErrorPage({ site: { ...site, ...own }, ...facts }))
    expect(page({ footer: undefined })).toBe(page({}))
    expect(page({})).not.toContain('<footer')
    const footer = /<footer class="own-footer">.*<\/footer>/s
    const named = page({ name: 'Lab', footer: footerOf('Ada') })
    expect(named.replace(footer, '').replaceAll('Lab', 'Shortcrust')).toBe(page({}))
  })
})
