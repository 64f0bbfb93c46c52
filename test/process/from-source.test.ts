import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { openHighlighted } from '../support/pages.ts'
import { repository, start } from '../support/process.ts'

// Every other test runs the executable. Its child and its worker are started in another way.
test('the sources do what the executable does: create, read, highlight, find, delete, stop', async () => {
  const program = [process.execPath, join(repository, 'src/main.ts')]
  const server = await start({ program, args: ['--rate-limit', 'off'] })
  const { key, paste, get } = createClient(server.url)
  const { rawUrl = '', deletionUrl = '' } = await paste({ text: 'a text from the sources' })
  expect(await (await get(rawUrl)).text()).toBe('a text from the sources')
  await openHighlighted(server)
  const found = async () => (await get('/pastes?q=sources', { key })).text()
  while (!(await found()).includes(rawUrl)) await Bun.sleep(5)
  expect((await get(deletionUrl, {}, { method: 'DELETE' })).status).toBe(200)
  expect((await get(rawUrl)).status).toBe(410)
  expect(await server.stop()).toBe(0)
})
