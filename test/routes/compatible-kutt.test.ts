import { expect, test } from 'bun:test'
import { start, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer()

const target = 'https://example.org/a?b=c'

/** As the package `kutt` asks. */
const send = async (body: object, key = testKey, url = server.url) => {
  const response = await fetch(`${url}/api/v2/links`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { response, status: response.status, answer: (await response.json()) as Record<string, never> }
}

test('a program for Kutt gets a short link', async () => {
  const { status, answer } = await send({ target })
  expect(answer).toEqual({
    ...{ id: expect.any(String), address: answer.id, target, link: `${server.url}/s/${answer.id}` },
    ...{ description: null, password: false, banned: false, visit_count: 0, domain: null },
    ...{ expire_in: null, created_at: expect.any(String), updated_at: answer.created_at },
  } as never)
  expect(status).toBe(201)
  expect((await client.get(answer.link ?? '')).headers.get('Location')).toBe(target)
})

test('its name, lifetime and description are kept, and an address without a scheme is completed', async () => {
  const { answer } = await send({ target: 'nas/x', customurl: 'Kutt', expire_in: '2 days', description: 'A' })
  expect(answer).toMatchObject({ address: 'kutt', target: 'http://nas/x', description: 'A' })
  const { expire_in = '', created_at = '' } = answer
  expect(Date.parse(expire_in) - Date.parse(created_at)).toBe(2 * 86_400_000)
})

test('with reuse it gets the link that is there', async () => {
  const reused = { target: 'https://example.org/reuse', reuse: true }
  const [first, second] = [await send(reused), await send(reused)]
  expect([first.status, second.status]).toEqual([201, 200])
  expect(second.answer).toEqual(first.answer)
  expect((await send({ ...reused, reuse: false })).status).toBe(201)
})

test.each<[Record<string, unknown>, RegExp]>([
  [{ password: 'secret' }, /"password"/],
  [{ domain: 'other.example' }, /"domain"/],
  [{ customurl: 'a/b' }, /"customurl"/],
  [{ customurl: 'api' }, /"customurl".*reserved/],
  [{ expire_in: 'soon' }, /"expire_in"/],
  [{ expire_in: '20 years' }, /"expire_in"/],
  [{ description: 'a'.repeat(2000) }, /"description"/],
  [{ target: 'ftp://nas/' }, /http/],
  [{ target: '' }, /URL/],
  [{ target: 1 }, /"target"/],
  [{ visits: 1 }, /"visits"/],
])('an error says what is wrong', async (body, says) => {
  const { status, answer } = await send({ target, ...body })
  expect(answer).toEqual({ error: expect.stringMatching(says) } as never)
  expect(status).toBe(400)
})

test('so does one for a name in use, a wrong key and none', async () => {
  await send({ target, customurl: 'taken' })
  expect((await send({ target, customurl: 'taken' })).status).toBe(400)
  for (const key of ['sc_wrong', '']) {
    const { status, answer } = await send({ target }, key)
    expect([status, Object.keys(answer)]).toEqual([401, ['error']])
  }
})

test('and at the rate limit', async () => {
  const limited = await start({ args: ['--rate-limit', '1/9999s', '--log', 'off'] })
  expect((await send({ target }, testKey, limited.url)).status).toBe(201)
  const { response, status } = await send({ target }, testKey, limited.url)
  expect([status, response.headers.get('Retry-After')]).toEqual([429, expect.stringMatching(/^\d+$/)])
  await limited.stop()
})
