import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createClient } from '../support/client.ts'
import { idOf } from '../support/counts.ts'
import { expectError } from '../support/expectations.ts'
import { isFolder, run } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'
import { filesIn } from '../support/store.ts'

const { server, client, restart } = withServer({ args: [...quiet] })

type Listed = {
  pastes?: { id: string; title: string }[]
  links?: { id: string; url: string }[]
  after: string | null
  isComplete?: boolean
}

const newOwner = async (name: string) => {
  const key = (await run(['keys', 'add', name, '--data', server.data])).stdout.trim()
  const own = createClient(server.url, key)
  const ask = (query: string, plural = 'pastes') => own.get(`/${plural}?${query}`, { key })
  /** Once the server has read what was made before. */
  const find = async (query: string, plural = 'pastes') => {
    for (;;) {
      const response = await ask(query, plural)
      expect(response.status).toBe(200)
      const found = (await response.json()) as Listed
      if (found.isComplete !== false) return found
    }
  }
  return {
    ...own,
    ask,
    find,
    titles: async (query: string) => (await find(query)).pastes?.map(({ title }) => title),
    targets: async (query: string) => (await find(query, 'links')).links?.map(({ url }) => url),
    patch: (path: string, body: object) =>
      own.get(
        path,
        { key, 'Content-Type': 'application/json' },
        { method: 'PATCH', body: JSON.stringify(body) },
      ),
  }
}

let owners = 0
const someone = () => newOwner(`owner${++owners}`)

describe('a search', () => {
  test('finds a paste at once by whole words of its text, in any case and order, without accents', async () => {
    const ann = await someone()
    await ann.paste({ title: 'log', text: 'ERROR: connection_timeout after 30s at Größenwahn\n' })
    await ann.paste({ title: 'other', text: 'all is well' })
    for (const q of ['error', 'Timeout ERROR', 'grossenwahn', 'GRÖßENWAHN', '30s', 'connection'])
      expect(await ann.titles(`q=${encodeURIComponent(q)}`)).toEqual(['log'])
    for (const q of ['err', 'timeouts', 'error well']) expect(await ann.titles(`q=${q}`)).toEqual([])
    expect(await ann.find('q=error')).toMatchObject({ isComplete: true, after: null })
  })

  test('finds beginnings of words in title, description and name', async () => {
    const ann = await someone()
    await ann.paste({
      title: 'Quarterly-Report.md',
      description: 'Über Zahlen',
      alias: 'numbers-q3',
      text: 'x',
    })
    for (const q of ['quart', 'rep', 'uber', 'zah', 'numb', 'q3', 'quarterly md x'])
      expect(await ann.titles(`q=${q}`)).toEqual(['Quarterly-Report.md'])
    expect(await ann.titles('q=uarterly')).toEqual([])
  })

  test('finds links by their target and name', async () => {
    const ann = await someone()
    await ann.link('https://docs.example.org/handbook?page=seven', { alias: 'team-guide' })
    await ann.link('https://example.com/')
    for (const q of ['hand', 'team', 'docs seven', 'example.org'])
      expect(await ann.targets(`q=${q}`)).toEqual(['https://docs.example.org/handbook?page=seven'])
    expect(await ann.targets('q=exam')).toHaveLength(2)
  })

  test('finds texts in scripts without spaces', async () => {
    const ann = await someone()
    await ann.paste({ title: 'ja', text: '検索できる文章です' })
    await ann.paste({ title: 'ru', text: 'Съешь ещё этих мягких булок' })
    expect(await ann.titles('q=文章')).toEqual(['ja'])
    expect(await ann.titles('q=еще МЯГКИХ')).toEqual(['ru'])
  })

  test('shows nothing of another key', async () => {
    const [ann, bob] = [await someone(), await someone()]
    await ann.paste({ title: 'hers', text: 'treasure' })
    expect(await bob.titles('q=treasure')).toEqual([])
    expect(await bob.titles('sort=size')).toEqual([])
  })

  test('never finds the text or target of what burns after reading', async () => {
    const ann = await someone()
    await ann.paste({ title: 'burns', text: 'password', maxReads: 1 })
    await ann.link('https://example.org/hidden', { maxVisits: 2, alias: 'burning' })
    expect(await ann.titles('q=password')).toEqual([])
    expect(await ann.titles('q=burns')).toEqual(['burns'])
    expect(await ann.targets('q=hidden')).toEqual([])
    expect(await ann.targets('q=burning')).toHaveLength(1)
  })

  test('finds what a change made, and no longer what was there before', async () => {
    const ann = await someone()
    const { pasteUrl = '' } = await ann.paste({ title: 'before', text: 'former' })
    expect(await ann.titles('q=former')).toEqual(['before'])
    await ann.patch(`/pastes/${idOf(pasteUrl)}`, { text: 'latter', title: 'after' })
    expect(await ann.titles('q=former')).toEqual([])
    expect(await ann.titles('q=latter')).toEqual(['after'])
    expect(await ann.titles('q=before')).toEqual([])
  })

  test('finds nothing that was deleted or has expired', async () => {
    const ann = await someone()
    const { deletionUrl = '' } = await ann.paste({ title: 'gone', text: 'vanish' })
    await ann.paste({ title: 'short', text: 'vanish', expiresIn: 1 })
    expect(await ann.titles('q=vanish')).toEqual(['short', 'gone'])
    await fetch(deletionUrl, { method: 'DELETE' })
    expect(await ann.titles('q=vanish')).not.toContain('gone')
    const end = Date.now() + 1000
    while (Date.now() <= end) await ann.titles('q=vanish')
    expect(await ann.titles('q=vanish')).toEqual([])
  })

  test('finds after a restart what was created before', async () => {
    const ann = await someone()
    await ann.paste({ title: 'kept', text: 'persistence' })
    await restart()
    const again = createClient(server.url, ann.key)
    const { pastes } = (await (await again.get('/pastes?q=persistence', { key: ann.key })).json()) as Listed
    expect(pastes).toHaveLength(1)
  })
})

