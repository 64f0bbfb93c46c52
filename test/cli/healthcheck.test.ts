import { beforeAll, describe, expect, test } from 'bun:test'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '../support/ports.ts'
import { run } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const check = (port: number | string, host = '127.0.0.1', env: Record<string, string> = {}) =>
  run(['healthcheck', '--host', host, '--port', String(port)], env)

/** What some other server answers to `/readyz`. */
const checkAgainst = async (answer: RequestListener) => {
  const other = createServer(answer)
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  try {
    return { port, ...(await check(port)) }
  } finally {
    other.closeAllConnections()
    other.close()
  }
}

const notReady = (why: string) => ({ code: 1, stdout: '', stderr: `shortcrust: not ready: ${why}.\n` })
const advice = '; --host and --port must be those of the server'

describe('healthcheck of a server that runs', () => {
  const { server } = withServer({ args: ['--log', 'off'] })
  let port: string
  beforeAll(async () => {
    port = new URL(server.url).port
  })

  const ready = () => ({ code: 0, stdout: `ready: http://127.0.0.1:${port}/readyz\n`, stderr: '' })

  test('says that it is ready, with exit code 0', async () => {
    expect(await check(port)).toEqual(ready())
  })

  test('takes the settings of the server, 0.0.0.0 and variables too', async () => {
    expect(await check(port, '0.0.0.0')).toEqual(ready())
    expect(await run(['healthcheck'], { SHORTCRUST_PORT: port })).toEqual(ready())
  })

  test('goes through no proxy', async () => {
    const proxy = 'http://127.0.0.1:1'
    expect(await check(port, '127.0.0.1', { HTTP_PROXY: proxy, http_proxy: proxy })).toEqual(ready())
  })

  test('does not touch its data folder', async () => {
    expect(await check(port, '127.0.0.1', { SHORTCRUST_DATA: '/dev/null/none' })).toEqual(ready())
  })

  test('reaches ::1 where the server listens on ::', async () => {
    const { stdout, stderr } = await check(port, '::')
    expect(stdout + stderr).toContain(`http://[::1]:${port}/readyz`)
  })
})

describe('healthcheck says in one line, with exit code 1,', () => {
  test('that nothing listens', async () => {
    const port = freePort()
    expect(await check(port)).toEqual(
      notReady(`no answer from http://127.0.0.1:${port}/readyz: ECONNREFUSED${advice}`),
    )
  })

  test('what the server says about itself', async () => {
    const { port, ...result } = await checkAgainst((request, response) => {
      response.statusCode = request.url === '/readyz' ? 503 : 500
      response.end('{"success":false,"error":"The last write failed"}')
    })
    expect(result).toEqual(notReady(`http://127.0.0.1:${port}/readyz answered 503 (The last write failed)`))
  })

  test('what another server answered', async () => {
    const { port, ...result } = await checkAgainst((_, response) => {
      response.writeHead(302, { Location: '/elsewhere' }).end('not JSON')
    })
    expect(result).toEqual(notReady(`http://127.0.0.1:${port}/readyz answered 302`))
  })

  test.each<[string, RequestListener]>([
    ['nothing', () => {}],
    ['only half an answer', (_, response) => response.writeHead(200).write('{')],
  ])('that a server answers %s within 2 seconds', async (_, answer) => {
    const { port, ...result } = await checkAgainst(answer)
    expect(result).toEqual(
      notReady(`no answer from http://127.0.0.1:${port}/readyz: nothing within 2 seconds${advice}`),
    )
  })

  test('that an answer broke off', async () => {
    const { stderr, code } = await checkAgainst((_, response) => {
      response.writeHead(200, { 'Content-Length': '9' }).write('{')
      response.destroy()
    })
    expect(stderr).toMatch(/^shortcrust: not ready: no answer from [^\n]+\n$/)
    expect(code).toBe(1)
  })

  test('that port 0 is no port to ask at', async () => {
    expect(await check(0)).toEqual(
      notReady('port 0 takes any free port; give the one that the server said, with --port'),
    )
  })
})
