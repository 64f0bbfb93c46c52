import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expectError } from '../support/expectations.ts'
import { start, temporaryFolder, testKey } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { quiet, withServer } from '../support/server.ts'

const { server } = withServer()
const guests = withServer({
  args: [...quiet, '--guest-from', '127.0.0.0/8', '--guest-key', 'environment'],
})

const fileAt = async (url: string, headers = {}) =>
  (await fetch(`${url}/clients/pastebinit.conf`, { headers })).text()

/** The bytes that pastebinit 1.6.2 sends with this file. */
const send = (url: string, key: string, text: string, more: Record<string, string> = {}) =>
  fetch(`${url}/form`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'User-Agent': 'Pastebinit v1.6.2',
      Accept: '',
    },
    body: new URLSearchParams({ key, text, title: '', language: 'auto', alias: '', ...more }).toString(),
  })

const printed = async (answer: Response) => {
  expect(answer.status).toBe(201)
  const text = await answer.text()
  expect(text).toMatch(/^http:\S+\/p\/[\w-]+\n$/)
  return text.trim()
}
const rawOf = async (address: string) => (await fetch(address.replace('/p/', '/p/raw/'))).text()

describe('/clients/pastebinit.conf', () => {
  test('is a download that names this server, as it was asked for or as it is set', async () => {
    const { headers } = await fetch(`${server.url}/clients/pastebinit.conf`)
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="pastebinit.conf"')
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    const asked = await fileAt(server.url, { Host: 'nas:8080' })
    expect(asked).toContain('\nbasename = nas:8080\npost_page = form\n')
    expect(asked).toContain('\npassword = YOUR_API_KEY\n')
    const set = await start({ args: ['--base-url', 'https://api.sho.rt/x%20y', '--log', 'off'] })
    expect(await fileAt(set.url)).toContain(
      '\nbasename = api.sho.rt/x%%20y\nhttps = True\npost_page = form\n',
    )
    await set.stop()
  })
})

describe('a form at /form', () => {
  const texts = ['hello', 'é 😀\r\n&=+%41', 'a\0b', 'é\n'.repeat(1024 ** 2 / 3), 'a'.repeat(1024 ** 2)]

  test.each(texts)('keeps every byte of a text, with a key and as a guest', async (text) => {
    expect(await rawOf(await printed(await send(server.url, testKey, text)))).toBe(text)
    expect(await rawOf(await printed(await send(guests.server.url, '', text)))).toBe(text)
  })

  test('takes a title, a language and a custom name', async () => {
    const more = { title: 'T', language: 'python', alias: 'wiki' }
    const address = await printed(await send(server.url, testKey, 'a', more))
    expect(address).toEndWith('/p/wiki')
    const paste = await (await fetch(address, { headers: { Accept: 'application/json' } })).json()
    expect(paste).toMatchObject({ title: 'T', language: 'python', text: 'a' })
  })

  test.each([
    ['a wrong key', () => send(server.url, 'wrong', 'a'), 401],
    ['a wrong key before a long text', () => send(server.url, 'wrong', 'a'.repeat(2 ** 20)), 401],
    ['no key', () => send(server.url, '', 'a'), 401],
    ['no key before a long text', () => send(server.url, '', 'a'.repeat(2 ** 20)), 413],
    ['too long a text', () => send(server.url, testKey, 'a'.repeat(2 ** 20 + 1)), 413],
    ['no text', () => send(server.url, testKey, ''), 422],
    ['a language that is none', () => send(server.url, testKey, 'a', { language: 'nonsense' }), 422],
    ['an unknown field', () => send(server.url, testKey, 'a', { private: '1' }), 422],
  ])('is refused for %s', async (_, ask, status) => {
    await expectError(await ask(), status)
  })

  test('is refused at the rate limit', async () => {
    const limited = await start({ args: ['--rate-limit', '1/9999s', '--log', 'off'] })
    await printed(await send(limited.url, testKey, 'a'))
    await expectError(await send(limited.url, testKey, 'a'), 429)
    await limited.stop()
  })

  test('needs its protocol', async () => {
    const silent = await start({ args: [...quiet, '--protocols', 'haste'] })
    // The description is that of a server that speaks all of them.
    expect((await Bun.fetch(`${silent.url}/form`, { method: 'POST' })).status).toBe(404)
    await silent.stop()
  })
})

describe.skipIf(!requireProgram('pastebinit', 'pastebinit'))('pastebinit', () => {
  /** What it prints, with the file of this server. */
  const pastebinit = async (url: string, key: string, text: string, words: readonly string[] = []) => {
    const home = temporaryFolder()
    mkdirSync(join(home, '.pastebin.d'))
    const file = (await fileAt(url)).replace('password = YOUR_API_KEY', `password = ${key}`)
    await Bun.write(join(home, '.pastebin.d/nas.conf'), file)
    const program = Bun.spawn(['pastebinit', '-b', new URL(url).host, ...words], {
      env: { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, 'none') },
      stdin: Buffer.from(text),
      stderr: 'pipe',
    })
    const [said, errors] = await Promise.all([program.stdout.text(), program.stderr.text()])
    return { said, errors, code: await program.exited }
  }
  const text = `${'hello &=+%41\n\té 😀\n'.repeat(9000)}end`

  test('prints an address that shows the right bytes, with a key and as a guest', async () => {
    for (const [url, key, words] of [
      [server.url, testKey, []],
      [server.url, 'wrong', ['-p', testKey]],
      [guests.server.url, '', []],
    ] as const) {
      const { said, errors, code } = await pastebinit(url, key, text, words)
      expect([code, errors]).toEqual([0, ''])
      expect(said).toMatch(/^http:\S+\/p\/\w{10}\n$/)
      expect(await rawOf(said.trim())).toBe(text)
    }
  })

  test('fails for a wrong key and for an unknown language, and prints no address', async () => {
    for (const [key, words, status] of [
      ['YOUR_API_KEY', [], '401'],
      [testKey, ['-f', 'nonsense'], '422'],
    ] as const) {
      const { said, errors, code } = await pastebinit(server.url, key, text, words)
      expect([said, code]).toEqual(['', 1])
      expect(errors).toContain(status)
    }
  })
})
