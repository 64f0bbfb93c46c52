import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { type RunningServer, run, start, testKey } from '../support/process.ts'

const everyFile = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

describe('after a session of every kind of request', () => {
  let server: RunningServer
  const secrets: string[] = [testKey]

  beforeAll(async () => {
    server = await start({ args: ['--rate-limit', 'off', '--log', 'json'] })
    const { stdout } = await run(['keys', 'add', 'laptop', '--data', server.data])
    secrets.push(stdout.trim())
    for (const key of [testKey, stdout.trim()]) {
      const client = createClient(server.url, key)
      const { pasteUrl = '', deletionUrl = '' } = await client.paste({ text: 'text-of-the-paste' })
      const link = await client.link('http://example.org/target-of-the-link')
      for (const url of [deletionUrl, link.deletionUrl ?? ''])
        secrets.push(new URL(url).searchParams.get('key') as string)
      await client.get(pasteUrl)
      await client.get(deletionUrl)
      await client.get(deletionUrl, browser)
      await fetch(deletionUrl, { method: 'DELETE' })
      await fetch(deletionUrl, { method: 'DELETE' })
      await client.post('/paste', 'no JSON')
      await client.post('/paste', {}, { key: `${key}x` })
    }
    await run(['keys', 'revoke', 'laptop', '--data', server.data])
    await server.stop()
  })
  afterAll(() => server.kill())

  test('no file of the data folder holds an API key or a deletion key', () => {
    expect(secrets).toHaveLength(6)
    for (const path of everyFile(server.data).filter((name) => statSync(name).isFile()))
      for (const secret of secrets) expect(readFileSync(path, 'latin1'), path).not.toContain(secret)
  })

  test('no deletion key can be made of what the folder holds: only the hash of its secret is kept', () => {
    const halves = secrets.slice(2).map((key) => key.slice(-26))
    for (const path of everyFile(server.data).filter((name) => name.endsWith('.json')))
      for (const half of halves) expect(readFileSync(path, 'latin1')).not.toContain(half)
  })

  test('every file has mode 0600 and every folder 0700', () => {
    for (const path of [server.data, ...everyFile(server.data)]) {
      const stat = statSync(path)
      expect((stat.mode & 0o777).toString(8), path).toBe(stat.isDirectory() ? '700' : '600')
    }
  })
})
