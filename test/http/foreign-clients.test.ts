import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expectError } from '../support/expectations.ts'
import { run, start, temporaryFolder, testKey } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { exchange } from '../support/raw-http.ts'
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
    ['as rustypaste sends a link', () => post(multipart(['oneshot_url', 'https://example.org/']))],
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
    for (const name of ['protected', 'remote', 'url', 'oneshot_url'])
      await expectError(await post(multipart(file(name))), 422, new RegExp(`"${name}"`))
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

describe('rpaste 0.10.0', () => {
  /** The bytes that it sends. */
  const sent = (key: string, ...more: readonly string[]) => {
    const body =
      '\r\n--7lsPdjbmEajPiXiZ\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n' +
      'Content-Type: text/plain\r\n\r\nhello\n\r\n--7lsPdjbmEajPiXiZ--'
    const head = [
      'POST / HTTP/1.1',
      'accept-encoding: gzip',
      'user-agent: rustypaste-cli/0.10.0',
      'accept: */*',
      'host: 127.0.0.1',
      'content-type: multipart/form-data; boundary=7lsPdjbmEajPiXiZ',
      `content-length: ${body.length}`,
      ...(key ? [`authorization: ${key}`] : []),
      ...more,
    ]
    return [head, body] as const
  }

  test('gets 200 and exactly one line, with a key and as a guest', async () => {
    const other = await start({ args: [...quiet], env: {} })
    const { stdout } = await run(['keys', 'add', 'of-rpaste', '--data', other.data])
    for (const [url, key] of [
      [other.url, stdout.trim()],
      [guests.server.url, ''],
    ] as const) {
      const answer = await exchange(url, ...sent(key, 'expire: 10min'))
      const { pathname } = new URL(await addressOf(answer, 200))
      expect(await rawOf(url + pathname)).toBe('hello\n')
    }
    await other.stop()
  })
})

describe.skipIf(!requireProgram('pastebinit', 'pastebinit'))('pastebinit', () => {
  /** What it prints, with a configuration of our own. */
  const pastebinit = async (url: string, fields: readonly string[], text: string) => {
    const home = temporaryFolder()
    mkdirSync(join(home, '.pastebin.d'))
    const { host } = new URL(url)
    const lines = ['[pastebin]', `basename = ${host}`, 'paste_regexp = (.*)', '', '[format]', ...fields]
    await Bun.write(join(home, '.pastebin.d/own.conf'), `${lines.join('\n')}\n`)
    const program = Bun.spawn(['pastebinit', '-b', host, '-t', 'A title'], {
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, 'none') },
      stdin: Buffer.from(text),
      stderr: 'pipe',
    })
    const [printed, errors] = await Promise.all([program.stdout.text(), program.stderr.text()])
    return { printed, errors, code: await program.exited }
  }
  const format = ['content = text', 'title = title']
  const text = 'hello &=+%41\n\té 😀\n'.repeat(100)

  test('stores the right bytes and prints an address that shows them, with a key and as a guest', async () => {
    const withKey = [...format, 'key = key', '', '[defaults]', `key = ${testKey}`]
    for (const [url, fields] of [
      [server.url, withKey],
      [guests.server.url, withKey],
      [guests.server.url, [...format, '', '[defaults]']],
    ] as const) {
      const { printed, errors, code } = await pastebinit(url, fields, text)
      expect([code, errors]).toEqual([0, ''])
      expect(printed).toMatch(/^http:\S+\/p\/\w{10}\n$/)
      // It drops white space at the end itself.
      expect(await rawOf(printed.trim())).toBe(text.trimEnd())
    }
  })

  test('fails where a field is not known, and prints no address', async () => {
    const fields = [...format, 'private = private', '', '[defaults]']
    const { printed, errors, code } = await pastebinit(guests.server.url, fields, text)
    expect([printed, code]).toEqual(['', 1])
    expect(errors).toContain('422')
  })
})
