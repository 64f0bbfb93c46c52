import { describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { browser, expectPage } from '../support/expectations.ts'
import { connect } from '../support/hostile.ts'
import { testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server } = withServer({ args: ['--rate-limit', 'off'] })

const mebibyte = 1024 ** 2

const send = (body: FormData | URLSearchParams) =>
  fetch(`${server.url}/`, { method: 'POST', headers: browser, body })

/** A form with its fields in this order. */
const form = (fields: Readonly<Record<string, string>>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}
const paste = { title: 'T', description: '', language: 'text', create: 'paste' }

describe('a form of the start page', () => {
  const codings = [
    ['multipart', form],
    ['urlencoded', (fields: Record<string, string>) => new URLSearchParams(fields)],
  ] as const

  test.each(codings)('has at most 20 fields, sent as %s', async (_, encode) => {
    const link = { key: testKey, url: 'https://example.org/', create: 'link' }
    const body = (count: number) => {
      const made = encode(link)
      for (let at = 0; at < count; at++) made.append('q', '')
      return made
    }
    await expectPage(await send(body(17)), 201)
    expect(await expectPage(await send(body(18)), 422)).toContain('at most 20 fields')
  })

  test('is small where it is urlencoded, and says what is too large', async () => {
    const text = 'x'.repeat(128 * 1024)
    const html = await expectPage(await send(new URLSearchParams({ ...paste, key: testKey, text })), 413)
    expect(html).toContain('larger than 131072 bytes')
    await expectPage(await send(form({ key: testKey, ...paste, text })), 201)
  })

  test('may have the key before or after a long text', async () => {
    const text = 'y'.repeat(mebibyte)
    for (const fields of [
      { key: testKey, ...paste, text },
      { text, ...paste, key: testKey },
    ]) {
      const html = await expectPage(await send(form(fields)), 201)
      const [, pages = '', id = ''] = /(http[^"]+\/p\/)([a-z0-9]+)"/.exec(html) ?? []
      expect(await (await fetch(`${pages}raw/${id}`)).text()).toBe(text)
    }
  })

  test('takes a text of the largest size whose every line end came as two bytes', async () => {
    const text = '\n'.repeat(mebibyte)
    const html = await expectPage(
      await send(form({ key: testKey, ...paste, text: text.replaceAll('\n', '\r\n') })),
      201,
    )
    const [, pages = '', id = ''] = /(http[^"]+\/p\/)([a-z0-9]+)"/.exec(html) ?? []
    expect((await (await fetch(`${pages}raw/${id}`)).bytes()).length).toBe(mebibyte)
  })

  test.each([
    ['no key', ''],
    ['a wrong key', 'wrong-and-not-shown'],
    ['a valid key and an unknown language', testKey],
  ])('that is refused for %s comes back without what is long', async (_, key) => {
    const fields = { ...paste, title: 'Kept', language: 'klingon', text: '<'.repeat(mebibyte) }
    const html = await expectPage(await send(form({ key, ...fields })), key === testKey ? 422 : 401)
    expect(html.length).toBeLessThan(100_000)
    expect(html).toContain('Go back: it is still there.')
    expect(html).toContain('value="Kept"')
    expect(html).not.toContain('&lt;')
  })

  test('is logged when it created something, as the API does it', async () => {
    await expectPage(await send(form({ key: testKey, ...paste, text: 'secret text' })), 201)
    await server.stderr.waitFor(/paste created id=\w{10} owner=environment client=127\.0\.0\.1/)
    await expectPage(await send(form({ key: testKey, create: 'link', url: 'https://example.org/' })), 201)
    await server.stderr.waitFor(/short link created id=\w{7} owner=environment client=127\.0\.0\.1/)
    expect(server.stderr.text()).not.toContain('secret text')
  })
})

describe('strangers who send all they can', () => {
  const part = (name: string, value: string) =>
    `--XyZ\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`
  const head = [
    'POST / HTTP/1.1',
    'Host: nas',
    'Content-Type: multipart/form-data; boundary=XyZ',
    `Content-Length: ${2 * mebibyte}`,
  ].join('\r\n')
  const almost = `${head}\r\n\r\n${part('text', 'x'.repeat(2 * mebibyte - 1000))}`
  const isAnswered = (received: string) => received.includes('HTTP/1.1')

  /** Connections that hold the room of strangers; the last one was sent away, for there was none left. */
  const fillTheRoom = async () => {
    const held: Awaited<ReturnType<typeof connect>>[] = []
    for (let at = 0; at < 40; at++) {
      const connection = await connect(server.url)
      held.push(connection)
      for (let from = 0; from < almost.length; from += 65_536) {
        connection.send(almost.slice(from, from + 65_536))
        // Its answer comes after the bytes were read: the server is asked something else in between.
        await fetch(`${server.url}/healthz`)
      }
      if (isAnswered(connection.received())) return held
    }
    throw new Error('nobody was sent away')
  }

  test('keep no one waiting who has a key, and newcomers are told when to come again', async () => {
    const held = await fillTheRoom()
    expect(held.at(-1)?.received()).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 5\r\n/s)

    const newcomer = await send(form({ text: 'z'.repeat(2 * mebibyte), ...paste }))
    expect(newcomer.headers.get('Retry-After')).toBe('5')
    expect(await expectPage(newcomer, 503)).toContain('Wait a moment, then go back and try again.')

    await expectPage(await send(form({ key: testKey, ...paste, text: 'z'.repeat(mebibyte) })), 201)
    expect((await createClient(server.url).post('/shortener', { url: 'http://nas/' })).status).toBe(201)
    expect(server.stderr.text()).not.toMatch(/ error /)

    for (const connection of held) connection.close()
    await Promise.all(held.map(({ closed }) => closed))
    await expectPage(await send(form({ text: 'z'.repeat(mebibyte), ...paste, key: testKey })), 201)
  })

  test('have their room for themselves: a form that has shown a valid key takes none of it', async () => {
    const begun = `${head}\r\n\r\n${part('text', 'x'.repeat(2 * mebibyte - 2000))}\r\n${part('key', testKey)}\r\n--XyZ`
    const held: Awaited<ReturnType<typeof connect>>[] = []
    for (let at = 0; at < 9; at++) {
      const connection = await connect(server.url)
      held.push(connection)
      for (let from = 0; from < begun.length; from += 65_536) {
        connection.send(begun.slice(from, from + 65_536))
        await fetch(`${server.url}/healthz`)
      }
    }
    await expectPage(await send(form({ text: 'z'.repeat(2 * mebibyte), ...paste })), 401)
    expect(held.filter((connection) => isAnswered(connection.received()))).toEqual([])
    for (const connection of held) connection.close()
    await Promise.all(held.map(({ closed }) => closed))
  })
})
