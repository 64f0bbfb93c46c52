import { describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { openConnection } from '../support/connection.ts'
import { type RunningServer, start, testKey } from '../support/process.ts'
import { untilMade } from '../support/until.ts'

const html = { Accept: 'text/html' }

/** One paste and one link that stay, one of each that is deleted; and what each address answered. */
const fill = async ({ url }: RunningServer) => {
  const { paste, link, get } = createClient(url)
  const [kept, deleted] = [await paste({ text: 'kept\r\n\0\ufeff😀' }), await paste()]
  const [keptLink, deletedLink] = [await link('https://example.org/ä?b#c'), await link()]
  for (const { deletionUrl = '' } of [deleted, deletedLink]) await fetch(deletionUrl, { method: 'DELETE' })
  const { deletionUrl: unused = '' } = await paste({ title: 'Deletable after all' })
  const addresses = [
    kept.pasteUrl,
    kept.rawUrl,
    keptLink.shortendUrl,
    deleted.pasteUrl,
    deletedLink.shortendUrl,
  ]
  const paths = [...addresses, unused].map((address = '') => address.slice(url.length))
  const answers = async (base: string) => {
    await untilMade(base + paths[0])
    const responses = await Promise.all(paths.map((path) => get(base + path, html)))
    return Promise.all(
      responses.map(async (response) => ({
        status: response.status,
        location: response.headers.get('Location'),
        etag: response.headers.get('ETag'),
        body: await response.text(),
      })),
    )
  }
  return { answers, before: await answers(url) }
}

describe('what was answered before', () => {
  const unlimited = ['--rate-limit', 'off']

  test.each(['stop', 'kill'] as const)(
    '%s is there after it, and the folder is free at once',
    async (how) => {
      const first = await start({ args: unlimited })
      const { answers, before } = await fill(first)
      expect(before.map(({ status }) => status)).toEqual([200, 200, 302, 410, 410, 200])
      expect(await first[how]()).toBe(how === 'stop' ? 0 : 137)
      const second = await start({ args: unlimited, data: first.data })
      expect(await answers(second.url)).toEqual(before)
      await createClient(second.url).paste()
      await second.stop()
    },
  )
})

describe('SIGTERM and SIGINT', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the server with 0', async (signal) => {
    const server = await start()
    process.kill(server.pid, signal)
    expect(await server.exited).toBe(0)
    await server.stderr.ended
    expect(server.stderr.text()).toMatch(new RegExp(`stopping signal=${signal}\n.*stopped\n$`))
  })

  test('twice at once, as some supervisors send it, is like once', async () => {
    const server = await start()
    process.kill(server.pid, 'SIGINT')
    process.kill(server.pid, 'SIGINT')
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toBe(0)
    await server.stderr.ended
    expect(server.stderr.text()).toMatch(/stopping signal=SIG(INT|TERM)\n.*stopped\n$/)
  })

  const body = JSON.stringify(examplePaste)
  const head = (host: string) =>
    [
      'POST /paste HTTP/1.1',
      `Host: ${host}`,
      `key: ${testKey}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ].join('\r\n')

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets a request in flight finish, takes no new one',
    async (signal) => {
      const server = await start()
      const connection = await openConnection(server.url)
      connection.send(`${head(new URL(server.url).host)}\r\n\r\n`)
      await connection.waitFor(/^HTTP\/1\.1 100 Continue\r\n/)
      connection.send(body.slice(0, 20))
      process.kill(server.pid, signal)
      await server.stderr.waitFor(/stopping/)
      await expect(openConnection(server.url)).rejects.toThrow()
      connection.send(body.slice(20))
      await connection.waitFor(/HTTP\/1\.1 201 Created\r\n.*"success":true/s)
      expect(await server.exited).toBe(0)
      const [, path = ''] = /"rawUrl":"http:\/\/[^/]+([^"]+)"/.exec(connection.text()) ?? []
      const later = await start({ data: server.data })
      expect(await (await fetch(later.url + path)).text()).toBe(examplePaste.text)
      await later.stop()
    },
  )

  test('does not wait for connections on which nothing happens', async () => {
    const server = await start()
    const silent = await openConnection(server.url)
    const idle = await openConnection(server.url)
    idle.send(`GET /healthz HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n\r\n`)
    await idle.waitFor(/"success":true/)
    const began = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - began).toBeLessThan(7900)
    silent.close()
  })

  test('does not wait longer than 8 seconds for a request that never ends', async () => {
    const server = await start()
    const connection = await openConnection(server.url)
    connection.send(`${head(new URL(server.url).host)}\r\n\r\n`)
    await connection.waitFor(/^HTTP\/1\.1 100 Continue\r\n/)
    const began = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - began).toBeWithin(7900, 60_000)
  })
})
