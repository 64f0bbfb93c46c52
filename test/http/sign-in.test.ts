import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { examplePaste } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { freePort } from '../support/ports.ts'
import { type RunningServer, run, start } from '../support/process.ts'
import { blocksOf } from '../support/shown-commands.ts'
import {
  credentialsOf,
  documentOf,
  type SignInExample,
  signInExamples,
  startSignIn,
} from '../support/sign-in.ts'
import { askProxy, siteName } from '../support/tls-proxies.ts'

type Headers = Record<string, string>
type Ask = (path: string, init?: { method?: string; headers?: Headers; body?: string }) => Promise<Response>

const create = (ask: Ask, headers: Headers) =>
  ask('/paste', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(examplePaste),
  })

const createdAt = async (answer: Response) => {
  const created = (await answer.json()) as Record<string, string>
  expect([answer.status, created.error]).toEqual([201, undefined])
  return created
}

const addressesOf = async (ask: Ask, headers: Headers) => {
  const answer = await ask('/pastes', { headers })
  const { pastes } = (await answer.json()) as { pastes: { pasteUrl: string }[] }
  return pastes.map(({ pasteUrl }) => pasteUrl)
}

/** A way to count the pastes of everybody. */
const createCount = async ({ url, data }: RunningServer) => {
  const key = (await run(['keys', 'add', 'boss', '--admin', '--data', data])).stdout.trim()
  return async () => {
    const answer = await fetch(`${url}/pastes?owner=*`, { headers: { key } })
    return ((await answer.json()) as { pastes: unknown[] }).pastes.length
  }
}

describe.each(signInExamples)('with $login at $proxy', (example: SignInExample) => {
  const [tls, plain] = [freePort(), freePort()]
  const site = `https://${siteName}:${tls}`
  const ask: Ask = askProxy(tls)
  const { isThere, header } = example
  const as = (name: string) => credentialsOf(example, name)
  let server: RunningServer
  let countAll: () => Promise<number>
  let proxy: Awaited<ReturnType<typeof startSignIn>>
  beforeAll(async () => {
    if (!isThere) return
    server = await start({
      args: ['--rate-limit', 'off', '--trust-proxy', '127.0.0.1', '--user-header', header],
    })
    countAll = await createCount(server)
    proxy = await startSignIn(example, { tls, plain, server: server.url })
  })
  afterAll(async () => {
    await proxy?.stop()
    await server?.stop()
  })

  test.skipIf(!isThere)('a paste is in the list of the user who made it, and of nobody else', async () => {
    const { pasteUrl = '' } = await createdAt(await create(ask, as('alice')))
    expect(pasteUrl).toStartWith(`${site}/p/`)
    expect(await addressesOf(ask, as('alice'))).toContain(pasteUrl)
    expect(await addressesOf(ask, as('bob'))).not.toContain(pasteUrl)
  })

  test.skipIf(!isThere)("uploads and the form of the start page are the user's too", async () => {
    const upload = await ask('/', { method: 'PUT', headers: as('bob'), body: 'uploaded' })
    const documents = await ask('/documents', { method: 'POST', headers: as('bob'), body: 'as haste does' })
    const form = await ask('/', {
      method: 'POST',
      headers: {
        ...browser,
        ...as('bob'),
        Origin: site,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: String(new URLSearchParams({ create: 'paste', ...examplePaste })),
    })
    expect([upload.status, documents.status, form.status]).toEqual([201, 200, 201])
    expect(await addressesOf(ask, as('bob'))).toHaveLength(3)
  })

  test.skipIf(!isThere)('a reader needs no login', async () => {
    const { pasteUrl = '', rawUrl = '', deletionUrl = '' } = await createdAt(await create(ask, as('alice')))
    const pathOf = (address: string) => address.slice(site.length)
    const statuses = await Promise.all(
      [pathOf(pasteUrl), pathOf(rawUrl), '/healthz'].map(async (path) => (await ask(path)).status),
    )
    expect(statuses).toEqual([200, 200, 200])
    expect((await ask(pathOf(deletionUrl), { method: 'POST' })).status).toBe(200)
  })

  test.skipIf(!isThere)('nobody creates without a login, or with a wrong one', async () => {
    const before = await countAll()
    const wrong: Headers[] =
      example.login === 'a password'
        ? [{}, credentialsOf(example, 'alice', 'wrong')]
        : [{}, { Cookie: 'a=b' }]
    for (const headers of wrong)
      expect((await create(ask, headers)).status).toBe(example.login === 'a password' ? 401 : 302)
    expect(await countAll()).toBe(before)
  })

  if (example.login !== 'a password')
    test.skipIf(!isThere)('whoever is let in without a name creates nothing', async () => {
      const before = await countAll()
      expect((await create(ask, { Cookie: 'session=', [header]: 'alice' })).status).toBe(401)
      expect(await countAll()).toBe(before)
    })

  /** Spellings of the header that programs behind proxies have taken for the same. */
  const spellings = [header, header.toUpperCase(), header.replaceAll('-', '_')]

  test.skipIf(!isThere)('a name that the client sends is not believed', async () => {
    for (const name of spellings) {
      const { pasteUrl = '' } = await createdAt(await create(ask, { ...as('bob'), [name]: 'alice' }))
      expect(await addressesOf(ask, as('bob'))).toContain(pasteUrl)
      expect(await addressesOf(ask, as('alice'))).not.toContain(pasteUrl)
    }
  })

  test.skipIf(!isThere)(
    'a name that the client sends creates nothing, also where no login is asked for',
    async () => {
      const before = await countAll()
      const claimed = { Authorization: `Basic ${btoa('alice:wrong')}` }
      for (const name of spellings)
        for (const path of ['/p/paste', '/documents/', '/p/../paste', '/p/%2e%2e/paste', '//paste']) {
          const body = JSON.stringify(examplePaste)
          const headers = { 'Content-Type': 'application/json', [name]: 'alice' }
          for (const more of [{}, claimed]) {
            const { status } = await ask(path, { method: 'POST', headers: { ...headers, ...more }, body })
            expect([path, [302, 401, 403, 404, 405].includes(status)]).toEqual([path, true])
          }
        }
      expect(await countAll()).toBe(before)
    },
  )

  test.skipIf(!isThere)('no name reaches the server on an open path, and no password on any', async () => {
    const echo = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ headers }) => Response.json(['authorization', header].map((name) => headers.get(name))),
    })
    const [own, other] = [freePort(), freePort()]
    const between = await startSignIn(example, { tls: own, plain: other, server: echo.url.origin })
    const arrived = async (path: string) =>
      (await askProxy(own)(path, { headers: { ...as('alice'), [header]: 'mallory' } })).json()
    for (const path of ['/p/abc', '/p/raw/abc', '/s/abc', '/paste/delete', '/healthz', '/documents/abc'])
      expect([path, await arrived(path)]).toEqual([path, [null, null]])
    expect(await arrived('/paste')).toEqual([null, 'alice'])
    await between.stop()
    await echo.stop(true)
  })

  test.skipIf(!isThere)('a page of another host cannot create as the user who opened it', async () => {
    for (const Origin of ['https://evil.example', `https://${siteName}.evil.example`, 'null'])
      expect((await create(ask, { ...as('alice'), Origin })).status).toBe(403)
    await createdAt(await create(ask, { ...as('alice'), Origin: site }))
  })
})

