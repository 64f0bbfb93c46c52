import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createClient, examplePaste } from './support/client.ts'
import { browser, expectError, expectPage } from './support/expectations.ts'
import { type RunningServer, start, testKey } from './support/process.ts'
import { filesIn } from './support/store.ts'

let server: RunningServer
let client: ReturnType<typeof createClient>
beforeAll(async () => {
  server = await start({ args: ['--rate-limit', 'off', '--log', 'json'] })
  client = createClient(server.url)
})
afterAll(() => server.stop())

const json = { Accept: 'application/json' }
const text = { Accept: 'text/plain' }
const target = 'https://secret.example.org/a-secret-path'
const secret = {
  text: 'a-secret-text\n',
  title: 'a-secret-title',
  description: 'a-secret-description',
  language: 'python',
}
type Item = Readonly<Record<string, string>>

const limitedPaste = (maxReads = 1) => client.paste({ ...secret, maxReads })
const limitedLink = async (maxVisits = 1) =>
  (await (await client.post('/shortener', { url: target, maxVisits })).json()) as Item
const get = (address = '', headers: Record<string, string> = {}, method = 'GET') =>
  client.get(address, headers, { method })
const send = (address = '', headers: Record<string, string> = {}) => get(address, headers, 'POST')
const idOf = ({ pasteUrl = '' }: Item) => pasteUrl.slice(-10)

const kinds = [
  ['/paste', 'maxReads', examplePaste],
  ['/shortener', 'maxVisits', { url: target }],
] as const

describe.each(kinds)('POST %s with %s', (path, field, body) => {
  test.each([1, 2, 1_000_000, '3.0'])('takes %j, and says so in its answer', async (limit) => {
    const response = await client.post(
      path,
      JSON.stringify({ ...body, [field]: 0 }).replace(':0', `:${limit}`),
    )
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ [field]: Number(limit) })
  })

  test.each([0, -1, 1_000_001, 1.5, 1e300, '"3"', '""', null, true, '[1]', '{}'])(
    'refuses %j: 422',
    async (limit) => {
      const sent = JSON.stringify({ ...body, [field]: 0 }).replace(':0', `:${limit}`)
      await expectError(await client.post(path, sent), 422, new RegExp(`^Field "${field}" must be `))
    },
  )

  test('answers as ever without it', async () => {
    expect(Object.keys((await (await client.post(path, body)).json()) as object)).not.toContain(field)
  })

  test('does not take the field of the other kind for its own', async () => {
    const other = field === 'maxReads' ? 'maxVisits' : 'maxReads'
    const response = await client.post(path, { ...body, [other]: 'nonsense' })
    expect(response.status).toBe(201)
    expect(Object.keys((await response.json()) as object)).not.toContain(other)
  })
})

/** Every way to look at a limited paste without reading it. */
const looksAtPaste = (item: Item): [string, Record<string, string>][] => [
  [item.pasteUrl ?? '', browser],
  [item.pasteUrl ?? '', {}],
  [`${item.pasteUrl}?lang=rust`, browser],
  [item.pasteUrl ?? '', json],
  [item.pasteUrl ?? '', text],
  [item.pasteUrl ?? '', { ...browser, 'If-None-Match': '*' }],
  [item.rawUrl ?? '', {}],
  [item.rawUrl ?? '', browser],
  [item.rawUrl ?? '', { 'If-None-Match': '*', Range: 'bytes=0-5' }],
  [`/documents/${idOf(item)}`, {}],
  [`/raw/${idOf(item)}.py`, {}],
  [`/${idOf(item)}`, {}],
  [`/share/${idOf(item)}`, browser],
  [`/qr/p/${idOf(item)}`, {}],
  [item.deletionUrl ?? '', browser],
]
const looksAtLink = ({ shortendUrl = '', deletionUrl = '' }: Item): [string, Record<string, string>][] => [
  [shortendUrl, browser],
  [shortendUrl, {}],
  [shortendUrl, json],
  [`${shortendUrl}+`, browser],
  [`${shortendUrl}+`, {}],
  [`/qr/s/${shortendUrl.slice(-7)}`, {}],
  [deletionUrl, browser],
]

const bots = [
  'Slackbot-LinkExpanding 1.0',
  'Twitterbot/1.0',
  'facebookexternalhit/1.1',
  'TelegramBot (like TwitterBot)',
]

const allOf = async (response: Response) => {
  const headers = JSON.stringify([...response.headers])
  return `${headers}\n${await response.text()}`
}

