import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createClient } from './support/client.ts'
import { type RunningServer, start, testKey } from './support/process.ts'
import { failure, newUser } from './support/user.ts'

const user = newUser()
let server: RunningServer
beforeAll(async () => {
  server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
  await user.logIn(server.url)
})
afterAll(() => server.stop())

describe('shortcrust shorten', () => {
  test('prints the address alone', async () => {
    const { code, stdout, stderr } = await user.run(['shorten', 'https://example.org/a'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^http:\S+\/s\/[a-z0-9]{7}\n$/)
    const { headers } = await fetch(stdout.trim(), { redirect: 'manual' })
    expect(headers.get('location')).toBe('https://example.org/a')
  })

  test('prints with --json the whole answer', async () => {
    const { stdout } = await user.run(['shorten', 'https://example.org/a', '--json'])
    expect(stdout).toEndWith('}\n')
    expect(JSON.parse(stdout)).toEqual({
      success: true,
      message: 'Short link created',
      shortendUrl: expect.stringContaining('/s/'),
      deletionUrl: expect.stringContaining('/shortener/delete?key='),
    })
  })

  test('passes on why the server refuses an address', async () => {
    expect(await user.run(['shorten', 'example.org'])).toEqual(failure(1, /Invalid URL format/))
  })
})

describe('shortcrust delete', () => {
  test('deletes pastes and short links, by their deletion address alone', async () => {
    const client = createClient(server.url)
    const stranger = newUser()
    for (const { deletionUrl = '', pasteUrl, shortendUrl = '' } of [
      await client.paste(),
      await client.link(),
    ]) {
      expect(await stranger.run(['delete', deletionUrl])).toEqual({
        code: 0,
        stdout: '',
        stderr: 'deleted\n',
      })
      expect((await client.get(pasteUrl ?? shortendUrl)).status).toBe(410)
      expect(await stranger.run(['delete', deletionUrl])).toEqual(failure(1, /[Dd]elet/))
    }
  })

  test('prints with --json the answer of the server', async () => {
    const { deletionUrl = '' } = await createClient(server.url).paste()
    const { stdout } = await user.run(['delete', '--json', deletionUrl])
    expect(JSON.parse(stdout)).toEqual({ success: true, message: 'The paste was deleted' })
  })

  test.each([
    'x',
    'http://127.0.0.1:1/p/abcdefghjk',
    'http://127.0.0.1:1/paste/delete',
    'http://127.0.0.1:1/paste/delete?key=',
    'http://127.0.0.1:1/paste/delete/?key=a',
    'ftp://127.0.0.1:1/paste/delete?key=a',
    '/paste/delete?key=a',
  ])('refuses %p, which is no deletion address, without asking anybody', async (address) => {
    expect(await user.run(['delete', address])).toEqual(failure(2, /expected the deletionUrl of an answer/))
  })

  test('sends no API key, works below a path, and shows no deletion key when it fails', async () => {
    const seen: unknown[] = []
    const other = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ method, url, headers }) => {
        seen.push([method, new URL(url).pathname + new URL(url).search, headers.get('key')])
        return new Response('no', { status: 404 })
      },
    })
    const address = `http://127.0.0.1:${other.port}/sub/shortener/delete?key=secretsecret`
    const result = await user.run(['delete', address], { env: { SHORTCRUST_KEY: testKey } })
    expect(result).toEqual(failure(5, /\/sub does not answer like a Shortcrust server \(404/))
    expect(result.stderr).not.toContain('secret')
    expect(seen).toEqual([['DELETE', '/sub/shortener/delete?key=secretsecret', null]])
    await other.stop(true)
  })
})
