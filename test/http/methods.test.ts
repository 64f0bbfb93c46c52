import { beforeAll, describe, expect, test } from 'bun:test'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { testKey } from '../support/process.ts'
import { exchange } from '../support/raw-http.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer()
/** What stands for `<paste>`, `<link>` and `<style>` in the addresses below. */
let names: Record<string, string>
beforeAll(async () => {
  const [{ pasteUrl = '' }, { shortendUrl = '' }] = [
    await client.paste({ language: 'text' }),
    await client.link(),
  ]
  const html = await (await client.get('/', browser)).text()
  names = {
    paste: pasteUrl.slice(-10),
    link: shortendUrl.slice(-7),
    style: /href="\.\/assets\/([^"]+\.css)"/.exec(html)?.[1] ?? '',
  }
})

const routes = [
  ['/', 'GET, HEAD, OPTIONS, POST, PUT'],
  ['/paste', 'OPTIONS, POST'],
  ['/shortener', 'OPTIONS, POST'],
  ['/documents', 'OPTIONS, POST'],
  ['/paste/delete', 'DELETE, GET, HEAD, OPTIONS, POST'],
  ['/shortener/delete', 'DELETE, GET, HEAD, OPTIONS, POST'],
  ['/p/<paste>', 'GET, HEAD, OPTIONS'],
  ['/p/raw/<paste>', 'GET, HEAD, OPTIONS'],
  ['/documents/<paste>', 'GET, HEAD, OPTIONS'],
  ['/raw/<paste>', 'GET, HEAD, OPTIONS'],
  ['/share/<paste>', 'GET, HEAD'],
  ['/pastes', 'GET, HEAD, OPTIONS'],
  ['/links', 'GET, HEAD, OPTIONS'],
  ['/pastes/<paste>', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
  ['/links/<link>', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
  ['/pastes/<paste>/versions', 'DELETE, GET, HEAD, OPTIONS'],
  ['/links/<link>/versions', 'DELETE, GET, HEAD, OPTIONS'],
  ['/pastes/<paste>/versions/1', 'GET, HEAD, OPTIONS, POST'],
  ['/links/<link>/versions/1', 'GET, HEAD, OPTIONS, POST'],
  ['/sharex/paste.sxcu', 'GET, HEAD'],
  ['/sharex/link.sxcu', 'GET, HEAD'],
  ['/healthz', 'GET, HEAD'],
  ['/readyz', 'GET, HEAD'],
  ['/s/<link>', 'GET, HEAD'],
  ['/s/<link>+', 'GET, HEAD'],
  ['/assets/<style>', 'GET, HEAD'],
  ['/openapi.json', 'GET, HEAD'],
  ['/docs', 'GET, HEAD'],
] as const
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  client.get(
    path.replace(/<(\w+)>/, (_, name) => names[name] ?? ''),
    headers,
    { method },
  )

describe.each(routes)('%s', (path, allow) => {
  const isAllowed = (method: string) => allow.split(', ').includes(method)

  test(`answers nothing but ${allow}: 405 with Allow`, async () => {
    for (const method of methods.filter((method) => !isAllowed(method))) {
      const response = await send(method, path, { key: testKey })
      expect(response.headers.get('Allow')?.split(', ').sort().join(', ')).toBe(allow)
      if (method === 'HEAD') expect(response.status).toBe(405)
      else await expectError(response, 405, /\S/)
    }
  })

  test(`does answer ${allow}`, async () => {
    for (const method of methods.filter(isAllowed))
      expect((await send(method, path, browser)).status).not.toBeOneOf([404, 405])
  })
})

const readable = routes.filter(([, allow]) => allow.startsWith('GET, HEAD')).map(([path]) => path)
const forms = [browser, { Accept: 'application/json' }, { Accept: 'text/plain' }]

describe.each([
  ...readable,
  '/<paste>',
  '/<paste>.py',
  '/nothing',
  '/p/nothing',
  '/s/nothing',
  '/paste',
  '/paste/delete',
])('%s', (path) => {
  test.each(forms)('answers HEAD like GET without the body, for %j', async (headers) => {
    const [get, head] = [await send('GET', path, headers), await send('HEAD', path, headers)]
    const fields = ({ headers }: Response) =>
      Object.fromEntries([...headers].filter(([name]) => name !== 'date'))
    expect(head.status).toBe(get.status)
    expect(fields(head)).toEqual(fields(get))
    expect(await head.text()).toBe('')
    expect(await get.text()).not.toBe('')
  })
})

describe('an address that leads nowhere', () => {
  test.each([
    '/nothing',
    '/p',
    '/p/',
    '/p/raw',
    '/p/raw/',
    '/s',
    '/s/',
    '/P/<paste>',
    '/S/<link>',
    '/p/<paste>/more',
    '/p/raw/<paste>/more',
    '/s/<link>/more',
    '/pasted/more',
    '/pastes/<paste>/more',
    '/documents/<paste>/more',
    '/raw',
    '/raw/',
    '/share',
    '/share/',
    '/sharex/nothing.sxcu',
    '/assets/',
    '/assets/nothing.css',
    '/assets/..%2fpackage.json',
    '/.env',
    '/%',
    '/%00',
  ])('%s is 404, also for browsers', async (path) => {
    await expectError(await send('GET', path), 404)
    expect(await expectPage(await send('GET', path, browser), 404)).toContain('404')
  })

  test.each(['//', '///', '//p/<paste>', '/p//<paste>'])('%s is not mended: 404', async (path) => {
    const line = `GET ${path.replace('<paste>', names.paste ?? '')} HTTP/1.1`
    await expectError(await exchange(server.url, [line, 'Host: nas']), 404)
  })

  test.each(['POST', 'PATCH', 'DELETE', 'PROPFIND'])('is 404 whatever is sent there: %s', async (method) => {
    await expectError(await send(method, '/nothing'), 404)
    await expectError(await send(method, '/<paste>'), 404)
    await expectError(await send(method, '/api/paste'), 404)
  })

  test('can be the name of an upload, unless it holds a slash', async () => {
    await expectError(await send('PUT', '/nothing'), 401)
    expect((await send('OPTIONS', '/nothing')).status).toBe(204)
    for (const method of ['PUT', 'OPTIONS']) await expectError(await send(method, '/api/paste'), 404)
  })
})