describe('looking at a limited item', () => {
  test.each(['GET', 'HEAD'])(
    'by %s shows nothing of it, is kept nowhere, and never counts',
    async (method) => {
      const [paste, link] = [await limitedPaste(), await limitedLink()]
      for (const [address, headers] of [...looksAtPaste(paste), ...looksAtLink(link)])
        for (const agent of bots) {
          const response = await get(address, { ...headers, 'User-Agent': agent }, method)
          expect(response.status, address).toBeOneOf([200, 302, 403])
          expect(response.headers.get('Cache-Control')).toMatch(/no-store$/)
          expect(response.headers.get('ETag')).toBeNull()
          expect(await allOf(response), address).not.toMatch(/secret|python/i)
        }
      expect(await (await send(paste.rawUrl)).text()).toBe(secret.text)
      expect((await send(link.shortendUrl)).headers.get('Location')).toBe(target)
    },
  )

  test.each([
    [1, /read\s+<strong>once<\/strong>, and is erased with it/, 'Read it for the last time'],
    [2, /<strong>2 times<\/strong> more/, 'Read it'],
    [1_000_000, /<strong>1,000,000 times<\/strong> more/, 'Read it'],
  ])(
    'of %i reads tells a browser how many are left, and has one button that POSTs',
    async (reads, says, button) => {
      const html = await expectPage(await get((await limitedPaste(reads)).pasteUrl, browser))
      const [main = ''] = /<main>.*<\/main>/s.exec(html) ?? []
      expect(main).toMatch(says)
      expect(main.match(/<form[^>]*>/g)).toEqual(['<form method="post">'])
      expect(main.match(/<button/g)).toHaveLength(1)
      expect(main).toContain(`>${button}</button>`)
      expect(main).not.toMatch(/<script|<input|<a /)
      expect(html).toContain('<title>A limited paste · Shortcrust</title>')
      expect(html).not.toContain('og:')
    },
  )

  test('of a link has the same page as its preview, whose button follows', async () => {
    const { shortendUrl = '' } = await limitedLink(3)
    const pages = [`${shortendUrl}`, `${shortendUrl}+`].map(async (address) =>
      expectPage(await get(address, browser)),
    )
    const [page, preview] = await Promise.all(pages)
    expect(preview).toBe(page)
    expect(page).toContain(`<form method="post" action="${shortendUrl.slice(-7)}">`)
    expect(page).toMatch(/followed\s+<strong>3 times<\/strong> more/)
  })

  test('tells programs what to send: 403', async () => {
    const item = await limitedPaste()
    const how = new RegExp(`Send POST to /p/raw/${idOf(item)} to read it`)
    for (const [address, headers] of looksAtPaste(item).filter(
      ([, headers]) => 'Accept' in headers === false,
    ))
      if (/raw|documents/.test(address)) await expectError(await get(address, headers), 403, how)
    for (const headers of [json, text]) await expectError(await get(item.pasteUrl, headers), 403, how)
    await expectPage(await get(item.rawUrl, browser), 403)
    const { shortendUrl = '' } = await limitedLink()
    await expectError(
      await get(shortendUrl),
      403,
      new RegExp(`Send POST to /s/${shortendUrl.slice(-7)} to follow`),
    )
  })

  test('names it on its deletion page by nothing but its kind', async () => {
    const { deletionUrl } = await limitedPaste()
    expect(await expectPage(await get(deletionUrl, browser))).toContain('>A limited paste<')
    const link = await limitedLink()
    expect(await expectPage(await get(link.deletionUrl, browser))).toContain('>A limited short link<')
    expect((await get(deletionUrl, {}, 'DELETE')).status).toBe(200)
    await expectError(await send((await limitedPaste()).pasteUrl?.replace(/.$/, '2'), json), 404)
  })
})

