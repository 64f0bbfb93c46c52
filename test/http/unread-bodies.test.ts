import { describe, expect, test } from 'bun:test'
import { type AppParts, createApp } from '../../src/app.ts'
import { notFound } from '../../src/errors.ts'
import { createPools } from '../../src/http/memory.ts'
import { plainAssets } from '../support/site.ts'

/** A request whose body can be asked whether it was thrown away. */
const withBody = (method: string, path: string) => {
  let isCancelled = false
  const body = new ReadableStream({
    cancel: () => {
      isCancelled = true
    },
  })
  return {
    request: new Request(`http://nas.example${path}`, { method, body, headers: { host: 'nas.example' } }),
    isCancelled: () => isCancelled,
  }
}

/** An app over these services, which answers a request. */
const open = (parts: object) => {
  const needed = {
    cacheBytes: 1,
    protocols: new Set(),
    pools: createPools(),
    servedAt: [undefined, undefined],
    log: () => {},
    around: (fetch: unknown) => fetch,
    ...plainAssets,
  }
  const app = createApp({ ...needed, ...parts } as unknown as AppParts)
  const server = { requestIP: () => null } as unknown as Bun.Server<undefined>
  return async (request: Request) => app.fetch(request, server)
}

describe('a body that nobody reads is thrown away while its answer is made', () => {
  test.each([
    ['GET', '/p/a'],
    ['OPTIONS', '/p/a'],
    ['POST', '/p/a'],
    ['DELETE', '/paste/delete?key=a'],
    ['POST', '/paste/delete?key=a'],
  ])('of %s %s', async (method, path) => {
    const { request, isCancelled } = withBody(method, path)
    let wasCancelled = false
    const look = async () => {
      wasCancelled = isCancelled()
      throw notFound('none')
    }
    const looks = { find: look, consume: look, delete: look, findByDeletionKey: look }
    const items = { ...looks, peek: () => undefined, isBurning: () => false }
    await open({ pastes: items, links: items })(request)
    expect(wasCancelled).toBe(true)
  })

  test('but one that a handler reads comes whole', async () => {
    let seen = {}
    const links = {
      create: (body: object) => {
        seen = body
        throw notFound('none')
      },
    }
    const origin = { addresses: () => ({}) }
    const guard = async () => ({ name: 'me' })
    const headers = { host: 'nas.example', 'content-type': 'application/json' }
    const body = '{"url":"whole"}'
    await open({ links, origin, guard })(
      new Request('http://nas.example/shortener', { method: 'POST', body, headers }),
    )
    expect(seen).toEqual({ url: 'whole' })
  })
})
