import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { keyFileOf } from '../support/key-file.ts'
import { isFolder, type RunningServer, run, start, temporaryFolder } from '../support/process.ts'

const json = { 'Content-Type': 'application/json' }
const pasteBody = JSON.stringify(examplePaste)
const guestArgs = ['--guest-key', 'guests', '--log', 'off'] as const

const keys = (data: string, ...args: string[]) => run(['keys', ...args, '--data', data])

/** A server with a key for guests. */
const openServer = async (limits: readonly string[], ...args: string[]) => {
  const data = temporaryFolder()
  await keys(data, 'add', 'guests', '--create', ...limits)
  return start({ data, args: [...guestArgs, ...args] })
}

/** Every request that creates, without a key. */
const creations: readonly [name: string, path: string, init: RequestInit & { headers?: object }][] = [
  ['JSON', '/paste', { method: 'POST', headers: json, body: pasteBody }],
  ['a link', '/shortener', { method: 'POST', headers: json, body: '{"url":"https://example.org/"}' }],
  ['an upload with a name', '/name.py', { method: 'PUT', body: 'print(1)\n' }],
  ['an upload', '/', { method: 'PUT', body: 'text\n' }],
  ['a haste client', '/documents', { method: 'POST', body: 'text\n' }],
  [
    'curl --data-binary',
    '/',
    {
      method: 'POST',
      headers: { Accept: '*/*', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a=b&c\n',
    },
  ],
]

const multipart = (fields: Readonly<Record<string, string | File>>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

describe('from an address of guests', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await openServer(['--rate', '1000/1s'], '--guest-from', '127.0.0.0/8,::1')
  })
  afterAll(() => server.stop())

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { redirect: 'manual', ...init })
  const ownedByGuests = async () => {
    const { stdout } = await keys(server.data, 'list')
    return /guests.* (\d+) items?/.exec(stdout)?.[1]
  }

  test.each(creations)('%s needs no key', async (_, path, init) => {
    expect((await ask(path, init as RequestInit)).status).toBeOneOf([200, 201])
  })

  test('a file sent as curl -F sends it needs no key, and keeps its name', async () => {
    const file = new File(['print(1)\n'], 'build.py')
    const answer = await ask('/', { method: 'POST', headers: { Accept: '*/*' }, body: multipart({ file }) })
    expect(answer.status).toBe(201)
    const page = await expectPage(
      await ask(new URL((await answer.text()).trim()).pathname, { headers: browser }),
    )
    expect(page).toContain('build.py')
  })

  test('the form of the page needs no key, and takes a long text', async () => {
    const body = multipart({ create: 'paste', text: 'long line\n'.repeat(50_000), title: 'A long one' })
    const answer = await ask('/', { method: 'POST', headers: browser, body })
    const page = await expectPage(answer, 201)
    expect(page).toContain('A long one')
    expect(page).toContain('Posting as a guest')
  })

  test('what is created counts as that of the key, and its deletion link works', async () => {
    const before = Number(await ownedByGuests())
    const created = (await (
      await ask('/paste', { method: 'POST', headers: json, body: pasteBody })
    ).json()) as {
      deletionUrl: string
    }
    expect(Number(await ownedByGuests())).toBe(before + 1)
    expect((await fetch(created.deletionUrl, { method: 'DELETE' })).status).toBe(200)
  })

  test('a wrong key is refused in each place where one can stand', async () => {
    for (const [name, path, init] of creations) {
      const headers = { ...init.headers, key: 'wrong' }
      expect((await ask(path, { ...init, headers } as RequestInit)).status, name).toBe(401)
    }
    const basic = { Authorization: 'Basic d3Jvbmc=' }
    expect((await ask('/documents', { method: 'POST', headers: basic, body: 'a' })).status).toBe(401)
    const form = { create: 'paste', text: 'a', key: 'wrong' }
    expect((await ask('/', { method: 'POST', headers: browser, body: multipart(form) })).status).toBe(401)
    const upload = multipart({ file: new File(['a'], 'a.txt'), key: 'wrong' })
    await expectError(
      await ask('/', { method: 'POST', headers: { Accept: '*/*' }, body: upload }),
      401,
      /not valid/,
    )
  })

  test('only creating needs no key', async () => {
    const { pasteUrl } = (await (
      await ask('/paste', { method: 'POST', headers: json, body: pasteBody })
    ).json()) as { pasteUrl: string }
    const id = pasteUrl.split('/').at(-1)
    const change = { method: 'PATCH', headers: json, body: '{"text":"mine"}' }
    for (const [path, init] of [
      ['/key', {}],
      ['/stats', {}],
      ['/pastes', {}],
      ['/links', {}],
      [`/pastes/${id}`, {}],
      [`/pastes/${id}`, change],
      [`/pastes/${id}`, { method: 'DELETE' }],
      [`/pastes/${id}/versions`, {}],
    ] as const)
      await expectError(await ask(path, init), 401, /"key".*missing/)
    const list = { method: 'POST', headers: browser, body: multipart({ create: 'items' }) }
    expect((await ask('/', list)).status).toBe(401)
  })

  test('replacing what another guest made is refused', async () => {
    const body = JSON.stringify({ ...examplePaste, alias: 'notes' })
    expect((await ask('/paste', { method: 'POST', headers: json, body })).status).toBe(201)
    const replacing = JSON.stringify({ ...examplePaste, text: 'mine', alias: 'notes', replace: true })
    await expectError(await ask('/paste', { method: 'POST', headers: json, body: replacing }), 403, /replace/)
    await expectError(await ask('/x?alias=notes&replace=1', { method: 'PUT', body: 'mine' }), 403, /replace/)
    const link = JSON.stringify({ url: 'https://example.org/', alias: 'notes', replace: true })
    await expectError(await ask('/shortener', { method: 'POST', headers: json, body: link }), 403, /replace/)
    expect(await (await ask('/p/raw/notes')).text()).toBe(examplePaste.text)
  })

  test('a time of its own choice is refused', async () => {
    for (const [path, item] of [
      ['/paste', examplePaste],
      ['/shortener', { url: 'https://example.org/' }],
    ] as const) {
      const body = JSON.stringify({ ...item, madeAt: '2020-01-01T00:00:00Z' })
      await expectError(await ask(path, { method: 'POST', headers: json, body }), 403, /madeAt/)
    }
  })

  test('a page of another host creates nothing', async () => {
    const headers = { Origin: 'http://evil.example' }
    for (const [name, path, init] of creations) {
      const answer = await ask(path, { ...init, headers: { ...init.headers, ...headers } } as RequestInit)
      expect(answer.status, name).toBe(403)
      expect(await answer.text()).toContain('A page of another host')
    }
    const body = multipart({ create: 'paste', text: 'a' })
    const answer = await ask('/', { method: 'POST', headers: { ...browser, ...headers }, body })
    await expectPage(answer, 403)
  })

  test('a page of this host creates, and one of another with a key', async () => {
    const init = { method: 'POST', body: pasteBody }
    for (const headers of [
      { Origin: server.url },
      { Origin: server.url, 'Sec-Fetch-Site': 'same-origin' },
      { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'http://evil.example', key: createClient('').key },
    ])
      expect((await ask('/paste', { ...init, headers: { ...json, ...headers } })).status).toBe(201)
  })

  test('pages fold the field for a key, and name themselves to their own server only', async () => {
    for (const path of ['/', '/?link']) {
      const answer = await ask(path, { headers: browser })
      expect(answer.headers.get('Referrer-Policy')).toBe('same-origin')
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
      const html = await expectPage(answer)
      expect(html).toContain('Posting as a guest')
      expect(html).not.toMatch(/name="key"[^>]*required/)
    }
    // A guest changes nothing without a key.
    expect(await expectPage(await ask('/?edit=abc', { headers: browser }))).toMatch(/name="key"[^>]*required/)
  })
})

