import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { type RunningServer, start, temporaryFolder } from '../support/process.ts'
import { isRoot } from '../support/programs.ts'
import { mountOver } from '../support/small-disk.ts'
import { hasStrace, startTraced } from '../support/strace.ts'

const quiet = ['--rate-limit', 'off', '--log', 'off']
const readiness = async ({ url }: RunningServer) => (await fetch(`${url}/readyz`)).status

const documents = (data: string) => {
  const files = ['pastes', 'links'].flatMap((name) => {
    try {
      return readdirSync(join(data, name), { recursive: true, encoding: 'utf8' })
    } catch {
      return []
    }
  })
  return files.filter((file) => /\.(json|gone)$/.test(file))
}

const expectStorageError = async (response: Response, status: number) => {
  expect(response.status).toBe(status)
  const answer = (await response.json()) as { success: boolean; error: string }
  expect(answer.success).toBe(false)
  expect(answer.error).toMatch(status === 507 ? /full/ : /Storage failed/)
}

describe.skipIf(!hasStrace)('a system call that fails', () => {
  // A start on an existing folder writes, syncs and renames nothing: the faults hit creations alone.
  const faults = [
    ['fsync of the file', 'fsync', 'error=EIO'],
    ['rename', 'rename,renameat,renameat2', 'error=EIO'],
    ['write', 'pwrite64', 'error=EIO'],
    ['write on a full disk', 'pwrite64', 'error=ENOSPC'],
  ] as const

  test.each(faults)(
    'at %s is answered as such, leaves nothing, and harms nothing earlier',
    async (_, call, error) => {
      const data = join(temporaryFolder(), 'data')
      const before = await start({ args: quiet, data })
      const kept = await createClient(before.url).paste({ text: 'kept' })
      await before.stop()
      const keptDocuments = documents(data)
      const keptPath = new URL(kept.rawUrl ?? '').pathname

      const status = error === 'error=ENOSPC' ? 507 : 503
      const { server } = await startTraced({ args: quiet, data }, ['-e', `inject=${call}:${error}`])
      const client = createClient(server.url)
      await expectStorageError(await client.post('/paste', { ...examplePaste, text: 'lost' }), status)
      await expectStorageError(await client.post('/shortener', { url: 'http://example.org/' }), status)
      expect(await readiness(server)).toBe(503)
      expect(documents(data)).toEqual(keptDocuments)
      expect(await (await client.get(keptPath)).text()).toBe('kept')
      await server.stop()

      const after = await start({ args: quiet, data })
      expect(await (await createClient(after.url).get(keptPath)).text()).toBe('kept')
      expect(await readiness(after)).toBe(200)
      await createClient(after.url).paste()
      await after.stop()
    },
  )
})

describe.skipIf(!hasStrace)('a burn-after-reading paste', () => {
  test.each([
    ['fsync', 'error=EIO', 503],
    ['rename,renameat,renameat2', 'error=EIO', 503],
    ['pwrite64', 'error=ENOSPC', 507],
  ] as const)('is not shown, and loses no read, where %s ends with %s', async (call, error, status) => {
    const data = join(temporaryFolder(), 'data')
    const before = await start({ args: quiet, data })
    const { rawUrl = '' } = await createClient(before.url).paste({ text: 'kept', maxReads: 2 })
    await before.stop()
    const path = new URL(rawUrl).pathname
    const { server } = await startTraced({ args: quiet, data }, ['-e', `inject=${call}:${error}`])
    const refused = await createClient(server.url).get(path, {}, { method: 'POST' })
    expect(refused.status).toBe(status)
    expect(await refused.text()).toMatch(/not shown, because that could not be counted/)
    await server.stop()
    const after = await start({ args: quiet, data })
    const read = () => createClient(after.url).get(path, {}, { method: 'POST' })
    for (const _ of ['first', 'second']) expect(await (await read()).text()).toBe('kept')
    expect((await read()).status).toBe(410)
    await after.stop()
  })
})

describe.skipIf(!isRoot)('a disk', () => {
  test('that is full answers 507, serves what it has, lets itself be emptied by deleting, and then takes more', async () => {
    const folder = temporaryFolder()
    const unmount = mountOver(folder, 'size=512k,mode=0700')
    const server = await start({ args: quiet, data: join(folder, 'data') })
    const client = createClient(server.url)
    const text = 'x'.repeat(50_000)
    const created: Record<string, string>[] = []
    try {
      let response = await client.post('/paste', { ...examplePaste, text })
      while (response.status === 201) {
        created.push((await response.json()) as Record<string, string>)
        response = await client.post('/paste', { ...examplePaste, text })
      }
      expect(created.length).toBeGreaterThan(3)
      await expectStorageError(response, 507)
      expect(await readiness(server)).toBe(503)
      for (const { rawUrl = '' } of created) expect(await (await client.get(rawUrl)).text()).toBe(text)
      // The last free bytes are taken as well, so that deleting really has none.
      let small = await client.post('/shortener', { url: 'http://example.org/' })
      while (small.status === 201) small = await client.post('/shortener', { url: 'http://example.org/' })
      expect(small.status).toBe(507)

      const deletion = await fetch(created[0]?.deletionUrl ?? '', { method: 'DELETE' })
      expect(deletion.status).toBe(200)
      expect((await client.get(created[0]?.rawUrl ?? '')).status).toBe(410)
      expect(await readiness(server)).toBe(200)
      expect((await client.post('/paste', { ...examplePaste, text: 'small' })).status).toBe(201)
      await server.stop()
    } finally {
      unmount()
    }
  })

  test('that is read-only answers 503, serves what it has, and is ready by itself when it can be written again', async () => {
    const server = await start({ args: ['--rate-limit', 'off'] })
    const client = createClient(server.url)
    const { rawUrl = '', deletionUrl = '' } = await client.paste({ text: 'kept' })
    const unmount = mountOver(join(server.data, 'tmp'), 'ro')
    try {
      await expectStorageError(await client.post('/paste', examplePaste), 503)
      await expectStorageError(await fetch(deletionUrl, { method: 'DELETE' }), 503)
      expect(await readiness(server)).toBe(503)
      expect(await (await client.get(rawUrl)).text()).toBe('kept')
    } finally {
      unmount()
    }
    await server.stderr.waitFor(/storage is well again/)
    expect(await readiness(server)).toBe(200)
    expect((await fetch(deletionUrl, { method: 'DELETE' })).status).toBe(200)
    await server.stop()
  })
})

describe.skipIf(isRoot)('a folder without write permission', () => {
  test('answers 503 and takes items again when the permission is back', async () => {
    const data = join(temporaryFolder(), 'data')
    mkdirSync(data, { mode: 0o700 })
    const server = await start({ args: quiet, data })
    const client = createClient(server.url)
    chmodSync(join(data, 'tmp'), 0o500)
    await expectStorageError(await client.post('/paste', examplePaste), 503)
    expect(await readiness(server)).toBe(503)
    chmodSync(join(data, 'tmp'), 0o700)
    expect((await client.post('/paste', examplePaste)).status).toBe(201)
    await server.stop()
  })
})
