import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { type RunningServer, run, start } from '../support/process.ts'

const bodies = {
  paste: { ...examplePaste, text: 'a second one' },
  shortener: { url: 'https://example.org/second' },
}

describe.each(['paste', 'shortener'] as const)('the name of an item of POST /%s', (path) => {
  let server: RunningServer
  const files: Record<string, string> = {}
  const post = (alias: string, key?: string) =>
    createClient(server.url, key).post(`/${path}`, { ...bodies[path], alias })

  beforeAll(async () => {
    const args = ['--rate-limit', 'off', '--log', 'off']
    const first = await start({ args })
    server = first
    for (const alias of ['is-damaged', 'is-unreadable']) {
      const { deletionUrl = '' } = (await (await post(alias)).json()) as { deletionUrl?: string }
      const id = new URL(deletionUrl).searchParams.get('key')?.slice(0, path === 'paste' ? 10 : 7) ?? ''
      const folder = path === 'paste' ? 'pastes' : 'links'
      files[alias] = join(first.data, folder, id.slice(0, 2), `${id}.json`)
    }
    await first.stop()
    server = await start({ args, data: first.data })
  })
  afterAll(() => server.stop())

  test('that is damaged may be taken again by its key, and by no other', async () => {
    writeFileSync(files['is-damaged'] ?? '', '{}')
    const { stdout } = await run(['keys', 'add', 'other', '--data', server.data])
    await expectError(await post('is-damaged', stdout.trim()), 409, /is taken/)
    expect((await post('is-damaged')).status).toBe(201)
    await expectError(await post('is-damaged'), 409, /is taken/)
    const at = path === 'paste' ? '/p/raw/is-damaged' : '/s/is-damaged'
    const found = await createClient(server.url).get(at, {}, { redirect: 'manual' })
    expect(found.headers.get('location') ?? (await found.text())).toBe(
      path === 'paste' ? bodies.paste.text : bodies.shortener.url,
    )
  })

  test('that cannot be read stays its own until it can be', async () => {
    const file = files['is-unreadable'] ?? ''
    renameSync(file, `${file}.kept`)
    mkdirSync(file)
    await expectError(await post('is-unreadable'), 500)
    rmdirSync(file)
    renameSync(`${file}.kept`, file)
    await expectError(await post('is-unreadable'), 409, /is taken/)
  })
})
