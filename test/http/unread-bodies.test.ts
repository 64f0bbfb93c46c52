import { describe, expect, test } from 'bun:test'
import { notFound } from '../../src/errors.ts'
import { resource } from '../../src/http/resource.ts'
import { deletionRoutes } from '../../src/routes/items/deletions.ts'

/** A request whose body can be asked whether it was thrown away. */
const withBody = (method: string, path: string) => {
  let isCancelled = false
  const body = new ReadableStream({
    cancel: () => {
      isCancelled = true
    },
  })
  return {
    request: new Request(`http://nas.example${path}`, { method, body }),
    isCancelled: () => isCancelled,
  }
}

describe('a body that nobody reads is thrown away while its answer is made', () => {
  test.each(['DELETE', 'OPTIONS'])('of %s', async (method) => {
    const { request, isCancelled } = withBody(method, '/x')
    let wasCancelled = false
    const look = () => {
      wasCancelled = isCancelled()
      return new Response('done')
    }
    const answer = await resource('/x', { delete: look, options: look }).handle(request)
    expect([await answer.text(), wasCancelled]).toEqual(['done', true])
  })

  test('of POST to a deletion link', async () => {
    const { request, isCancelled } = withBody('POST', '/paste/delete?key=a')
    let wasCancelled = false
    const items = {
      delete: async () => {
        wasCancelled = isCancelled()
        throw notFound('none')
      },
      findByDeletionKey: () => Promise.reject(notFound('none')),
      isLimited: () => false,
    }
    await deletionRoutes({ pastes: items, links: items, log: () => {} })
      .onError(() => 'none')
      .handle(request)
    expect(wasCancelled).toBe(true)
  })

  test('but one that a handler reads comes whole', async () => {
    const request = new Request('http://nas.example/x', { method: 'POST', body: 'whole' })
    const app = resource('/x', { post: async ({ request }) => new Response(await request.text()) })
    expect(await (await app.handle(request)).text()).toBe('whole')
  })
})
