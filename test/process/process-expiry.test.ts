import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { browser, expectError } from '../support/expectations.ts'
import { isGone } from '../support/gone.ts'
import { run, start, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { filesIn } from '../support/store.ts'

const args = ['--rate-limit', 'off', '--log', 'off']
const idOf = (address = '') => address.split('/').at(-1) as string
const fileOf = (data: string, address = '') =>
  join(data, address.includes('/s/') ? 'links' : 'pastes', idOf(address).slice(0, 2), `${idOf(address)}.json`)

/** Waits for the instant that an answer names. */
const instantOf = (answer: Record<string, string>) =>
  Bun.sleep(Date.parse(answer.expiresAt ?? '') - Date.now())

describe('what is created with a lifetime', () => {
  const { server, client } = withServer({ args })

  const create = async (path: string, body: object) => {
    const response = await client.post(path, body)
    expect(response.status).toBe(201)
    return (await response.json()) as Record<string, string>
  }

  test('is 410 at every address from its instant on, and soon gone from disk', async () => {
    const paste = await create('/paste', { ...examplePaste, expiresIn: 1 })
    const link = await create('/shortener', { url: 'https://example.org/', expiresIn: '1s' })
    const [pasteId, linkId] = [idOf(paste.pasteUrl), idOf(link.shortendUrl)]
    const hot = await client.get(paste.rawUrl ?? '')
    const etag = hot.headers.get('ETag') ?? ''
    const files = [fileOf(server.data, paste.pasteUrl), fileOf(server.data, link.shortendUrl)]
    const areGone = Promise.all(files.map(isGone))
    await instantOf(link)
    for (const path of [
      `/p/${pasteId}`,
      `/p/raw/${pasteId}`,
      `/raw/${pasteId}`,
      `/documents/${pasteId}`,
      `/qr/p/${pasteId}`,
      `/${pasteId}`,
      `/s/${linkId}`,
      `/s/${linkId}+`,
      `/qr/s/${linkId}`,
    ])
      await expectError(await client.get(path, { 'If-None-Match': etag }), 410, /expired/)
    await areGone
    await expectError(await client.get(`/p/${pasteId}`), 410, /^This paste was deleted or has expired\.$/)
    expect((await run(['verify', '--data', server.data])).code).toBe(0)
  })

  test('is kept by no cache beyond it, and shows when it expires', async () => {
    const {
      pasteUrl = '',
      rawUrl = '',
      expiresAt = '',
    } = await create('/paste', { ...examplePaste, expiresIn: '1w' })
    const link = await create('/shortener', { url: 'https://example.org/', expiresIn: 3600 })
    expect(Date.parse(expiresAt) - Date.now()).toBeWithin(604_790_000, 604_800_001)
    for (const address of [pasteUrl, rawUrl, link.shortendUrl ?? ''])
      expect((await client.get(address)).headers.get('Cache-Control')).toMatch(/no-cache|no-store/)
    const page = await (await client.get(pasteUrl, { Accept: 'text/html' })).text()
    expect(page).toContain(`Expires </span><time class="left" datetime="${expiresAt}">`)
    expect(await (await client.get(`${link.shortendUrl}+`)).text()).toContain(
      `Expires <time datetime="${link.expiresAt}">`,
    )
    const json = await (await client.get(pasteUrl, { Accept: 'application/json' })).json()
    expect(json).toMatchObject({ expiresAt })
  })

  test.each([0, -1, 1.5, '', '1y', 315_360_001, null, '9'.repeat(100_000)])(
    'is refused with 422 for a lifetime of %j',
    async (expiresIn) => {
      const told = /"expiresIn" must be a lifetime from 1 second to 10 years/
      await expectError(await client.post('/paste', { ...examplePaste, expiresIn }), 422, told)
      await expectError(await client.post('/shortener', { url: 'no address', expiresIn }), 422, told)
    },
  )

  test('can be sent by a plain curl, by a form and from the command line', async () => {
    const headers = { key: testKey }
    const form = new FormData()
    form.append('file', new File(['a'], 'a.txt'))
    form.append('expiresIn', '2h')
    const home = new FormData()
    for (const [name, value] of Object.entries({
      ...examplePaste,
      create: 'paste',
      key: testKey,
      expiresIn: '1d',
    }))
      home.append(name, value)
    const post = (body: FormData, init: object) => fetch(server.url, { method: 'POST', body, ...init })
    const addresses = [
      (await fetch(`${server.url}/a.txt?expiresIn=600`, { method: 'PUT', headers, body: 'a' })).headers,
      (await post(form, { headers })).headers,
    ].map((answer) => answer.get('Location') ?? '')
    addresses.push((await (await post(home, {})).text()).trim())
    const env = { SHORTCRUST_SERVER: server.url, SHORTCRUST_KEY: testKey }
    const pasted = await run(['paste', '--expires-in', '90'], env, [], { stdin: 'a' })
    addresses.push(pasted.stdout.trim())
    const lifetimes = await Promise.all(
      addresses.map(async (address) => {
        const answer = await (await client.get(address, { Accept: 'application/json' })).json()
        const { createdAt, expiresAt } = answer as { createdAt: string; expiresAt: string }
        return (Date.parse(expiresAt) - Date.parse(createdAt)) / 1000
      }),
    )
    expect(lifetimes).toEqual([600, 7200, 86_400, 90])
    const short = await run(['shorten', 'https://example.org/', '--expires-in', '10m', '--json'], env)
    expect(JSON.parse(short.stdout)).toHaveProperty('expiresAt')
    const refused = await run(['shorten', 'https://example.org/', '--expires-in', 'soon'], env)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('"expiresIn" must be')])
    await expectError(
      await fetch(`${server.url}/a.txt?expiresIn=1y`, { method: 'PUT', headers, body: 'a' }),
      422,
    )
  })
})