describe('POST', () => {
  test('reads a limited paste as a page, as JSON and as text, each time with what is left', async () => {
    const { pasteUrl, rawUrl } = await limitedPaste(5)
    const html = await expectPage(await send(pasteUrl, browser))
    expect(html).toContain('a-secret-title')
    expect(html).toMatch(/<strong>4 reads<\/strong> are\s+left/)
    expect(html).not.toMatch(/og:|p\/raw/)
    expect(await (await send(pasteUrl, json)).json()).toMatchObject({ ...secret, maxReads: 5, readsLeft: 3 })
    const raw = await send(pasteUrl, text)
    expect(await raw.text()).toBe(secret.text)
    expect(await expectPage(await send(pasteUrl, browser))).toMatch(/<strong>1 read<\/strong> is\s+left/)
    const last = await send(rawUrl)
    expect(await last.text()).toBe(secret.text)
    for (const headers of [raw.headers, last.headers]) {
      expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
      expect(headers.get('Content-Security-Policy')).toEndWith('sandbox')
    }
    await expectError(await send(rawUrl), 410, /read as often as it may be/)
  })

  test('says that the last read was the last, and erases the text from the disk', async () => {
    const { pasteUrl, rawUrl } = await limitedPaste()
    expect(await expectPage(await send(pasteUrl, browser))).toContain('This was the last read.')
    const id = (pasteUrl ?? '').slice(-10)
    const files = filesIn(server.data).filter((file) => file.includes(id))
    expect(files.map((file) => file.slice(-15))).toEqual([`${id}.gone`])
    expect(readFileSync(files[0] ?? '', 'utf8')).toBe('')
    for (const method of ['GET', 'HEAD', 'POST'])
      for (const address of [pasteUrl, rawUrl]) expect((await get(address, {}, method)).status).toBe(410)
    expect(await expectPage(await get(pasteUrl, browser), 410)).not.toContain('secret')
  })

  test.each([{}, browser, json, { 'If-None-Match': '*' }])(
    'is never kept, nor known already: %j',
    async (headers) => {
      const { pasteUrl, rawUrl } = await limitedPaste(2)
      for (const address of [pasteUrl, rawUrl]) {
        const response = await send(address, headers)
        expect(response.status).toBe(200)
        expect(response.headers.get('Cache-Control')).toBe('no-store')
        expect(response.headers.get('ETag')).toBeNull()
        expect(await response.text()).toContain('secret')
      }
    },
  )

  test('follows a limited link by 303, kept by nobody, until none is left', async () => {
    const { shortendUrl } = await limitedLink(2)
    for (const headers of [{}, browser]) {
      const response = await send(shortendUrl, headers)
      expect(response.status).toBe(303)
      expect(response.headers.get('Location')).toBe(target)
      expect(response.headers.get('Cache-Control')).toBe('private, no-store')
      expect(await response.text()).toBe(`<a href="${target}">See other</a>\n`)
    }
    await expectError(await send(shortendUrl), 410, /followed as often as it may be/)
    await expectError(await get(`${shortendUrl}+`), 410)
    const files = filesIn(server.data).filter((file) => file.includes(shortendUrl?.slice(-7) ?? ''))
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual([''])
  })

  test('reads in another language, and counts nothing where that is unknown', async () => {
    const { pasteUrl } = await limitedPaste()
    for (const method of ['GET', 'POST'])
      await expectPage(await get(`${pasteUrl}?lang=klingon`, browser, method), 422)
    const page = await expectPage(await get(`${pasteUrl}?lang=rust`, browser))
    // Without an action, the form keeps the query.
    expect(page).toContain('<form method="post">')
    expect(await expectPage(await send(`${pasteUrl}?lang=rust`, browser))).toContain('<li>Rust</li>')
  })

  test('does not read the body, whatever it is', async () => {
    const { rawUrl = '' } = await limitedPaste()
    const body = new FormData()
    body.set('file', new Blob(['x'.repeat(100_000)]))
    expect(await (await fetch(rawUrl, { method: 'POST', body })).text()).toBe(secret.text)
  })

  test('of an item that is not limited, or of a preview, stays 405; Allow tells one from the other', async () => {
    const [paste, limited] = [await client.paste({ language: 'text' }), await limitedPaste(9)]
    const [link, once] = [await client.link(), await limitedLink(9)]
    const allow = async (address = '', method = 'PUT') =>
      (await get(address, {}, method)).headers.get('Allow')
    for (const address of [paste.pasteUrl, paste.rawUrl]) {
      await expectError(await send(address), 405)
      for (const method of ['POST', 'PUT', 'OPTIONS'])
        expect(await allow(address, method)).toBe('GET, HEAD, OPTIONS')
    }
    await expectError(await send(link.shortendUrl), 405)
    for (const address of [link.shortendUrl, `${link.shortendUrl}+`, `${once.shortendUrl}+`])
      for (const method of ['POST', 'PUT']) expect(await allow(address, method)).toBe('GET, HEAD')
    for (const address of [limited.pasteUrl, limited.rawUrl])
      for (const method of ['PUT', 'OPTIONS'])
        expect(await allow(address, method)).toBe('GET, HEAD, OPTIONS, POST')
    expect(await allow(once.shortendUrl)).toBe('GET, HEAD, POST')
    await expectError(await send('/p/2222222222'), 404)
    await expectError(await send('/s/2222222'), 404)
  })
})

