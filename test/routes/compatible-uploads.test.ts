import { describe, expect, test } from 'bun:test'
import { browser, expectError } from '../support/expectations.ts'
import { run, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'

const { server, client } = withServer()
const guests = withServer({
  args: [...quiet, '--guest-from', '127.0.0.0/8', '--guest-key', 'environment'],
})

const program = { Accept: '*/*' }
const keyed = { ...program, key: testKey }

const multipart = (...parts: readonly (readonly [name: string, value: string | File])[]) => {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return form
}
const post = (
  body: RequestInit['body'],
  headers: Record<string, string> = keyed,
  path = '/',
  url = server.url,
) => fetch(url + path, { method: 'POST', headers, body })
const file = (name = 'file') => [name, new File(['hello\n'], 'a.txt')] as const

const addressOf = async (response: Response, status = 201) => {
  expect(response.status).toBe(status)
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  const address = await response.text()
  expect(address).toMatch(/^http:\S+\/[ps]\/[\w-]+\n$/)
  return address.trim()
}
const rawOf = async (address: string) => (await fetch(address.replace('/p/', '/p/raw/'))).text()
const newest = async () => {
  const { pastes } = (await (await client.get(`${server.url}/pastes`, keyed)).json()) as {
    pastes: Record<string, unknown>[]
  }
  return pastes[0] as { maxReads?: number; expiresAt?: string; createdAt: string }
}
const lifetimeOf = ({ expiresAt = '', createdAt }: Awaited<ReturnType<typeof newest>>) =>
  Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1000)

describe('a field that a program sends', () => {
  const unknown: readonly (readonly [what: string, send: () => Promise<Response>])[] = [
    ['beside a file', () => post(multipart(file(), ['password', 'x']))],
    ['beside an address to shorten', () => post(multipart(['shorten', 'http://nas/'], ['password', 'x']))],
    ['in the address of an upload', () => post('text', keyed, '/?expiry=1h')],
    ['in a form', () => post(new URLSearchParams({ key: testKey, text: 'a', poster: 'me' }), program)],
    [
      'in a form of the other kind',
      () => post(multipart(['key', testKey], ['url', 'http://nas/'], ['maxReads', '1']), program),
    ],
    ['in a form with its key in a header', () => post(new URLSearchParams({ text: 'a', visibility: 'me' }))],
    [
      'in a form of a guest',
      () => post(new URLSearchParams({ text: 'a', private: '1' }), program, '/', guests.server.url),
    ],
  ]
  test.each(unknown)('%s is never dropped in silence: 422 names the known ones', async (_, send) => {
    const error = await expectError(await send(), 422, /^Unknown field "\w+"\. The known ones are: /)
    expect(error).toContain('expiresIn')
  })

  test('that says "once" is kept, wherever it stands', async () => {
    for (const send of [
      () => post(multipart(file('oneshot'))),
      () => post(multipart(file(), ['oneshot', '1'])),
      () => post('text', keyed, '/?oneshot=1'),
      () => post(multipart(['key', testKey], ['text', 'a'], ['oneshot', '1']), program),
      () => post(multipart(['key', testKey], ['text', 'a'], ['burn', '1']), program),
    ]) {
      await addressOf(await send())
      expect((await newest()).maxReads).toBe(1)
    }
    const link = await addressOf(
      await post(multipart(['key', testKey], ['url', 'http://nas/'], ['oneshot', '1']), program),
    )
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(403)
  })

  test('that says how long is kept, also in the header "expire"', async () => {
    for (const [send, seconds] of [
      [() => post(multipart(file(), ['expires', '2'])), 7200],
      [() => post(multipart(file()), { ...keyed, expire: '10min' }), 600],
      [() => post('text', { ...keyed, expire: '1h 30m' }), 5400],
      [() => post(multipart(['key', testKey], ['text', 'a'], ['expires', '7d']), program), 604_800],
    ] as const) {
      await addressOf(await send())
      expect(lifetimeOf(await newest())).toBe(seconds)
    }
    await expectError(await post('text', { ...keyed, expire: 'soon' }), 422, /header "expire"/)
  })

  test('that asks for secrecy is kept, and refused beside a name, which can be guessed', async () => {
    await addressOf(await post(multipart(file(), ['secret', ''])))
    await expectError(await post(multipart(file(), ['secret', ''], ['alias', 'wiki'])), 422, /"secret"/)
  })

  test('that asks for what this server does not do is refused', async () => {
    for (const name of ['protected', 'remote', 'url', 'oneshot_url', 'shorten'])
      await expectError(await post(multipart(file(name))), 422, new RegExp(`"${name}"`))
    await expectError(await post(multipart(['remote', 'http://nas/'])), 422, /fetches nothing/)
  })
})

