import { describe, expect, test } from 'bun:test'
import { AppError, type ErrorKind } from '../../src/errors.ts'
import { createErrorResponse } from '../../src/http/errors.ts'
import { browser } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { siteAt } from '../support/site.ts'

const answer = createErrorResponse(() => {}, '', siteAt)

const pageOf = async (kind: ErrorKind, path = '/p/zzzzzzzzzz') => {
  const response = answer(
    new AppError(kind, 'What went wrong'),
    new Request(`http://nas${path}`, { headers: browser }),
  )
  const elements = parsePage(await response.text())
  return {
    text: elements.find(({ name }) => name === 'main')?.text ?? '',
    /** Buttons that lead somewhere, by their words. */
    ways: Object.fromEntries(
      elements
        .filter(({ attributes: { class: words = '' } }) => words.split(' ').includes('button'))
        .map(({ text, attributes }) => [text, attributes.href]),
    ),
  }
}

const kinds = [
  'malformed',
  'unauthorized',
  'forbidden',
  'not-found',
  'method-not-allowed',
  'gone',
  'conflict',
  'too-large',
  'invalid',
  'rate-limited',
  'overloaded',
  'storage-full',
  'storage-unavailable',
  'damaged',
] as const

describe('an error page', () => {
  test.each(kinds)('of kind %s has a way to the form, from any depth', async (kind) => {
    expect((await pageOf(kind)).ways).toMatchObject({ 'New paste': '../' })
    expect((await pageOf(kind, '/a/b/c')).ways).toMatchObject({ 'New paste': '../../' })
  })

  test.each([
    ['not-found', 'Ids are easily mistyped', { 'New short link': '../?link', 'My items': '../?items' }],
    ['gone', 'It cannot be restored.', { 'New short link': '../?link' }],
    ['method-not-allowed', 'see the API documentation', { 'API documentation': '../docs' }],
    ['invalid', 'Change what is named above', { 'API documentation': '../docs' }],
    ['rate-limited', 'what you typed is still there', {}],
    ['overloaded', 'Wait a moment', {}],
  ] as const)('of kind %s says "%s", and where to go', async (kind, advice, ways) => {
    const page = await pageOf(kind)
    expect(page.text).toContain(advice)
    expect(page.ways).toMatchObject(ways)
  })
})