describe('from any other address', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await openServer(
      ['--rate', '1000/1s'],
      ...['--guest-from', '192.0.2.0/24', '--trust-proxy', '127.0.0.9', '--user-header', 'Remote-User'],
    )
  })
  afterAll(() => server.stop())

  test.each(creations)('%s needs a key, whatever headers say', async (_, path, init) => {
    for (const spoofed of [
      {},
      { 'X-Forwarded-For': '192.0.2.7' },
      { 'X-Real-IP': '192.0.2.7', Forwarded: 'for=192.0.2.7' },
      { 'Remote-User': 'alice' },
    ]) {
      const headers = { ...init.headers, ...spoofed } as Record<string, string>
      const answer = await fetch(server.url + path, { ...init, headers } as RequestInit)
      // A body that is no form is refused as such before its key is missed.
      expect(answer.status).toBe(path === '/' && init.method === 'POST' ? answer.status : 401)
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
  })

  test('the page asks for a key', async () => {
    const headers = { ...browser, 'X-Forwarded-For': '192.0.2.7', 'Remote-User': 'alice' }
    const answer = await fetch(server.url, { headers })
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer')
    const html = await expectPage(answer)
    expect(html).toMatch(/name="key"[^>]*required/)
    expect(html).not.toMatch(/alice|guest/)
  })
})

describe('behind a trusted proxy', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await openServer(
      ['--rate', '2/1h'],
      ...['--guest-from', '192.0.2.0/24,2001:db8::/32', '--trust-proxy', '127.0.0.1,10.0.0.0/8'],
    )
  })
  afterAll(() => server.stop())

  const statusFrom = async (forwardedFor: string, more: Record<string, string> = {}) => {
    const headers = { ...json, 'X-Forwarded-For': forwardedFor, ...more }
    return (await fetch(`${server.url}/paste`, { method: 'POST', headers, body: pasteBody })).status
  }

  test('the rate is counted for each address and IPv6 network', async () => {
    const statuses = async (...addresses: string[]) => {
      const answered = []
      for (const address of addresses) answered.push(await statusFrom(address))
      return answered
    }
    expect(await statuses('192.0.2.20', '::ffff:192.0.2.20', '192.0.2.20', '192.0.2.21')).toEqual([
      201, 201, 429, 201,
    ])
    expect(await statuses('2001:db8:1::1', '2001:db8:1::2', '2001:db8:1:0:9::', '2001:db8:1:1::')).toEqual([
      201, 201, 429, 201,
    ])
  })
})