describe('a list', () => {
  test('of a language has no others; any of its names will do', async () => {
    const ann = await someone()
    await ann.paste({ title: 'a', language: 'typescript', text: 'x' })
    await ann.paste({ title: 'b', language: 'json', text: 'x' })
    expect(await ann.titles('language=ts')).toEqual(['a'])
    expect(await ann.titles('language=json&q=x')).toEqual(['b'])
  })

  test('since a time has nothing older', async () => {
    const ann = await someone()
    await ann.paste({ title: 'a' })
    const after = new Date(Date.now() + 1000).toISOString()
    for (const since of ['1h', '2020-01-01', '2020-01-01T10:00', '2020-01-01T10:00:00+02:00'])
      expect(await ann.titles(`since=${since}`)).toEqual(['a'])
    expect(await ann.titles(`since=${after}`)).toEqual([])
  })

  test('is sorted by size, time of change, expiry and reads', async () => {
    const ann = await someone()
    const ids: string[] = []
    for (const [title, text, expiresIn] of [
      ['small', 'x', 3000],
      ['large', 'x'.repeat(3000), undefined],
      ['medium', 'x'.repeat(300), 2000],
    ] as const)
      ids.push(idOf((await ann.paste({ title, text, expiresIn })).pasteUrl ?? ''))
    expect(await ann.titles('sort=created')).toEqual(['medium', 'large', 'small'])
    expect(await ann.titles('sort=size')).toEqual(['large', 'medium', 'small'])
    expect(await ann.titles('sort=expires')).toEqual(['medium', 'small', 'large'])
    await ann.patch(`/pastes/${ids[0]}`, { description: 'changed' })
    expect(await ann.titles('sort=changed')).toEqual(['small', 'medium', 'large'])
    await (await ann.get(`/p/raw/${ids[1]}`)).text()
    expect(await ann.titles('sort=reads')).toEqual(['large', 'medium', 'small'])
  })

  test('of links is sorted by visits', async () => {
    const ann = await someone()
    const { shortendUrl = '' } = await ann.link('https://example.org/visited')
    await ann.link('https://example.org/new')
    await fetch(shortendUrl, { redirect: 'manual' })
    expect(await ann.targets('sort=visits')).toEqual([
      'https://example.org/visited',
      'https://example.org/new',
    ])
  })

  test.each(['created', 'changed', 'size', 'expires', 'reads'])(
    'sorted by %s is whole in pages',
    async (sort) => {
      const ann = await someone()
      await Promise.all(
        Array.from({ length: 25 }, (_, at) =>
          ann.paste({
            title: `n${at}`,
            text: `common ${'y'.repeat(at % 5)}`,
            ...(at % 3 === 0 && { expiresIn: 9000 + at }),
          }),
        ),
      )
      const whole = await ann.titles(`q=common&sort=${sort}&limit=200`)
      expect(new Set(whole).size).toBe(25)
      const pages: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const page = await ann.find(`q=common&sort=${sort}&limit=4${after && `&after=${after}`}`)
        pages.push(...(page.pastes ?? []).map(({ title }) => title))
        after = page.after
      }
      expect(pages).toEqual(whole as string[])
    },
  )

  test('sorted by reads has every paste once, also if one is read between two pages', async () => {
    const ann = await someone()
    const pastes: { title: string; path: string; reads: number }[] = []
    for (let at = 0; at < 12; at++) {
      const { rawUrl = '' } = await ann.paste({ title: `n${at}`, text: 'common' })
      pastes.push({ title: `n${at}`, path: new URL(rawUrl).pathname, reads: (at * 5) % 4 })
    }
    for (const { path, reads } of pastes)
      for (let read = 0; read < reads; read++) await (await ann.get(path)).text()
    const inOrder = pastes
      .toReversed()
      .toSorted((a, b) => b.reads - a.reads)
      .map(({ title }) => title)
    for (const filter of ['', 'q=common&']) {
      const pages: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const page = await ann.find(`${filter}sort=reads&limit=5${after && `&after=${after}`}`)
        pages.push(...(page.pastes ?? []).map(({ title }) => title))
        after = page.after
        await (await ann.get(pastes.find(({ title }) => title === inOrder[0])?.path ?? '')).text()
      }
      expect(pages).toEqual(inOrder)
    }
  })

  test('passes over empty parameters, which forms send', async () => {
    const ann = await someone()
    await ann.paste({ title: 'a' })
    expect(await ann.find('q=&language=&since=&sort=')).not.toHaveProperty('isComplete')
  })
})

