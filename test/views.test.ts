import { describe, expect, test } from 'bun:test'
import { renderPlain } from '../src/highlight/render.ts'
import { DeletedPage, DeletionPage } from '../views/deletion-page.tsx'
import { ErrorPage } from '../views/error-page.tsx'
import { HomePage } from '../views/home-page.tsx'
import { LinkPage } from '../views/link-page.tsx'
import { PastePage } from '../views/paste-page.tsx'
import { asParsed, asTitle, dates, frame, hostile, open, site, time } from './support/views.ts'

describe.each(hostile)('%j', (text) => {
  test('is only text on the start page', () => {
    const { shape, elements } = open(HomePage({ site, pasteCommand: text, linkCommand: `${text}2` }))
    expect(shape).toEqual([
      ...frame,
      'section[class=card]',
      'h1',
      'p',
      'h2',
      'pre[class=command][tabindex=0]',
      'code',
      'h2',
      'pre[class=command][tabindex=0]',
      'code',
    ])
    const commands = elements.filter(({ name }) => name === 'code')
    expect(commands.map((command) => command.text)).toEqual([asParsed(text), asParsed(`${text}2`)])
  })

  test('is only text on the error page', () => {
    const { shape, title, texts } = open(ErrorPage({ site, status: 404, reason: text, message: `${text}2` }))
    expect(shape).toEqual([...frame, 'section[class=card]', 'p[class=status]', 'h1', 'p', 'p', 'a[href=../]'])
    expect(title).toBe(asTitle(`404 ${text} · Shortcrust`))
    expect(texts.slice(-4, -2)).toEqual([asParsed(text), asParsed(`${text}2`)])
  })

  test('is only text on the page of a link, and the link leads where it says', () => {
    const url = `https://nas/?a=${text}`
    const { shape, title, elements } = open(
      LinkPage({ site, url, host: text, ...dates, createdAtText: text }),
    )
    const href = url.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')
    expect(shape).toEqual([
      ...frame,
      'section[class=card]',
      'h1',
      'p[class=target]',
      `a[href=${href}][rel=noopener noreferrer nofollow]`,
      'p[class=quiet]',
      'strong',
      time,
    ])
    expect(title).toBe(asTitle(`Short link to ${text} · Shortcrust`))
    const [link, , host, created] = elements.slice(-4)
    expect(link?.text).toBe(asParsed(url))
    expect([host?.text, created?.text]).toEqual([asParsed(text), asParsed(text)])
  })

  test('is only text on the page that asks before it deletes', () => {
    const { shape, title, elements } = open(DeletionPage({ site, kind: text, name: `${text}2`, ...dates }))
    expect(shape).toEqual([
      ...frame,
      'section[class=card]',
      'h1',
      'span',
      'p[class=target]',
      'p[class=quiet]',
      time,
      'form[method=post]',
      'button[class=button danger][type=submit]',
    ])
    expect(title).toBe(asTitle(`Delete this ${text}? · Shortcrust`))
    expect(elements.slice(-6, -4).map((element) => element.text)).toEqual([
      asParsed(text),
      asParsed(`${text}2`),
    ])
  })

  test('is only text on the page that says what was deleted', () => {
    const { shape, texts } = open(DeletedPage({ site, message: text }))
    expect(shape).toEqual([...frame, 'section[class=card]', 'h1', 'p'])
    expect(texts.at(-1)).toBe(asParsed(text))
  })

  test('is only text on the page of a paste', () => {
    const paste = { id: 'abcdefghjk', fileName: 'abcdefghjk.txt', ...dates, createdAtText: text }
    const facts = { language: `${text}1`, lines: `${text}2`, size: `${text}3` }
    const codeHtml = renderPlain(text)
    const { shape, title, elements } = open(
      PastePage({ site, ...paste, title: text, description: text, ...facts, codeHtml }),
    )
    const lines = [...codeHtml.matchAll(/id="(L\d+)"/g)].map(([, id]) => `span[class=l][id=${id}]`)
    expect(shape).toEqual([
      ...frame,
      'div[class=heading]',
      'h1',
      'nav[class=actions][aria-label=This paste]',
      'a[class=button][href=../p/raw/abcdefghjk]',
      'a[class=button][href=../p/raw/abcdefghjk][download=abcdefghjk.txt]',
      'p[class=description]',
      'ul[class=facts][aria-label=Facts]',
      'li',
      'li',
      'li',
      'li',
      time,
      'section[class=code][tabindex=0][aria-label=Content of the paste]',
      'pre',
      'code',
      ...lines,
    ])
    expect(title).toBe(asTitle(`${text} · Shortcrust`))
    const shown = (name: string) =>
      elements.filter((element) => element.name === name).map((element) => element.text)
    expect(shown('h1')).toEqual([asParsed(text)])
    expect(shown('p')).toEqual([asParsed(text)])
    expect(shown('li')).toEqual([`${text}1`, `${text}2`, `${text}3`, text].map(asParsed))
    expect(shown('code')).toEqual([text.replaceAll('\0', '␀')])
  })
})

describe.each(hostile)('%j in an attribute', (text) => {
  const namesOf = (view: unknown) =>
    open(view).elements.map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(' '))
  const namesIn = (value: string) => {
    const own = {
      site: { root: value, styles: [value], icon: value },
      createdAt: value,
      createdAtText: 'now',
    }
    const words = { title: 'a', description: 'b', language: 'c', size: 'd', lines: 'e', codeHtml: '' }
    return [
      namesOf(PastePage({ ...own, ...words, id: value, fileName: value })),
      namesOf(LinkPage({ ...own, url: value, host: 'nas' })),
      namesOf(DeletionPage({ ...own, kind: 'paste', name: 'a' })),
      namesOf(ErrorPage({ ...own, status: 404, reason: 'a', message: 'b' })),
    ]
  }

  test('adds no element and no attribute', () => {
    expect(namesIn(text)).toEqual(namesIn('harmless'))
  })
})
