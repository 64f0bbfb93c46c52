import { describe, expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { start, target, temporaryFolder, testKey } from '../support/process.ts'

const logged = ['--access-log', 'on', '--log', 'json', '--rate-limit', 'off']
type Line = {
  event: string
  requestId?: string
  route?: string
  status?: number
  ms?: number
  method?: string
}
const linesOf = (log: string): Line[] =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('the log of requests', () => {
  test('has method, route, status, milliseconds and an id for each request, and nothing of its address', async () => {
    const server = await start({ args: logged })
    const { paste, get } = createClient(server.url)
    const { rawUrl = '', deletionUrl = '' } = await paste({ text: 'Text-7c1' })
    for (const address of [rawUrl, `${rawUrl}?query-7c1`, '/nothing-7c1/at/all']) await get(address)
    await get(deletionUrl, {}, { method: 'DELETE' })
    await server.stop()
    const requests = linesOf(server.stderr.text()).filter(({ event }) => event === 'request')
    expect(requests.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['POST', '/paste', 201],
      ['GET', '/p/raw/:id', 200],
      ['GET', '/p/raw/:id', 200],
      ['GET', 'none', 404],
      ['DELETE', '/paste/delete', 200],
    ])
    for (const { ms, requestId } of requests) {
      expect(ms).toBeGreaterThanOrEqual(0)
      expect(requestId).toMatch(/^[2-9a-z]{12}$/)
    }
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(requests.length)
    expect(server.stderr.text()).not.toMatch(/7c1|key=/)
    expect(server.stderr.text()).not.toContain(testKey)
    expect(server.stderr.text()).not.toContain(deletionUrl.slice(-26))
  })

  test('gives the client the id that stands beside the reason of a failure', async () => {
    const server = await start({ args: logged })
    const { rawUrl = '' } = await createClient(server.url).paste()
    await server.stop()
    const [file = ''] = readdirSync(join(server.data, 'pastes'), {
      recursive: true,
      encoding: 'utf8',
    }).filter((name) => name.endsWith('.json'))
    writeFileSync(join(server.data, 'pastes', file), 'damaged')
    const after = await start({ args: logged, data: server.data })
    const answers = await Promise.all(
      [rawUrl, '/', rawUrl].map((address) => createClient(after.url).get(address.replace(server.url, ''))),
    )
    expect(answers.map(({ status }) => status)).toEqual([500, 200, 500])
    await after.stop()
    const failures = linesOf(after.stderr.text()).filter(({ event }) => event === 'request failed')
    const ids = answers.map(({ headers }) => headers.get('X-Request-Id'))
    expect(failures.map(({ requestId }) => requestId).sort()).toEqual([ids[0], ids[2]].sort() as string[])
  })

  test.each([
    ['of a trusted proxy is kept', ['--trust-proxy', '127.0.0.1'], 'a1b2-c3d4.e5f6', true],
    ['of anybody else is not', [], 'a1b2-c3d4.e5f6', false],
    ['that could write into the log is not', ['--trust-proxy', '127.0.0.1'], 'a1b2c3d4" b="c', false],
    ['that is no id is not', ['--trust-proxy', '127.0.0.1'], 'a'.repeat(101), false],
  ])('an id %s', async (_, args, id, isKept) => {
    const server = await start({ args: [...logged, ...args] })
    const { headers } = await createClient(server.url).get('/healthz', { 'X-Request-Id': id })
    await server.stop()
    expect(headers.get('X-Request-Id') === id).toBe(isKept)
    expect(linesOf(server.stderr.text()).some(({ requestId }) => requestId === id)).toBe(isKept)
  })

  test('is off unless asked for, and then no answer has an id', async () => {
    const server = await start({ args: ['--trust-proxy', '127.0.0.1'] })
    const { headers } = await createClient(server.url).get('/healthz', { 'X-Request-Id': 'a1b2-c3d4.e5f6' })
    expect(headers.get('X-Request-Id')).toBeNull()
    await server.stop()
    expect(server.stderr.text()).not.toContain(' request ')
  })
})

describe('a log that nobody reads', () => {
  test('holds no request up, and is whole once it is read, also when the server stops meanwhile', async () => {
    const args = ['--host', '127.0.0.1', '--port', '0', '--data', join(temporaryFolder(), 'data'), ...logged]
    const child = Bun.spawn([...target, ...args], {
      env: { PATH: process.env.PATH ?? '', SHORTCRUST_API_KEY: testKey },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const { value } = await child.stdout.getReader().read()
    const [, url = ''] = /listening on (\S+)/.exec(new TextDecoder().decode(value)) ?? []
    // More than a pipe takes: 64 KiB, and as much again in the stream that reads it.
    const requests = 3000
    for (let made = 0; made < requests; made += 100)
      await Promise.all(Array.from({ length: 100 }, () => fetch(`${url}/healthz`)))
    child.kill('SIGTERM')
    const log = await new Response(child.stderr).text()
    expect(await child.exited).toBe(0)
    const events = linesOf(log).map(({ event }) => event)
    expect(events.filter((event) => event === 'request')).toHaveLength(requests)
    expect(events.at(-1)).toBe('stopped')
  })
})