test('a wrong value is refused with what is right', async () => {
  const ann = await someone()
  for (const [query, message] of [
    ['q=---', /"q" must have a letter or a digit/],
    [`q=${Array.from({ length: 33 }, (_, at) => `w${at}`).join('+')}`, /at most 32 words/],
    ['language=javascrip', /"language" is not a known language; the nearest one is "javascript"/],
    ['since=yesterday', /"since" must be a date/],
    ['since=2026-13-45', /"since" must be a date/],
    ['sort=visits', /"sort" must be one of created, changed, reads, size, expires/],
    ['sort=constructor', /"sort" must be one of/],
    ['sort=size&after=bm9uc2Vuc2U', /"after"/],
    ['sort=size&limit=0', /"limit"/],
  ] as const)
    await expectError(await ann.ask(query), 422, message)
  await expectError(await ann.ask('language=json', 'links'), 422, /only for pastes/)
  await ann.paste({ text: 'one' })
  await ann.paste({ text: 'two' })
  const { after } = await ann.find('sort=size&limit=1')
  await expectError(await ann.ask(`sort=expires&after=${after}`), 422, /in the same order/)
})

test('an admin key searches what all keys made', async () => {
  const ann = await someone()
  await ann.paste({ title: 'hers', text: 'everywhere' })
  const key = (await run(['keys', 'add', 'root', '--admin', '--data', server.data])).stdout.trim()
  const answer = await client.get('/pastes?owner=*&q=everywhere', { key })
  expect(await answer.json()).toMatchObject({
    pastes: [{ title: 'hers', owner: `owner${owners}` }],
  })
})

test.if(isFolder)(
  'no file of the folder holds a word of what was deleted, changed or is to burn',
  async () => {
    const ann = await someone()
    const words = ['zebrafish', 'quokkatail', 'narwhalhorn', 'axolotlgill']
    const { deletionUrl = '' } = await ann.paste({ title: words[0], text: `${words[1]} text` })
    const changed = await ann.paste({ title: 'kept', text: `${words[2]} text` })
    await ann.paste({ title: 'burns', text: words[3], maxReads: 1 })
    for (const word of words.slice(0, 3)) expect(await ann.titles(`q=${word}`)).toHaveLength(1)
    await ann.patch(`/pastes/${idOf(changed.pasteUrl ?? '')}`, { text: 'new' })
    await ann.get(`/pastes/${idOf(changed.pasteUrl ?? '')}/versions`, { key: ann.key }, { method: 'DELETE' })
    await fetch(deletionUrl, { method: 'DELETE' })
    for (const word of words) expect(await ann.titles(`q=${word}`)).toEqual([])
    await restart()
    const holding = (word: string) =>
      filesIn(server.data).filter((path) =>
        readFileSync(path).toString('latin1').toLowerCase().includes(word),
      )
    for (const word of words.slice(0, 3)) expect(holding(word)).toEqual([])
    expect(holding('axolotlgill').every((path) => path.includes('/pastes/'))).toBe(true)
  },
)
