import { describe, expect, test } from 'bun:test'
import { browser } from '../support/expectations.ts'
import { storedPaste, withFakeHighlighter } from '../support/renderer.ts'

const held = (response: Response, headers: Record<string, string> = browser) => ({
  headers: { ...headers, 'If-None-Match': response.headers.get('ETag') ?? 'none' },
})
const head = { method: 'HEAD' }
const json = { headers: { Accept: 'application/json' } }

describe('a page of which only the headers are wanted, or which is known', () => {
  test('is not rendered', async () => {
    const { page, jobs } = withFakeHighlighter()
    const paste = storedPaste()
    const first = await page(paste, head)
    expect(first.status).toBe(200)
    expect(first.body).toBeNull()
    const again = await page(paste, held(first))
    expect([again.status, again.headers.get('ETag')]).toEqual([304, first.headers.get('ETag')])
    expect((await page(paste, { headers: { ...browser, 'If-None-Match': '*' } })).status).toBe(304)
    expect(jobs).toEqual([])
  })

  test('has the tag that the highlighted page then has, in each coding and language', async () => {
    const { page, job } = withFakeHighlighter()
    const paste = storedPaste()
    const tags = new Set<string | null>()
    for (const [at, query] of ['', '?lang=python'].entries())
      for (const coding of ['identity', 'gzip', 'zstd']) {
        const headers = { ...browser, 'Accept-Encoding': coding }
        const before = await page(paste, { ...head, headers }, query)
        const reading = page(paste, { headers }, query)
        if (coding === 'identity') (await job(at)).finish('<b>html</b>')
        const after = await reading
        expect(after.headers.get('ETag')).toMatch(/^"[\w-]+"$/)
        for (const name of ['ETag', 'Content-Encoding', 'Vary', 'Content-Type', 'Cache-Control'])
          expect(before.headers.get(name), `${query} ${coding} ${name}`).toBe(after.headers.get(name))
        tags.add(after.headers.get('ETag'))
      }
    expect(tags.size).toBe(6)
  })

  test('counts as read where it is known, and not where only its headers are wanted', async () => {
    const { page, reads } = withFakeHighlighter()
    const paste = storedPaste()
    const first = await page(paste, head)
    expect(reads).toEqual([])
    await page(paste, held(first))
    expect(reads).toEqual([paste.id])
  })
})

describe('the tag of a page', () => {
  const tagOf = async (fields: Parameters<typeof storedPaste>[0], program?: string) =>
    (await withFakeHighlighter(program ? { program } : {}).page(storedPaste(fields), head)).headers.get(
      'ETag',
    )

  test('is another one for whatever is another on it, and for another program', async () => {
    const large = 'a'.repeat(600_000)
    const tags = await Promise.all([
      tagOf({}),
      tagOf({}, 'another program'),
      tagOf({ text: 'let b' }),
      tagOf({ title: 'Another title' }),
      tagOf({ description: 'a' }),
      tagOf({ language: 'python' }),
      tagOf({ createdAt: 1 }),
      tagOf({ expiresAt: 1 }),
      tagOf({ alias: 'name' }),
      tagOf({ id: 'abcdefghjm' }),
      tagOf({ text: large }),
      tagOf({ text: `b${large.slice(1)}` }),
      tagOf({ text: `${large.slice(1)}b` }),
    ])
    expect(new Set(tags).size).toBe(tags.length)
    expect(await tagOf({})).toBe(tags[0] ?? '')
  })

  test('is not on a page that is shown plain because highlighting failed or was late', async () => {
    const { page, job, hold, answers, requestOf } = withFakeHighlighter()
    const paste = storedPaste()
    hold(paste)
    const { headers } = await page(paste, head)
    const known = { headers: { ...browser, 'If-None-Match': headers.get('ETag') ?? '' } }
    const undefinedTag = { 'Accept-Encoding': 'gzip', 'If-None-Match': '"undefined-gzip"' }
    for (const [at, end] of (['giveUp', 'fail'] as const).entries()) {
      const reading = page(paste, { headers: { ...browser, ...undefinedTag } })
      ;(await job(at))[end]()
      const plain = await reading
      expect([plain.status, plain.headers.get('ETag')]).toEqual([200, null])
      expect(plain.headers.get('Content-Encoding')).toBe('gzip')
      // Only who has the highlighted page is told that nothing changed.
      expect((await page(paste, known)).status).toBe(304)
      expect(answers.hot(paste.id, requestOf())).toBeUndefined()
    }
  })
})

describe('JSON, haste and raw', () => {
  const forms = ['json', 'haste', 'raw'] as const

  test.each(forms)('%s has its tag without being made, and is made once for all', async (form) => {
    const { answers, requestOf } = withFakeHighlighter()
    let reads = 0
    const { text, ...rest } = storedPaste({ text: 'a"\n\u0001😀'.repeat(50_000) })
    const paste = storedPaste()
    const counted = Object.defineProperty({ ...rest, text }, 'text', {
      enumerable: true,
      get: () => {
        reads++
        return text
      },
    }) as typeof paste
    const first = await answers[form](requestOf(head), counted)
    const readsOfHead = reads
    for (let time = 0; time < 3; time++) await answers[form](requestOf(held(first)), counted)
    expect((await answers[form](requestOf(held(first)), counted)).status).toBe(304)
    const whole = await Promise.all([1, 2, 3].map(() => answers[form](requestOf(json), counted)))
    const bodies = await Promise.all(whole.map((response) => response.text()))
    const [body = ''] = bodies
    expect(new Set(bodies).size).toBe(1)
    expect(form === 'raw' ? body : (JSON.parse(body)[form === 'json' ? 'text' : 'data'] as string)).toBe(text)
    expect(whole[0]?.headers.get('ETag')).toBe(first.headers.get('ETag'))
    expect(readsOfHead).toBeLessThan(5)
    const readsBefore = reads
    const finished = await answers[form](requestOf(head), counted)
    expect(finished.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'))
    expect(reads - readsBefore).toBeLessThan(3)
  })

  test('are written as JSON.stringify does it, whatever the text is', async () => {
    const { answers, requestOf } = withFakeHighlighter()
    const texts = ['"text":""', '\u2028\\"', `${'a'.repeat(128 * 1024 - 1)}😀b`, '😀'.repeat(100_000), '\0']
    for (const [at, text] of texts.entries()) {
      const paste = storedPaste({ text, title: '"text":""', description: '"data":""', id: `abcdefghj${at}` })
      const { id, title, description, language } = paste
      const createdAt = '1970-01-01T00:00:00.000Z'
      expect(await (await answers.json(requestOf(json), paste)).text()).toBe(
        JSON.stringify({ id, title, description, language, text, createdAt, version: 1 }),
      )
      expect(await (await answers.haste(requestOf(json), paste)).text()).toBe(
        JSON.stringify({ key: id, data: text }),
      )
    }
  })
})