test('a server at all addresses of both families takes IPv4-mapped guests for IPv4', async () => {
  const server = await openServer([], '--host', '::', '--guest-from', '127.0.0.1')
  const port = new URL(server.url).port
  const create = (host: string) =>
    fetch(`http://${host}:${port}/paste`, { method: 'POST', headers: json, body: pasteBody })
  expect((await create('127.0.0.1')).status).toBe(201)
  expect((await create('[::1]')).status).toBe(401)
  await server.stop()
})

test('the origins of --public-url and --base-url are own ones', async () => {
  const server = await openServer(
    [],
    ...['--guest-from', '127.0.0.1', '--public-url', 'https://paste.example.org/p'],
    ...['--base-url', 'https://api.example.org', '--rate-limit', 'off'],
  )
  const statusFrom = async (Origin: string) =>
    (await fetch(`${server.url}/paste`, { method: 'POST', headers: { ...json, Origin }, body: pasteBody }))
      .status
  expect(await statusFrom('https://paste.example.org')).toBe(201)
  expect(await statusFrom('https://api.example.org')).toBe(201)
  for (const other of ['https://example.org', 'http://paste.example.org', 'https://api.example.org:8443'])
    expect(await statusFrom(other), other).toBe(403)
  await server.stop()
})

describe('the key of guests', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await openServer([], '--guest-from', '127.0.0.1', '--rate-limit', 'off')
  })
  afterAll(() => server.stop())

  const create = (path = '/paste', body = pasteBody) =>
    fetch(server.url + path, { method: 'POST', headers: json, body })
  const set = (...limits: string[]) => keys(server.data, 'set', 'guests', ...limits)

  test('has its scope', async () => {
    await set('--only', 'shorten')
    await expectError(await create(), 403, /may create short links only/)
    expect((await create('/shortener', '{"url":"https://example.org/"}')).status).toBe(201)
    await set('--only', 'none')
    expect((await create()).status).toBe(201)
  })

  test('is refused once it has expired, and the page asks for a key', async () => {
    await set('--expires', '1s')
    for (let status = 201; status !== 401; { status } = await create()) expect(status).toBe(201)
    await expectError(
      await create(),
      401,
      /^No key is needed from here.*shortcrust keys set guests --expires /,
    )
    expect(await expectPage(await fetch(server.url, { headers: browser }))).toMatch(/name="key"[^>]*required/)
    await set('--expires', 'none')
    expect((await create()).status).toBe(201)
  })

  test('is refused once it is revoked, with what to do', async () => {
    await keys(server.data, 'revoke', 'guests')
    await expectError(await create(), 401, /shortcrust keys add guests/)
    expect(await expectPage(await fetch(server.url, { headers: browser }))).toMatch(/name="key"[^>]*required/)
    await keys(server.data, 'add', 'guests')
    expect((await create()).status).toBe(201)
  })
})

const proxied = ['--user-header', 'Remote-User'] as const

test.each([
  ['guests from every address', ['--guest-from', '10.0.0.0/8,::/0', '--guest-key', 'environment']],
  ['every address as a proxy that names users', ['--trust-proxy', '0.0.0.0/0', ...proxied]],
])('a server with %s warns of it at its start', async (_, args) => {
  const server = await start({ args })
  await server.stderr.waitFor(/ warn .*every address.*\n/i)
  await server.stop()
})

test.each([
  ['guests of a network', ['--guest-from', '10.0.0.0/8,fd00::/8', '--guest-key', 'environment']],
  ['every address as a proxy that grants nothing', ['--trust-proxy', '0.0.0.0/0']],
  ['one proxy that names users', ['--trust-proxy', '127.0.0.1', ...proxied]],
])('a server with %s does not', async (_, args) => {
  const server = await start({ args })
  await server.stop()
  expect(server.stderr.text()).not.toContain('every address')
})

test.if(isFolder).each([
  ['is missing', 'keys add guests', async () => {}],
  [
    'has expired',
    'keys set guests --expires none',
    async (data: string) => {
      await keys(data, 'add', 'guests', '--create')
      keyFileOf(data).change((key) => ({ ...key, expiresAt: Date.now() }))
    },
  ],
])(
  'a server whose guest key %s says so at its start, with a command that helps',
  async (_, command, prepare) => {
    const data = temporaryFolder()
    await prepare(data)
    const args = ['--guest-from', '127.0.0.1', '--guest-key', 'guests', '--rate-limit', 'off']
    const server = await start({ data, args })
    const [line] = await server.stderr.waitFor(/.*--guest-key.*\n/)
    expect(line).toContain(`shortcrust ${command}`)
    expect((await run([...command.split(' '), '--data', data])).code).toBe(0)
    const answer = await fetch(`${server.url}/paste`, { method: 'POST', headers: json, body: pasteBody })
    expect(answer.status).toBe(201)
    await server.stop()
  },
)
