import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { type RunningServer, run, start, temporaryFolder, testKey } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

const keyLine = /API key "default", shown only this once: (sc_[A-Za-z0-9]{32})$/gm
const keysShownBy = ({ stdout }: RunningServer) =>
  [...stdout.text().matchAll(keyLine)].map(([, key = '']) => key)
const noKey = { env: {} }
const portOf = ({ url }: RunningServer) => new URL(url).port

describe('the first start without a key', () => {
  test('makes one named default, shows it once, and it works', async () => {
    const server = await start(noKey)
    await server.stderr.waitFor(/started/)
    const keys = keysShownBy(server)
    expect(keys).toHaveLength(1)
    expect((await createClient(server.url, keys[0]).paste()).success).toBe(true as never)
    expect((await run(['keys', 'list', '--data', server.data])).stdout).toMatch(
      /^default {2}\S+ {2}(?:last used \S+ {2})?1 item {2}20 bytes\n$/,
    )
    expect(await server.stop()).toBe(0)
    expect(server.stderr.text()).not.toContain(keys[0] as string)
  })

  test.skipIf(!requireProgram('curl', 'curl'))('prints a curl line that works as it stands', async () => {
    const server = await start(noKey)
    const [, line = ''] = await server.stdout.waitFor(/try: (curl .*)\n/)
    const shell = Bun.spawn(['sh', '-c', line], { stdout: 'pipe', stderr: 'ignore' })
    const answer = (await new Response(shell.stdout).json()) as { rawUrl: string }
    expect(answer).toMatchObject({ success: true, pasteUrl: expect.stringContaining(server.url) })
    expect(await (await fetch(answer.rawUrl)).text()).toBe('hello')
    await server.stop()
  })

  test('is the only one that makes a key, also once every key was revoked', async () => {
    const first = await start(noKey)
    await first.stop()
    expect(keysShownBy(first)).toHaveLength(1)
    const second = await start({ ...noKey, data: first.data })
    await second.stop()
    expect(keysShownBy(second)).toEqual([])
    expect(await run(['keys', 'revoke', 'default', '--data', first.data])).toMatchObject({ code: 0 })
    for (const data of [first.data, first.data]) {
      const later = await start({ ...noKey, data })
      await later.stop()
      expect(keysShownBy(later)).toEqual([])
    }
    expect((await run(['keys', 'list', '--data', first.data])).stdout).toBe('')
  })

  test('makes none where keys add made one before', async () => {
    const data = join(temporaryFolder(), 'data')
    await run(['keys', 'add', 'mine', '--create', '--data', data])
    const server = await start({ ...noKey, data })
    await server.stop()
    expect(keysShownBy(server)).toEqual([])
  })

  test('makes none where the key comes from outside', async () => {
    const server = await start({ env: { SHORTCRUST_API_KEY: testKey } })
    await server.stop()
    expect(keysShownBy(server)).toEqual([])
    expect(existsSync(join(server.data, 'keys.json'))).toBe(false)
  })

  test('makes none when it fails, so that the next one can show its own', async () => {
    const other = await start()
    const data = join(temporaryFolder(), 'data')
    const failed = await run(['--host', '127.0.0.1', '--port', portOf(other), '--data', data])
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    await other.stop()
    const next = await start({ ...noKey, data })
    await next.stop()
    expect(keysShownBy(next)).toHaveLength(1)
  })
})
