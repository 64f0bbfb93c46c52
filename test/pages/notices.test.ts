import { describe, expect, test } from 'bun:test'
import { PastePage } from '../../views/paste-page.tsx'
import { parsePage } from '../support/html.ts'
import { dates, menu, site } from '../support/views.ts'

const why = 'Why.'

const noticeOf = async (problem: { title?: string; why: string; line?: number }) => {
  const html = await PastePage({
    ...{ site, name: 'abcdefghjk', fileName: 'a', title: 'a', titleHtml: 'a', description: '' },
    ...{ descriptionHtml: '', codeHtml: '', ...dates, ...menu, createdAtText: 'now' },
    ...{ language: 'CSV', lines: '1 line', size: '1 B', problem },
  })
  return parsePage(String(html))
    .find(({ attributes }) => attributes.id === 'problem')
    ?.text.trim()
}

describe('the notice of what a view shows as it is', () => {
  test('speaks of some lines, unless the view has a title of its own', async () => {
    expect(await noticeOf({ why })).toBe('Some lines are shown as they are. Why.')
    const title = 'Quotes are shown as text.'
    expect(await noticeOf({ title, why, line: 2 })).toBe(`${title} Why. Go to line 2`)
  })
})