describe('a program that sends the form of the page', () => {
  const forms = [
    ['multipart', (fields: Record<string, string>) => multipart(...Object.entries(fields))],
    ['urlencoded', (fields: Record<string, string>) => new URLSearchParams(fields)],
  ] as const

  test.each(forms)('as %s gets the address alone, and its bytes are kept', async (_, encode) => {
    const text = ' a\r\nb\r\n+%41&text=é 😀'
    const answer = await post(encode({ key: testKey, text, title: 'T' }), program)
    const deletion = answer.headers.get('Deletion-Url') ?? ''
    const address = await addressOf(answer)
    expect(answer.headers.get('Location')).toBe(address)
    expect(await rawOf(address)).toBe(text)
    expect((await fetch(deletion, { method: 'DELETE' })).status).toBe(200)
    const link = await addressOf(await post(encode({ key: testKey, url: 'http://nas/' }), program))
    expect((await client.get(link)).headers.get('Location')).toBe('http://nas/')
  })

  test('without a header needs none where a field has the key, also from guests', async () => {
    const send = (key: string) =>
      post(new URLSearchParams({ key, text: 'of a key' }), program, '/', guests.server.url)
    expect(await rawOf(await addressOf(await send(testKey)))).toBe('of a key')
    await expectError(await send('wrong'), 401, /not valid/)
  })

  test('with a file is told where the key belongs', async () => {
    await expectError(await post(multipart(['key', testKey], file()), program), 401, /header "key"/)
  })

  test.each(['text=a\n', 'a=b&c', 'text=a b', 'text=100%', 'text=%zz', 'the text=a', ''.padEnd(9, '&')])(
    'as %j does not, so it is a text, whatever its type says',
    async (text) => {
      const headers = { ...program, 'Content-Type': 'application/x-www-form-urlencoded' }
      for (const answer of [
        await post(text, headers, '/', guests.server.url),
        await post(text, { ...headers, key: testKey }),
      ])
        expect(await rawOf(await addressOf(answer))).toBe(text)
    },
  )
})

const senders = [
  ['with its key in a header', (fields: [string, string][]) => post(multipart(...fields))],
  [
    'with its key as a field',
    (fields: [string, string][]) => post(multipart(['key', testKey], ...fields), program),
  ],
  ['of a guest', (fields: [string, string][]) => post(multipart(...fields), program, '/', guests.server.url)],
] as const

describe.each(senders)('a form %s', (_, send) => {
  const texts = ['text', 'é 😀\r\n&=+%41', 'a\0b', 'a'.repeat(1024 ** 2)]

  test.each(['text', 'sprunge', 'f:1', 'clbin', 'c', 'content', 'raw', 'file'])(
    'has its text in %s, and is answered with the address alone',
    async (name) => {
      for (const text of texts) {
        const address = await addressOf(await send([[name, text]]))
        expect(await rawOf(address)).toBe(text)
      }
      await expectError(await send([[name, '']]), 422, /empty/)
    },
  )

  test.each([
    ['shorten', {}, 302],
    ['url', {}, 302],
    ['url', { secret: '', expires: '24' }, 302],
    ['oneshot_url', {}, 403],
    ['url', { oneshot: '1' }, 403],
  ])('has an address to shorten in %s, beside %j', async (name, more, status) => {
    const address = await addressOf(await send([[name, 'http://nas/?a=b&c'], ...Object.entries(more)]))
    expect(address).toContain('/s/')
    const answer = await fetch(address, { redirect: 'manual' })
    expect(answer.status).toBe(status)
    if (status === 302) expect(answer.headers.get('Location')).toBe('http://nas/?a=b&c')
  })

  test.each<[fields: [string, string][], what: RegExp]>([
    [
      [
        ['sprunge', 'a'],
        ['text', 'b'],
      ],
      /one text too many/,
    ],
    [
      [
        ['text', 'a'],
        ['text', 'b'],
      ],
      /"text" is sent twice/,
    ],
    [
      [
        ['c', 'a'],
        ['shorten', 'http://nas/'],
      ],
      /./,
    ],
    [
      [
        ['shorten', 'http://nas/'],
        ['url', 'http://nas/'],
      ],
      /one url too many/,
    ],
    [
      [
        ['shorten', 'http://nas/'],
        ['title', 'a'],
      ],
      /Unknown field "title"/,
    ],
    [
      [
        ['sprunge', 'a'],
        ['visibility', '1'],
      ],
      /Unknown field "visibility"/,
    ],
    [[['remote', 'http://nas/']], /fetches nothing/],
  ])('of %j is refused', async (fields, what) => {
    await expectError(await send(fields), 422, what)
  })

  test('of an address that is none is refused', async () => {
    await expectError(await send([['shorten', 'nonsense']]), 400, /Invalid URL/)
  })
})

