import { describe, expect, test } from 'bun:test'
import { renderComparison } from '../../src/highlight/compare/rows.ts'
import type { Highlighting } from '../../src/highlight/highlighter.ts'
import type { Job } from '../../src/highlight/lines.ts'
import { createPools } from '../../src/http/memory.ts'
import type { StoredPaste } from '../../src/items/paste.ts'
import { createDiffAnswers } from '../../src/routes/diff/answer-diff.ts'
import { browser } from '../support/expectations.ts'
import { siteAt } from '../support/site.ts'

const stored = (id: string, text: string, language = 'text'): StoredPaste => ({
  ...{ id, createdAt: 0, owner: 'laptop', deletionHash: '' },
  ...{ text, title: id, description: '', language },
})

const rendered = ({ text, compare }: Job): Highlighting => {
  if (!compare) throw new Error('nothing is compared')
  return { lines: renderComparison(text, compare), isFailed: false }
}

/** Answers about two pastes, `a` and `b`, with a child that each test plays. */
const answersWith = (highlight: (job: Job) => Promise<Highlighting>) => {
  const all = [stored('a', 'one\n'), stored('b', 'two\n'), stored('c', 'let\n', 'javascript')]
  const pastes = new Map(all.map((paste) => [paste.id, paste]))
  const { answerDiff } = createDiffAnswers({
    pastes: {
      peek: (name) => pastes.get(name),
      find: (name) => Promise.reject(new Error(name)),
      isBurning: () => false,
    },
    pools: createPools(),
    program: 'shortcrust of a test',
    siteAt,
    highlighter: { isHighlightable: () => true, highlight, prepare: () => {}, close: () => {} },
  })
  return (headers: Record<string, string> = browser, other = 'b', init = {}) =>
    answerDiff('a', new Request(`http://nas/diff/a/${other}`, { headers, ...init }), other)
}

const textOf = async (response: Response | Promise<Response>) => (await response).text()

describe('a comparison', () => {
  test('is made once for all who ask, and a kept one is sent in the same turn', async () => {
    let jobs = 0
    const ask = answersWith(async (job) => {
      jobs++
      return rendered(job)
    })
    const pages = await Promise.all(Array.from({ length: 10 }, () => textOf(ask())))
    expect(new Set(pages).size).toBe(1)
    expect(jobs).toBe(1)
    const kept = ask()
    expect(kept).toBeInstanceOf(Response)
    const etag = (kept as Response).headers.get('ETag') ?? ''
    expect((ask({ ...browser, 'If-None-Match': etag }) as Response).status).toBe(304)
    await textOf(ask({}))
    expect(ask({})).toBeInstanceOf(Response)
    expect(jobs).toBe(2)
  })

  test('is not made for a HEAD of a page, nor for a client that has it', async () => {
    const ask = answersWith(() => Promise.reject(new Error('it was made')))
    const head = await ask(browser, 'b', { method: 'HEAD' })
    const etag = head.headers.get('ETag') ?? ''
    expect(head.status).toBe(200)
    expect((await ask({ ...browser, 'If-None-Match': etag })).status).toBe(304)
  })

  test('that takes too long says so without an entity tag, and is kept when it is done', async () => {
    const { promise: later, resolve } = Promise.withResolvers<Highlighting>()
    let job: Job | undefined
    const ask = answersWith(async (asked) => {
      job = asked
      return { lines: undefined, isFailed: false, later }
    })
    const first = await ask()
    expect(first.headers.has('ETag')).toBe(false)
    expect(await first.text()).toContain('took too long')
    expect(await textOf(ask())).toContain('took too long')
    resolve(rendered(job as Job))
    await later
    let page = ''
    while (!page.includes('<ins')) page = await textOf(ask())
    expect(page).toContain('<del data-a=1>')
  })

  test('has no entity tag while its colours are late, and has both later', async () => {
    const { promise: later, resolve } = Promise.withResolvers<Highlighting>()
    const ask = answersWith(async (job) => {
      const { lines } = rendered(job)
      return { lines: lines && { ...lines, isEarly: true }, isFailed: false, later }
    })
    for (const _ of ['first', 'second']) {
      const page = await ask(browser, 'c')
      expect([page.headers.has('ETag'), await page.text()]).toEqual([false, expect.stringContaining('let')])
    }
    resolve({ lines: renderComparison('', { text: 'colours', as: 'unified' }), isFailed: false })
    let page = await ask(browser, 'c')
    while (!page.headers.has('ETag')) page = await ask(browser, 'c')
    expect(await page.text()).toContain('colours')
  })

  test('that failed is not tried again at once, and is 503 for a program', async () => {
    let jobs = 0
    const ask = answersWith(async () => {
      jobs++
      return { lines: undefined, isFailed: true }
    })
    expect(await textOf(ask())).toContain('in a minute')
    expect(await textOf(ask())).toContain('in a minute')
    expect(jobs).toBe(1)
    await expect(Promise.resolve(ask({}))).rejects.toMatchObject({ kind: 'overloaded' })
  })
})