describe.each([1, 3])('of 200 readers at once where %i may', (limit) => {
  test('as many read, whichever form they ask for; the others get 410 and nothing of it', async () => {
    const { pasteUrl, rawUrl } = await limitedPaste(limit)
    const forms: [string | undefined, Record<string, string>][] = [
      [rawUrl, {}],
      [pasteUrl, json],
      [pasteUrl, text],
      [pasteUrl, browser],
    ]
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, at) => send(...(forms[at % forms.length] as (typeof forms)[number]))),
    )
    const bodies = await Promise.all(responses.map(async (one) => [one.status, await one.text()] as const))
    const read = bodies.filter(([status]) => status === 200)
    expect(read).toHaveLength(limit)
    for (const [, body] of read) expect(body).toContain('a-secret-text')
    const others = bodies.filter(([status]) => status !== 200)
    expect(new Set(others.map(([status]) => status))).toEqual(new Set([410]))
    for (const [, body] of others) expect(body).not.toContain('secret')
  })

  test('as many follow, also after a restart', async () => {
    const { shortendUrl = '' } = await limitedLink(limit)
    const path = new URL(shortendUrl).pathname
    await server.stop()
    server = await start({ args: ['--rate-limit', 'off', '--log', 'json'], data: server.data })
    client = createClient(server.url)
    const responses = await Promise.all(Array.from({ length: 200 }, () => send(path)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 303)).toHaveLength(limit)
    expect(statuses.filter((status) => status === 410)).toHaveLength(200 - limit)
  })
})

describe('an upload with a limit', () => {
  const upload = (path: string, init: RequestInit) =>
    fetch(server.url + path, { headers: { key: testKey }, ...init })

  test.each([
    ['in its address', '/a.py?maxReads=2', () => ({ method: 'PUT', body: 'a-secret-text' })],
    ['as a haste', '/documents?maxReads=2', () => ({ method: 'POST', body: 'a-secret-text' })],
    [
      'in its form',
      '/',
      () => {
        const body = new FormData()
        body.set('file', new Blob(['a-secret-text']), 'a.py')
        body.set('maxReads', '2')
        return { method: 'POST', body }
      },
    ],
  ])('%s is limited', async (_, path, init) => {
    const response = await upload(path, init())
    expect(response.status).toBeOneOf([200, 201])
    const answer = await response.text()
    const id = /[2-9a-z]{10}(?=["\n])/.exec(answer)?.[0]
    await expectError(await get(`/p/raw/${id}`), 403)
    for (const _ of ['first', 'second']) expect((await send(`/p/raw/${id}`)).status).toBe(200)
    expect((await send(`/p/raw/${id}`)).status).toBe(410)
  })

  test.each(['0', '-1', '1.5', '', 'once', '1e3', '1000001', '9'.repeat(30)])(
    'of %j is refused: 422',
    async (limit) => {
      const response = await upload(`/a.py?maxReads=${limit}`, { method: 'PUT', body: 'a' })
      await expectError(response, 422, /^Field "maxReads" must be /)
    },
  )
})

describe('the forms of the start page', () => {
  const post = (fields: Record<string, string>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ key: testKey, ...fields })) body.set(name, value)
    return fetch(server.url, { method: 'POST', headers: browser, body })
  }
  const addressIn = async (response: Response) =>
    /<a href="([^"]+\/[ps]\/[^"/]+)"/.exec(await expectPage(response, 201))?.[1]

  test('limit what they create, without JavaScript, and leave it alone where the field is empty', async () => {
    const paste = await addressIn(await post({ create: 'paste', ...secret, maxReads: '1' }))
    await expectError(await get(paste, json), 403)
    const link = await addressIn(await post({ create: 'link', url: target, maxVisits: '1' }))
    await expectError(await get(link), 403)
    const open = await addressIn(await post({ create: 'paste', ...secret, maxReads: '' }))
    expect((await get(open, json)).status).toBe(200)
    const openLink = await addressIn(await post({ create: 'link', url: target, maxVisits: '' }))
    expect((await get(openLink)).status).toBe(302)
  })

  test('show again what was typed where it is refused, with the options open', async () => {
    for (const [create, field] of [
      ['paste', 'maxReads'],
      ['link', 'maxVisits'],
    ] as const) {
      const html = await expectPage(await post({ create, ...secret, url: target, [field]: '1.5' }), 422)
      expect(html).toContain(`Field &quot;${field}&quot; must be an integer`)
      expect(html).toMatch(
        new RegExp(`<details class="options" open>[^\\0]*?name="${field}"[^>]*value="1.5"`),
      )
    }
  })
})

describe('the log', () => {
  test('holds nothing of what was limited', async () => {
    const { rawUrl } = await limitedPaste()
    await send(rawUrl)
    await send((await limitedLink()).shortendUrl)
    await server.stop()
    expect(server.stderr.text()).toContain('paste created')
    expect(server.stderr.text() + server.stdout.text()).not.toMatch(/secret/)
    server = await start({ args: ['--rate-limit', 'off', '--log', 'json'], data: server.data })
  })
})
