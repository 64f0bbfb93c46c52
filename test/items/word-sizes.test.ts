import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { browser, expectError } from '../support/expectations.ts'
import { run, temporaryFolder, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'

const { server } = withServer({ args: [...quiet, '--max-paste', '4KiB'] })

describe.each([
  ['title', 1024, /^Field "title" is longer than 1 KiB \(1024 bytes of UTF-8\); shorten it\.$/],
  ['description', 8192, /^Field "description" is longer than 8 KiB \(8192 bytes of UTF-8\); shorten it\.$/],
])('the longest %s has %d bytes', (field, bytes, says) => {
  test.each([
    ['one byte a character', 'a', 1],
    ['two bytes a character', 'é', 2],
    ['four bytes a character', '😀', 4],
    ['six bytes of JSON a character', '\u0001', 1],
  ])('counted in UTF-8, whatever --max-paste says: %s', async (_, character, width) => {
    const { post, get } = createClient(server.url)
    const words = character.repeat(bytes / width)
    const created = await post('/paste', { ...examplePaste, [field]: words })
    expect(created.status).toBe(201)
    const { pasteUrl } = (await created.json()) as { pasteUrl: string }
    expect(await (await get(pasteUrl, { accept: 'application/json' })).json()).toMatchObject({
      [field]: words,
    })
    const { pastes } = (await (await get('/pastes?limit=1', { key: testKey })).json()) as {
      pastes: object[]
    }
    expect(pastes).toEqual([expect.objectContaining({ [field]: words })])
    await expectError(await post('/paste', { ...examplePaste, [field]: `${words}a` }), 422, says)
  })

  test('and is looked at after the size of the text', async () => {
    const body = { ...examplePaste, text: 'a'.repeat(4097), [field]: 'a'.repeat(bytes + 1) }
    await expectError(await createClient(server.url).post('/paste', body), 413, /"text"/)
  })

  test('also in the forms of the page', async () => {
    const body = new URLSearchParams({ ...examplePaste, key: testKey, [field]: 'a'.repeat(bytes + 1) })
    const response = await fetch(server.url, { method: 'POST', body, headers: browser })
    expect(response.status).toBe(422)
    expect(await response.text()).toContain(`Shorten the ${field} to ${bytes / 1024} KiB.`)
  })
})

test('import reports a title that the server does not take, and goes on', async () => {
  const file = join(temporaryFolder(), 'items.jsonl')
  const lineOf = (title: string) => JSON.stringify({ type: 'paste', ...examplePaste, title })
  await Bun.write(file, `${lineOf('x'.repeat(1025))}\n${lineOf('imported')}\n`)
  const login = { SHORTCRUST_SERVER: server.url, SHORTCRUST_KEY: testKey }
  const { code, stderr } = await run(['import', file, '--write'], login)
  expect(stderr).toMatch(/line 1: .*"title" is longer than 1 KiB/)
  expect(code).toBe(1)
  const { pastes } = (await (
    await createClient(server.url).get('/pastes?limit=1', { key: testKey })
  ).json()) as { pastes: object[] }
  expect(pastes).toEqual([expect.objectContaining({ title: 'imported' })])
})