type Router = { rule: string; service: string; middlewares?: string[] }
type Traefik = {
  http: {
    routers?: Record<string, Router>
    services?: Record<string, object>
    middlewares: {
      nobody?: { headers: { customRequestHeaders: Record<string, string> } }
      'sign-in': { basicAuth?: { headerField: string }; forwardAuth?: { authResponseHeaders: string[] } }
    }
  }
}

/** What Traefik has of the examples: those of docs/authelia.md replace parts of that of docs/sign-in.md. */
const traefikExamples = () => {
  const parsed = ['sign-in.md', 'authelia.md']
    .flatMap((name) => blocksOf(documentOf(name), 'yaml'))
    .map((block) => (Bun.YAML.parse(block) as Traefik).http)
  const [basic] = parsed
  return parsed.map(({ routers, services, middlewares }) => ({
    routers: { ...basic?.routers, ...routers },
    services: ['shortcrust', ...Object.keys(services ?? {})],
    middlewares: { ...basic?.middlewares, ...middlewares },
  }))
}

// Traefik is not in Debian: only that the examples hang together is checked.
test('the examples for Traefik take the header of the client away before anybody signs in', () => {
  const headers = traefikExamples().map(({ routers, services, middlewares }) => {
    for (const { rule, service, middlewares: used = [] } of Object.values(routers)) {
      expect(rule).toStartWith(`Host(\`${siteName}\`)`)
      expect(services).toContain(service)
      if (service === 'shortcrust') expect(used[0]).toBe('nobody')
      for (const name of used) expect(Object.keys(middlewares)).toContain(name)
    }
    const { basicAuth, forwardAuth } = middlewares['sign-in']
    const names = basicAuth ? [basicAuth.headerField] : forwardAuth?.authResponseHeaders
    expect(middlewares.nobody?.headers.customRequestHeaders).toEqual({ [names?.[0] ?? '']: '' })
    return names
  })
  expect(headers).toEqual([['Remote-User'], ['Remote-User'], ['X-authentik-username']])
})

test('every example has the same open paths', () => {
  const documents = ['sign-in.md', 'authelia.md'].map(documentOf).join('')
  const inRegex = [...documents.matchAll(/(\^\/\(\(p\|.*\$\))(?:`| \{)/g)].map(([, found]) => found)
  const inPaths = [...documents.matchAll(/@closed not path (.*)/g)].map(([, found]) => found)
  expect([inRegex.length, inPaths.length]).toEqual([4, 3])
  expect([new Set(inRegex).size, new Set(inPaths).size]).toEqual([1, 1])
  for (const path of inPaths[0]?.split(' ') ?? [])
    expect(path.replace('*', 'x')).toMatch(new RegExp(inRegex[0] ?? ''))
})
