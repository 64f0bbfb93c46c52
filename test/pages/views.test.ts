import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { targetParts } from '../../src/format.ts'
import { DeletionEndPage, DeletionPage } from '../../views/deletion-page.tsx'
import { ErrorPage } from '../../views/error-page.tsx'
import { ItemsPage } from '../../views/items-page.tsx'
import { LimitedPage } from '../../views/limited-page.tsx'
import { LinkPage } from '../../views/link-page.tsx'
import { PastePage } from '../../views/paste-page.tsx'
import { comparedWithHarmless, dates, hostile, menu, open, site } from '../support/views.ts'

const wordsOf = (text: string) => ({
  ...{ language: `${text}1`, lines: `${text}2`, size: `${text}3` },
  ...menu,
})
/** What the routes make of a title and a description; that what nobody sees is marked has its own tests. */
const titled = (title: string, description: string) => ({
  ...{ title, titleHtml: Html.escapeHtml(title) },
  ...{ description, descriptionHtml: Html.escapeHtml(description) },
})

const item = { ...dates, path: 'pastes/a', url: 'http://nas/p/a', uses: '1 read' }
const totals = { pastes: 1, links: 0 }

/** Each view with a text in every place that somebody else may fill. */
const views: Readonly<Record<string, (text: string) => unknown>> = {
  'the error page': (text) =>
    ErrorPage({
      site,
      status: 404,
      reason: text,
      message: `${text}2`,
      advice: `${text}3`,
      ways: [{ word: text, path: '' }],
    }),
  'the page of a link': (text) =>
    LinkPage({
      site,
      name: 'a',
      url: `https://nas/?a=${text}`,
      host: text,
      ...dates,
      createdAtText: text,
      visits: text,
    }),
  'the page that asks before it deletes': (text) =>
    DeletionPage({ site, kind: 'short link', name: text, target: text, facts: [text], ...dates }),
  'the page after a deletion': (text) =>
    DeletionEndPage({ site, kind: 'paste', heading: text, message: `${text}2` }),
  'the page of a paste': (text) =>
    PastePage({
      ...{ site, name: 'abcdefghjk', fileName: text, ...titled(text, text), codeHtml: '' },
      ...{ ...dates, ...menu, createdAtText: text, ...wordsOf(text) },
    }),
  'the page of a paste that was read for the last time': (text) =>
    PastePage({
      ...{ site, name: 'abcdefghjk', fileName: text, ...titled(text, text), codeHtml: '' },
      ...{ ...dates, ...menu, ...wordsOf(text), readsLeft: 0 },
    }),
  'the list of what a key made': (text) =>
    ItemsPage({
      ...{
        site,
        owner: text,
        typed: { q: text },
        links: { items: [], after: 'b', isComplete: false, totals },
      },
      pastes: {
        items: [{ ...item, name: text, about: text, owner: text, size: text }],
        totals,
      },
    }),
  'the list of a search that found nothing': (text) =>
    ItemsPage({
      ...{
        site,
        owner: 'ann',
        typed: { q: text },
        pastes: { items: [], totals },
        links: { items: [], totals },
      },
    }),
  'the page before a burn-after-reading item': (text) =>
    LimitedPage({ site, kind: 'short link', left: 1, action: text }),
}

describe.each(Object.keys(views))('%s', (name) => {
  test.each(hostile)('shows %j as text only', (text) => {
    const { own, expected } = comparedWithHarmless(views[name] as (text: string) => unknown, text)
    expect(own).toEqual(expected)
  })
})

describe('the page of a burn-after-reading paste that was read', () => {
  const view = (readsLeft: number, title = 'a') =>
    open(
      PastePage({
        site,
        name: 'abcdefghjk',
        ...titled(title, 'b'),
        language: 'c',
        ...menu,
        size: 'd',
        lines: 'e',
        ...dates,
        ...menu,
        codeHtml: '',
        fileName: 'f',
        readsLeft,
      }),
    )

  test('has no preview card and no address of another form', () => {
    const { shape } = view(1)
    expect(shape.filter((element) => /og:|p\/raw|\[name=lang\]/.test(element))).toEqual([])
    expect(shape.filter((element) => element === 'kbd')).toHaveLength(6)
  })

  test.each([
    [0, 'This was the last read.'],
    [1, '1 read is left'],
    [2, '2 reads are left'],
    [999_999, '999,999 reads are left'],
  ])('says what %i left means', (readsLeft, says) => {
    const notice = view(readsLeft).elements.find(({ attributes }) => attributes.class === 'notice')
    expect(notice?.text).toContain(says)
  })
})

