import { describe, expect, test } from 'bun:test'
import { DeletedPage, DeletionPage } from '../views/deletion-page.tsx'
import { ErrorPage } from '../views/error-page.tsx'
import { LimitedPage } from '../views/limited-page.tsx'
import { LinkPage } from '../views/link-page.tsx'
import { PastePage } from '../views/paste-page.tsx'
import { plainHtml } from './support/highlighting.ts'
import { asParsed, asTitle, dates, ending, frame, hostile, open, site, time } from './support/views.ts'

/** Every page but that of a paste and the start page. */
const plain = (...shapes: string[]) => [...frame('plain-e.js'), ...shapes, ...ending(2)]
/** What stands between the frame and the list of shortcuts. */
const mainOf = (texts: readonly string[], shapes: readonly string[]) =>
  texts.slice(shapes.indexOf('main') + 1, shapes.indexOf('p[id=status][role=status]'))

describe.each(hostile)('%j', (text) => {
  test('is only text on the error page', () => {
    const view = ErrorPage({ site, status: 404, reason: text, message: `${text}2`, advice: `${text}3` })
    const { shape, title, texts } = open(view)
    const card = ['section[class=card narrow]', 'p[class=status]', 'h1', 'p', 'p[class=quiet]', 'p']
    expect(shape).toEqual(plain(...card, 'a[class=button][href=../]'))
    expect(title).toBe(asTitle(`404 ${text} · Shortcrust`))
    expect(mainOf(texts, shape).slice(2, 5)).toEqual([text, `${text}2`, `${text}3`].map(asParsed))
  })

  test('is only text on the page of a link, and the link leads where it says', () => {
    const url = `https://nas/?a=${text}`
    const { shape, title, texts } = open(
      LinkPage({ site, url, host: text, ...dates, createdAtText: text, visits: text }),
    )
    const href = url.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
    const link = `a[href=${href}][rel=noopener noreferrer nofollow]`
    const card = [
      'section[class=card narrow]',
      'h1',
      'p[class=target]',
      link,
      'p[class=quiet]',
      'strong',
      time,
      'span',
    ]
    expect(shape).toEqual(plain(...card))
    expect(title).toBe(asTitle(`Short link to ${text} · Shortcrust`))
    const [address, , host, created, visits] = mainOf(texts, shape).slice(3)
    expect([address, host, created, visits]).toEqual([url, text, text, text].map(asParsed))
  })

  test('is only text on the page that asks before it deletes', () => {
    const { shape, title, texts } = open(DeletionPage({ site, kind: text, name: `${text}2`, ...dates }))
    const card = ['section[class=card narrow]', 'h1', 'span', 'p[class=target]', 'p[class=quiet]', time]
    expect(shape).toEqual(plain(...card, 'form[method=post]', 'button[class=button danger][type=submit]'))
    expect(title).toBe(asTitle(`Delete this ${text}? · Shortcrust`))
    expect(mainOf(texts, shape).slice(2, 4)).toEqual([asParsed(text), asParsed(`${text}2`)])
  })

  test('is only text on the page that says what was deleted', () => {
    const { shape, texts } = open(DeletedPage({ site, message: text }))
    expect(shape).toEqual(plain('section[class=card narrow]', 'h1', 'p'))
    expect(mainOf(texts, shape).at(-1)).toBe(asParsed(text))
  })

  test('is only text on the page of a paste', () => {
    const paste = { name: 'abcdefghjk', fileName: text, ...dates, createdAtText: text }
    const facts = { language: `${text}1`, lines: `${text}2`, size: `${text}3` }
    const codeHtml = plainHtml(text)
    const { shape, title, elements } = open(
      PastePage({ site, ...paste, title: text, description: text, ...facts, codeHtml }),
    )
    const attribute = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
    const cardShapes = ['title', 'description'].map(
      (name) => `meta[property=og:${name}][content=${attribute}]`,
    )
    const raw = 'href=../p/raw/abcdefghjk'
    const lines = [...codeHtml.matchAll(/<li id=(L\d+)>/g)].map(([, id]) => `li[id=${id}]`)
    expect(shape).toEqual([
      ...frame('paste-f.js', cardShapes),
      'div[class=heading]',
      'h1',
      'nav[class=actions][aria-label=This paste]',
      'button[class=button][id=copy][type=button][data-js=][hidden=]',
      `a[class=button][id=raw][${raw}]`,
      `a[class=button][id=download][${raw}][download=${attribute}]`,
      'button[class=button][id=wrap][type=button][aria-pressed=false][data-js=][hidden=]',
      'details[class=menu]',
      'summary[class=button]',
      'form[class=row]',
      'label',
      'input[name=lang][autocapitalize=none][autocomplete=off][spellcheck=false][required=]',
      'button[class=button][type=submit]',
      'p[class=description]',
      'ul[class=facts][aria-label=Facts]',
      'li',
      'li',
      'li',
      'li',
      time,
      'section[class=code][id=code][tabindex=0][aria-label=Content of the paste]',
      'ol[start=1]',
      ...lines,
      ...ending(6),
    ])
    expect(title).toBe(asTitle(`${text} · Shortcrust`))
    const shown = (name: string, has = '') =>
      elements
        .filter((element) => element.name === name && (has === '' || has in element.attributes))
        .map((element) => element.text)
    expect(shown('h1')).toEqual([asParsed(text)])
    expect(shown('p', 'class')).toEqual([asParsed(text)])
    expect(shown('li').slice(0, 4)).toEqual([`${text}1`, `${text}2`, `${text}3`, text].map(asParsed))
    expect(shown('section')).toEqual([text.replaceAll('\0', '␀')])
  })
})

