import { describe, expect, test } from 'bun:test'
import { browser, expectPage } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { run, start, temporaryFolder, testKey } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { quiet, withServer } from '../support/server.ts'
import { hostile } from '../support/views.ts'

const { server, client } = withServer()

const get = (query: string, init: RequestInit = {}) =>
  fetch(`${server.url}/${query}`, { headers: browser, ...init })
const queryOf = (fields: Record<string, string>) => new URLSearchParams(fields)

/** What the form of an address holds. */
const formOf = async (query: string) => {
  const elements = parsePage(await expectPage(await get(query)))
  const named = (name: string) => elements.find(({ attributes }) => attributes.name === name)
  const chosen = elements.filter(({ name, attributes }) => name === 'option' && 'selected' in attributes)
  const errors = elements.filter(({ attributes }) => attributes.class === 'field-error')
  return {
    text: named('text')?.text,
    value: (name: string) => named(name)?.attributes.value,
    isChecked: (name: string) => 'checked' in (named(name)?.attributes ?? {}),
    chosen: chosen.map(({ attributes }) => attributes.value),
    errors: Object.fromEntries(
      errors.flatMap(({ attributes, text }) => (text ? [[attributes.id?.replace('error-', ''), text]] : [])),
    ),
    tab: elements[0]?.attributes['data-tab'],
  }
}

const listed = async () => {
  const { total } = (await (await client.get('/pastes', { key: testKey })).json()) as { total: number }
  return total
}

describe('an address with fields', () => {
  test('fills the form with them, to the letter, and stores nothing', async () => {
    const before = await listed()
    const fields = { text: '\n\ta <b>&amp;\r\nb\n', title: 'T "q"', description: 'D', language: 'rs' }
    const form = await formOf(`?${queryOf({ ...fields, alias: 'guide', maxReads: '3', expiresIn: '24h' })}`)
    // A browser sends CRLF for every line end of a textarea anyway.
    expect(form.text?.replaceAll('\r\n', '\n')).toBe(fields.text.replaceAll('\r\n', '\n'))
    expect([form.value('title'), form.value('description'), form.value('alias')]).toEqual([
      ...[fields.title, 'D', 'guide'],
    ])
    expect(form.value('maxReads')).toBe('3')
    expect(form.chosen).toContain('rust')
    expect(form.chosen).toContain('1d')
    expect(form.errors).toEqual({})
    expect(await listed()).toBe(before)
  })

  test('fills the form of short links after ?link', async () => {
    const form = await formOf(`?link&${queryOf({ url: 'https://example.org/?a=b&c', alias: 'guide' })}`)
    expect([form.tab, form.value('url'), form.value('linkAlias')]).toEqual([
      ...['link', 'https://example.org/?a=b&c', 'guide'],
    ])
    // A name for the link is none for a paste.
    expect(form.value('alias')).toBe('')
  })

  test.each([
    ['language', 'pythn'],
    ['expiresIn', '37h'],
    ['maxReads', 'often'],
    ['maxReads', '0'],
  ])(
    'says at the field %s that the form has no %j, and leaves no option out silently',
    async (name, value) => {
      const { errors } = await formOf(`?${queryOf({ text: 'a', [name]: value })}`)
      expect(errors).toEqual({
        [name]: `The address asks for “${value}”, which this form does not have. Choose.`,
      })
    },
  )

  test('can ask for burning after reading', async () => {
    expect((await formOf('?text=a&burn=1')).isChecked('burn')).toBe(true)
    expect((await formOf('?text=a&burn=0')).isChecked('burn')).toBe(false)
  })

  test('never fills in a key', async () => {
    const html = await expectPage(await get(`?text=a&key=${testKey}`))
    expect(html).not.toContain(testKey)
  })

  test('with fields of no meaning opens the empty page', async () => {
    const empty = await expectPage(await get(''))
    for (const query of ['?utm_source=a', '?text=', '?title', '?burn=0', '?url=a'])
      expect(await expectPage(await get(query))).toBe(empty)
  })

  test('answers like every page: for no cache, and to HEAD the same headers', async () => {
    const [page, head] = [await get('?text=a'), await get('?text=a', { method: 'HEAD' })]
    for (const name of ['Cache-Control', 'Content-Security-Policy', 'Content-Type', 'Vary'])
      expect([name, head.headers.get(name)]).toEqual([name, page.headers.get(name)])
    expect(page.headers.get('Cache-Control')).toBe('no-store')
    expect(page.headers.get('Vary')).toBe('Accept, Accept-Encoding')
    expect(page.headers.get('ETag')).toBeNull()
  })

  test('may have about 10 KB', async () => {
    const text = 'é'.repeat(1700)
    expect((await formOf(`?${queryOf({ text })}`)).text).toBe(text)
  })

  test.each(hostile)('is only text: %j', async (text) => {
    const query = (word: string) => `?${queryOf({ text: word, title: word, alias: word, language: word })}`
    const namesOf = async (word: string) =>
      parsePage(await expectPage(await get(query(word)))).map(({ name, attributes }) =>
        [name, ...Object.keys(attributes)].join(' '),
      )
    expect(await namesOf(text)).toEqual(await namesOf('no-such-language'))
  })
})