describe('a key that may create one kind only', () => {
  const keyOf = async (only: string) =>
    (
      await run([
        'keys',
        'add',
        `only-${only}-${Math.random()}`.slice(0, 20),
        '--only',
        only,
        '--data',
        server.data,
      ])
    ).stdout.trim()

  test('gets that kind, in every form, and is told why not the other', async () => {
    for (const [only, field, other] of [
      ['paste', ['sprunge', 'a'], ['shorten', 'http://nas/']],
      ['shorten', ['shorten', 'http://nas/'], ['sprunge', 'a']],
    ] as const) {
      const key = await keyOf(only)
      const both = [
        (of: typeof field | typeof other) => post(multipart(of), { ...program, key }),
        (of: typeof field | typeof other) => post(multipart(['key', key], of), program),
        (of: typeof field | typeof other) => post(new URLSearchParams([[...of]]), { ...program, key }),
      ]
      for (const send of both) {
        await addressOf(await send(field))
        await expectError(await send(other), 403, /may create/)
      }
    }
  })
})

describe('a body with the type of urlencoded forms', () => {
  const headers = { ...keyed, 'Content-Type': 'application/x-www-form-urlencoded' }

  test.each([
    ['sprunge=a%20b%0A&lang=text', 'a b\n'],
    ['f:1=a', 'a'],
    ['clbin=%C3%A9', 'é'],
    ['c=1', 'c=1'],
    ['content=1&raw=2', 'content=1&raw=2'],
    ['sprunge', 'sprunge'],
  ])('%s is the text %j', async (body, text) => {
    expect(await rawOf(await addressOf(await post(body, headers)))).toBe(text)
  })

  test.each(['shorten=http://nas/?a=b', 'url=http%3A%2F%2Fnas%2F%3Fa%3Db'])(
    '%s is an address',
    async (body) => {
      const address = await addressOf(await post(body, headers))
      const answer = await fetch(address, { redirect: 'manual' })
      expect(answer.headers.get('Location')).toBe('http://nas/?a=b')
    },
  )

  test.each(['sprunge=not escaped', 'f:1=a\n', 'sprunge=100%'])('%j is refused', async (body) => {
    await expectError(await post(body, headers), 422, /not escaped/)
  })

  test('is refused where it escapes what is not UTF-8', async () => {
    await expectError(await post('text=%ff', headers), 400, /UTF-8/)
    await expectError(
      await post(`key=${testKey}&text=%ff`, { ...program, 'Content-Type': headers['Content-Type'] }),
      400,
      /UTF-8/,
    )
    expect(await rawOf(await addressOf(await post('text=%EF%BF%BD', headers)))).toBe('\ufffd')
  })
})

describe('wgetpaste 2.33', () => {
  const boundary = 'WGETPASTE-1sQZYb7qiSkT18ZwWPNg18gEmHRztv'
  const envelope = (disposition: string, text: string) =>
    `--${boundary}\nContent-Disposition: form-data; ${disposition}\n\n${text}\n--${boundary}--\n`
  const types = ['application/x-www-form-urlencoded', `multipart/form-data; boundary=${boundary}`]

  test.each(['name="sprunge"', 'name="f:1"', 'name="file"', 'name="file"; filename="a.txt"'])(
    'ends its lines with LF alone, and may send the wrong type: %s',
    async (disposition) => {
      for (const type of types)
        for (const text of ['hello', 'é\r\n\n--x\n', 'a'.repeat(1024 ** 2 - 300)]) {
          const body = envelope(disposition, text)
          const answer = await post(body, { ...keyed, 'Content-Type': type, 'User-Agent': 'Wget/1.25.0' })
          expect(await rawOf(await addressOf(answer))).toBe(text)
        }
    },
  )

  test('is refused with a form that does not end', async () => {
    for (const type of types)
      await expectError(
        await post(envelope('name="c"', 'a').slice(0, -4), { ...keyed, 'Content-Type': type }),
        400,
      )
  })
})

describe('a server that does not speak a protocol', () => {
  const { server: silent } = withServer({ args: [...quiet, '--protocols', 'none'] })

  test('refuses its fields, its files and its header', async () => {
    const send = (body: RequestInit['body'], headers: Record<string, string> = keyed) =>
      post(body, headers, '/', silent.url)
    for (const name of ['sprunge', 'f:1', 'c', 'shorten', 'oneshot_url', 'file'])
      await expectError(await send(multipart([name, 'http://nas/'])), 422, /Unknown field/)
    await expectError(await send(multipart(file('oneshot'))), 422, /"oneshot"/)
    await expectError(await send('text', { ...keyed, expire: '10min' }), 422, /"expire"/)
    await addressOf(await send(multipart(file())))
    await addressOf(await send(multipart(['url', 'http://nas/'])))
  })
})

test('a browser gets a page for the form of another program', async () => {
  const answer = await post(multipart(['key', testKey], ['sprunge', 'a']), browser)
  expect(answer.status).toBe(201)
  expect(await answer.text()).toContain('Paste created')
})