describe('the page of a paste that is cut', () => {
  const view = (cut: { shown: number; total: number; isPartial: boolean }) =>
    open(
      PastePage({
        ...{ site, ...dates, name: 'abcdefghjk', ...titled('a', 'b'), language: 'c' },
        ...{ size: 'd', lines: 'e', codeHtml: '', fileName: 'f', cut, ...menu },
      }),
    )
  const noticeOf = (shown: number, total: number, isPartial = false) =>
    view({ shown, total, isPartial }).elements.find(({ attributes }) => attributes.id === 'cut')?.text

  test('says how much of it is shown, and that the raw text has the rest', () => {
    const all = 'The raw text has all of them.'
    expect(noticeOf(12_345, 1_000_000)).toBe(`The first 12,345 of 1,000,000 lines are shown. ${all}`)
    expect(noticeOf(1, 2)).toBe(`The first of 2 lines is shown. ${all}`)
    expect(noticeOf(3, 4, true)).toBe(
      `The first 3 of 4 lines are shown, the last of them only in part. ${all}`,
    )
    expect(noticeOf(1, 1, true)).toBe(
      'Only the beginning of the first line is shown. The raw text has all of it.',
    )
  })

  test('says so before everything else, with a link to the raw text, and has no button that copies a part', () => {
    const { shape } = view({ shown: 1, total: 2, isPartial: false })
    const at = shape.indexOf('p[class=notice][id=cut]')
    expect(shape.slice(at + 1, at + 4)).toEqual(['strong', 'a[href=../p/raw/abcdefghjk]', 'div[class=about]'])
    expect(shape.filter((one) => one.includes('[id=copy]'))).toEqual([])
    expect(shape.filter((one) => one === 'kbd')).toHaveLength(11)
  })
})

describe('the notice of what a view shows as it is', () => {
  test('speaks of some lines, unless the view has a title of its own', () => {
    const noticeOf = (problem: { title?: string; why: string; line?: number }) =>
      open(
        PastePage({
          ...{ site, ...dates, name: 'abcdefghjk', ...titled('a', ''), language: 'CSV' },
          ...{ size: '1 B', lines: '1 line', codeHtml: '', fileName: 'a', problem, ...menu },
        }),
      )
        .elements.find(({ attributes }) => attributes.id === 'problem')
        ?.text.trim()
    expect(noticeOf({ why: 'Why.' })).toBe('Some lines are shown as they are. Why.')
    const title = 'Quotes are shown as text.'
    expect(noticeOf({ title, why: 'Why.', line: 2 })).toBe(`${title} Why. Go to line 2`)
  })
})

test('a page without a name and a footer of its own is the same, byte for byte', () => {
  const footer = { before: 'Ada', after: '' }
  const page = (own: object) =>
    String(
      ErrorPage({
        ...{ site: { ...site, ...own }, status: 404, reason: 'Not found', message: '', advice: '', ways: [] },
      }),
    )
  expect(page({ footer: undefined })).toBe(page({}))
  expect(page({})).not.toContain('<footer')
  const named = page({ name: 'Lab', footer }).replace(/<footer class="own-footer">.*<\/footer>/s, '')
  expect(named.replaceAll('Lab', 'Shortcrust')).toBe(page({}))
})

test.each([
  ['https://example.org/team/handbook/printers', 'example.org/team/handbook', '/printers'],
  ['https://example.org/calendar?week=48', 'example.org/calendar', '?week=48'],
  ['https://example.org/a/', 'example.org', '/a/'],
  ['https://example.org/', '', 'example.org'],
  ['http://nas/wiki', 'http://nas', '/wiki'],
  ['https://example.org/a-segment-of-many-letters', 'example.org/a-segment', '-of-many-letters'],
])('the target %s is cut before the end that tells it apart', (url, head, tail) => {
  expect(targetParts(url)).toEqual([head, tail])
})