describe('GET / by a program', () => {
  const usage = async (headers: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(`${server.url}/`, { headers: { Accept: '*/*', ...headers }, ...init })

  test('is about ten lines of text, for the address that was asked', async () => {
    const answer = await usage({ Host: 'nas:8080' })
    expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.get('Vary')).toBe('Accept, Accept-Encoding')
    const text = await answer.text()
    expect(text.split('\n').length).toBeWithin(8, 13)
    expect(text.match(/http:\/\/[\w.:]+/g)?.filter((one) => one !== 'http://nas:8080')).toEqual([])
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
  })

  test('is the page for whoever asks for text/html, and the empty form of an item too', async () => {
    await expectPage(await usage({ Accept: 'text/html' }))
    await expectPage(await usage({ Accept: 'text/plain, text/html;q=0.1' }))
    const refused = await usage({ Accept: 'text/html;q=0, */*' })
    expect(refused.headers.get('Content-Type')).toStartWith('text/plain')
    await expectPage(await fetch(`${server.url}/?edit=abc`))
  })

  test('has the same headers for HEAD, also compressed', async () => {
    for (const coding of ['identity', 'gzip']) {
      const headers = { 'Accept-Encoding': coding }
      const [got, head] = [await usage(headers), await usage(headers, { method: 'HEAD' })]
      for (const name of ['Content-Type', 'Vary', 'Cache-Control', 'Content-Encoding'])
        expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)])
      expect(await head.text()).toBe('')
    }
  })

  test('names no key where none is needed, and the addresses and the name in the settings', async () => {
    const data = temporaryFolder()
    await run(['keys', 'add', 'guests', '--create', '--data', data])
    const args = [
      '--guest-key',
      'guests',
      '--guest-from',
      '127.0.0.0/8,::1',
      '--name',
      'The lab',
      '--public-url',
      'https://lab.example/x',
    ]
    const open = await start({ data, args: [...quiet, ...args] })
    const text = await (await fetch(`${open.url}/`)).text()
    expect(text).not.toContain('YOUR_API_KEY')
    expect(text).toStartWith('The lab: pastes and short links, at https://lab.example/x\n')
    await open.stop()
    expect(await (await usage()).text()).toContain('YOUR_API_KEY')
  })

  test.skipIf(!requireProgram('curl', 'curl'))('prints commands that work as they stand', async () => {
    await Bun.write('/tmp/notes.txt', 'a note\n')
    const text = await (await usage()).text()
    const commands = [...text.matchAll(/^[A-Z][^:\n]+: +(.*curl .*)$/gm)].map(([, command = '']) => command)
    expect(commands).toHaveLength(5)
    let id = ''
    for (const command of commands) {
      const filled = command.replace('YOUR_API_KEY', testKey).replace(/ID$/, id)
      const done = Bun.spawnSync(['sh', '-c', filled.replaceAll('curl', 'curl -sS')], { cwd: '/tmp' })
      expect([command, done.exitCode, done.stderr.toString()]).toEqual([command, 0, ''])
      const printed = done.stdout.toString()
      if (command.endsWith('/ID')) expect(printed).toBe('a note\n')
      else expect(printed).toContain(`${server.url}/`)
      id ||= printed.trim().split('/').at(-1) ?? ''
    }
  })
})

describe('the bookmarklets of /docs', () => {
  const bookmarklets = async (headers: Record<string, string> = {}) => {
    const html = await expectPage(await fetch(`${server.url}/docs`, { headers: { ...browser, ...headers } }))
    return parsePage(html).flatMap(({ attributes, text }) =>
      attributes.href?.startsWith('javascript:') ? [{ text, code: attributes.href.slice(11) }] : [],
    )
  }
  type Page = { selection: string; title: string; href: string }
  /** Runs one as a browser does on another page. @returns the address that it opens */
  const run = (code: string, { selection, title, href }: Page) => {
    const done: string[] = []
    const page = { getSelection: () => selection, document: { title }, location: { href } }
    const acts = { open: (url: string) => done.push(url), alert: (text: string) => done.push(text) }
    new Function(...Object.keys({ ...page, ...acts }), decodeURIComponent(code))(
      ...Object.values({ ...page, ...acts }),
    )
    return done.join()
  }
  const page = { selection: 'a & b\n"%c"#é', title: 'T & "t"', href: 'https://example.org/?a=b&c#d' }

  test('fill in the form at the address of the request', async () => {
    const [paste, link] = await bookmarklets({ Host: 'nas:8080' })
    expect(paste?.text).toBe('Paste the selection')
    const opened = new URL(run(paste?.code ?? '', page))
    expect(opened.origin).toBe('http://nas:8080')
    const form = await formOf(opened.search)
    expect([form.text, form.value('title')]).toEqual([page.selection, page.title])
    const linked = await formOf(new URL(run(link?.code ?? '', page)).search)
    expect([linked.tab, linked.value('url')]).toEqual(['link', page.href])
  })

  test('say of a selection that is too long for an address what to do', async () => {
    const [paste] = await bookmarklets()
    expect(run(paste?.code ?? '', { ...page, selection: 'a'.repeat(9000) })).toMatch(/Too long.*copy it/)
  })
})