describe.each(hostile)('%j in an attribute', (text) => {
  const namesOf = (view: unknown) =>
    open(view).elements.map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(' '))
  const namesIn = (value: string) => {
    const own = {
      site: {
        root: value,
        styles: [value],
        icon: value,
        scripts: { theme: value, plain: value, paste: value, home: value },
      },
      createdAt: value,
      createdAtText: 'now',
    }
    const words = { title: 'a', description: 'b', language: 'c', size: 'd', lines: 'e', codeHtml: '' }
    return [
      namesOf(PastePage({ ...own, ...words, name: value, fileName: value })),
      namesOf(LinkPage({ ...own, url: value, host: 'nas', visits: 'Never followed' })),
      namesOf(DeletionPage({ ...own, kind: 'paste', name: 'a' })),
      namesOf(ErrorPage({ ...own, status: 404, reason: 'a', message: 'b', advice: 'c' })),
      namesOf(LimitedPage({ ...own, kind: 'short link', left: 1, action: value })),
    ]
  }

  test('adds no element and no attribute', () => {
    expect(namesIn(text)).toEqual(namesIn('harmless'))
  })
})

describe('the page of a limited paste that was read', () => {
  const view = (readsLeft: number, title = 'a') =>
    open(
      PastePage({
        site,
        name: 'abcdefghjk',
        title,
        description: 'b',
        language: 'c',
        size: 'd',
        lines: 'e',
        ...dates,
        codeHtml: '',
        fileName: 'f',
        readsLeft,
      }),
    )

  test('has no preview card and no address of another form', () => {
    const { shape } = view(1)
    expect(shape.filter((element) => /og:|p\/raw|\[name=lang\]/.test(element))).toEqual([])
    expect(shape.slice(0, frame('paste-f.js').length)).toEqual(frame('paste-f.js'))
    expect(shape.filter((element) => element === 'kbd')).toHaveLength(4)
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

  test.each(hostile)('keeps %j text', (text) => {
    const names = (title: string) => view(0, title).elements.map(({ name }) => name)
    expect(names(text)).toEqual(names('a'))
  })
})

describe('the page of a paste that is cut', () => {
  const view = (cut: { shown: number; total: number; isPartial: boolean }) =>
    open(
      PastePage({
        ...{ site, ...dates, name: 'abcdefghjk', title: 'a', description: 'b', language: 'c' },
        ...{ size: 'd', lines: 'e', codeHtml: '', fileName: 'f', cut },
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
    expect(shape.slice(at + 1, at + 4)).toEqual([
      'strong',
      'a[href=../p/raw/abcdefghjk]',
      'p[class=description]',
    ])
    expect(shape.filter((one) => one.includes('[id=copy]'))).toEqual([])
    expect(shape.filter((one) => one === 'kbd')).toHaveLength(5)
  })
})