describe('a server with a maximum', () => {
  test('gives it to what names no lifetime, and refuses what is above it by name', async () => {
    const server = await start({ args: [...args, '--max-expiry', '2d'] })
    const client = createClient(server.url)
    const paste = await client.paste()
    expect(paste).not.toHaveProperty('expiresAt')
    const shown = (await (await client.get(paste.pasteUrl ?? '', { Accept: 'application/json' })).json()) as {
      createdAt: string
      expiresAt: string
    }
    expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).toBe(2 * 86_400_000)
    await expectError(
      await client.post('/paste', { ...examplePaste, expiresIn: '49h' }),
      422,
      /above the maximum of this server, 2 days/,
    )
    const form = await (await client.get('/', browser)).text()
    expect(form).toContain('after 2 days (default)')
    expect(form).not.toContain('value="1w"')
    await server.stop()
  })
})

describe('a start', () => {
  test('erases at once what expired while no server ran, also in a folder without an index', async () => {
    const first = await start({ args })
    const client = createClient(first.url)
    const made = await (await client.post('/paste', { ...examplePaste, expiresIn: 1 })).json()
    const paste = made as Record<string, string>
    const stays = await client.paste()
    await first.kill()
    const file = fileOf(first.data, paste.pasteUrl)
    expect(existsSync(file)).toBe(true)
    await instantOf(paste)
    const archive = join(temporaryFolder(), 'backup.tgz')
    expect((await run(['backup', archive, '--data', first.data])).code).toBe(0)
    const restored = join(temporaryFolder(), 'restored')
    expect((await run(['restore', archive, '--data', restored])).code).toBe(0)
    expect(filesIn(restored).filter((name) => name.includes('index.sqlite'))).toEqual([])
    for (const data of [first.data, restored]) {
      const server = await start({ args, data })
      await isGone(fileOf(data, paste.pasteUrl))
      expect(existsSync(fileOf(data, stays.pasteUrl))).toBe(true)
      await server.stop()
      expect((await run(['verify', '--data', data])).stdout).toContain('0 damaged, 0 foreign')
    }
  })
})
