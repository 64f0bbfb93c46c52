import { beforeAll, describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { run, start, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { failure, newUser } from '../support/user.ts'

type Addresses = { pasteUrl?: string; rawUrl?: string; deletionUrl?: string }

const user = newUser()
const { server } = withServer()
beforeAll(async () => {
  await user.logIn(server.url)
})

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

  test('deletes what a key made by every address that list prints, by name and by id', async () => {
    const client = createClient(server.url)
    const make = async (kind: string, name: string) => {
      const {
        pasteUrl = '',
        rawUrl = '',
        deletionUrl = '',
      } = kind === 'paste'
        ? ((await (await client.post('/paste', { ...examplePaste, alias: name })).json()) as Addresses)
        : { pasteUrl: (await client.link(undefined, { alias: name })).shortendUrl, deletionUrl: '' }
      const id = /key=([a-z0-9]{10})/.exec(deletionUrl)?.[1] ?? ''
      return { page: pasteUrl, raw: rawUrl, id, name, upper: name.toUpperCase(), preview: `${pasteUrl}+` }
    }
    for (const [kind, ways] of [
      ['paste', ['page', 'raw', 'id', 'name', 'upper']],
      ['link', ['page', 'preview', 'name']],
    ] as const)
      for (const way of ways) {
        const made = await make(kind, `${kind}-by-${way}`)
        expect(await user.run(['delete', made[way]])).toEqual({
          code: 0,
          stdout: '',
          stderr: `deleted ${kind === 'paste' ? 'paste' : 'short link'} ${made.page}\n`,
        })
        expect((await client.get(made.page)).status).toBe(410)
      }
    const links = await client.link('https://example.org/by-id')
    const id = links.shortendUrl?.slice(-7) ?? ''
    expect(await user.run(['delete', id, '--json'])).toMatchObject({
      stdout: '{"success":true,"message":"The short link was deleted"}\n',
    })
  })

  test('deletes nothing by a name that a paste and a link have, and names both', async () => {
    const client = createClient(server.url)
    await client.post('/paste', { ...examplePaste, alias: 'of-both' })
    await client.post('/shortener', { url: 'https://example.org/', alias: 'of-both' })
    expect(await user.run(['delete', 'of-both'])).toEqual(
      failure(2, /is a paste and a short link: give the address, http\S+\/p\/of-both or http\S+\/s\/of-both/),
    )
    for (const path of ['/p/of-both', '/s/of-both']) expect((await client.get(path)).status).not.toBe(410)
    expect(await user.run(['delete', `${server.url}/p/of-both`])).toMatchObject({ code: 0 })
    expect(await user.run(['delete', 'of-both'])).toMatchObject({ code: 0 })
    expect(await user.run(['delete', 'of-both'])).toEqual(failure(1, /was deleted or has expired/))
  })

  test("leaves alone what another key made, what never was, and another server's item of the same name", async () => {
    const client = createClient(server.url)
    const key = (await run(['keys', 'add', 'stranger', '--data', server.data])).stdout.trim()
    await client.post('/paste', { ...examplePaste, alias: 'mine' })
    const asStranger = { env: { SHORTCRUST_KEY: key } }
    expect(await user.run(['delete', 'mine'], asStranger)).toEqual(
      failure(1, /this key made no paste and no short link "mine"/),
    )
    expect(await user.run(['delete', `${server.url}/p/mine`], asStranger)).toEqual(
      failure(1, /There is no paste/),
    )
    expect(await user.run(['delete', `${server.url}/x/p/mine`])).toEqual(
      failure(2, /\/x is not http\S+, which/),
    )
    expect(await user.run(['delete', 'http://nas.example/p/mine'])).toEqual(
      failure(2, /http:\/\/nas\.example is not http\S+, which your key is for/),
    )
    expect(await user.run(['delete', 'http://nas.example/p/nothing'])).toEqual(
      failure(2, /which your key is for/),
    )
    expect(await newUser().run(['delete', 'mine'])).toEqual(failure(2, /no server is known/))
    expect((await client.get('/p/mine')).status).toBe(200)
  })

  test('takes the addresses of a server whose pages are elsewhere', async () => {
    const proxied = await start({
      args: ['--rate-limit', 'off', '--log', 'off', '--public-url', 'https://paste.example/x'],
    })
    const owner = newUser()
    await owner.logIn(proxied.url)
    const { pasteUrl = '' } = await createClient(proxied.url).paste()
    expect(pasteUrl).toStartWith('https://paste.example/x/p/')
    expect(await owner.run(['delete', pasteUrl])).toMatchObject({ code: 0 })
    await proxied.stop()
  })

  test('deletes nothing by a name while it is not known what else has it', async () => {
    const seen: string[] = []
    const other = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ method, url }) => {
        seen.push(`${method} ${new URL(url).pathname}`)
        if (url.includes('/links/'))
          return Response.json({ success: false, error: 'broken' }, { status: 503 })
        const paste = { id: 'abc', createdAt: '2026-01-01T00:00:00Z', pasteUrl: 'http://nas/p/abc' }
        return Response.json({ success: true, paste })
      },
    })
    const env = { SHORTCRUST_KEY: testKey, SHORTCRUST_SERVER: `http://127.0.0.1:${other.port}` }
    expect(await user.run(['delete', 'abc'], { env })).toEqual(failure(6, /broken/))
    expect(seen).toEqual(['GET /pastes/abc', 'GET /links/abc'])
    await other.stop(true)
  })

  test.each([
    'a/b',
    'http://127.0.0.1:1/q/abcdefghjk',
    'http://127.0.0.1:1/p/',
    'http://127.0.0.1:1/paste/delete',
    'http://127.0.0.1:1/paste/delete?key=',
    'http://127.0.0.1:1/paste/delete/?key=a',
    'ftp://127.0.0.1:1/paste/delete?key=a',
    '/paste/delete?key=a',
    '',
    'a'.repeat(65),
  ])('refuses %p, which names no item, without asking anybody', async (address) => {
    expect(await user.run(['delete', address])).toEqual(failure(2, /expected a deletion link/))
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
