import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start } from '../support/process.ts'

test('a server is alive and ready; without its lock it is alive, but not ready', async () => {
  const server = await start()
  const statuses = () =>
    Promise.all(['/healthz', '/readyz'].map(async (path) => (await fetch(server.url + path)).status))
  expect(await statuses()).toEqual([200, 200])
  rmSync(join(server.data, 'lock'))
  expect(await statuses()).toEqual([200, 503])
  writeFileSync(join(server.data, 'lock'), '')
  expect(await statuses()).toEqual([200, 503])
  const { error } = (await (await fetch(`${server.url}/readyz`)).json()) as { error: string }
  expect(error).toMatch(/lock of the data folder is gone/)
  await server.stop()
})
