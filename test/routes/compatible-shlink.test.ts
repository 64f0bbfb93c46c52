import { describe, expect, test } from 'bun:test'
import { run, start, testKey } from '../support/process.ts'
import { exchange } from '../support/raw-http.ts'
import { quiet, withServer } from '../support/server.ts'

const { server, client } = withServer()

const target = 'https://example.org/a/long/address?with=query#and-more'

type Answer = Record<string, never> & {
  shortUrl: string
  shortCode: string
  meta: object
  detail: string
  shortUrls: { data: Answer[]; pagination: object }
}

/** As the official JavaScript SDK asks. */
const ask = async (method: string, path: string, body?: object, key = testKey, url = server.url) => {
  const response = await fetch(`${url}/rest/v3${path}`, {
    method,
    headers: { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { response, status: response.status, answer: (text === '' ? {} : JSON.parse(text)) as Answer }
}
const create = async (body: object) => {
  const { status, answer } = await ask('POST', '/short-urls', { longUrl: target, ...body })
  expect([status, typeof answer.shortUrl]).toEqual([200, 'string'])
  return answer
}
const expectProblem = async (asked: ReturnType<typeof ask>, status: number, type: string, more = {}) => {
  const { response, answer } = await asked
  const { detail } = answer
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(answer).toMatchObject({
    ...{ status, type: `https://shlink.io/api/error/${type}`, ...more },
    title: expect.stringMatching(/\w/),
    detail: expect.stringMatching(/\w/),
  })
  expect(response.status).toBe(status)
  return detail
}
const targetOf = async (address: string) => (await client.get(address)).headers.get('Location')

describe('a program for Shlink', () => {
  test('sends an address alone, and gets a short URL', async () => {
    const made = await create({})
    expect(made).toEqual({
      ...{ shortUrl: `${server.url}/s/${made.shortCode}`, shortCode: expect.any(String), longUrl: target },
      dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      ...{ visitsSummary: { total: 0, nonBots: 0, bots: 0 }, tags: [], domain: null, title: null },
      meta: { validSince: null, validUntil: null, maxVisits: null },
      ...{ crawlable: false, forwardQuery: false, hasRedirectRules: false },
    } as never)
    expect(await targetOf(made.shortUrl)).toBe(target)
  })

  test('gets the slug, the expiry, the limit of visits and the title that it asks for', async () => {
    const validUntil = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}+00:00`
    const made = await create({ customSlug: 'Wiki', validUntil, maxVisits: 3, title: 'Écoute' })
    expect(made).toMatchObject({ shortCode: 'wiki', title: 'Écoute', meta: { maxVisits: 3 } })
    const { validUntil: until = '' } = made.meta as { validUntil?: string }
    expect(Math.abs(Date.parse(until) - Date.parse(validUntil))).toBeLessThanOrEqual(1000)
    expect((await client.get(made.shortUrl)).status).toBe(403)
  })

  test('may say what asks for nothing', async () => {
    const none = { customSlug: null, validSince: null, validUntil: null, maxVisits: null, domain: null }
    await create({ ...none, title: '', tags: [], crawlable: false, forwardQuery: true, findIfExists: false })
  })

  test('finds what exists, where it lasts as long', async () => {
    const longUrl = 'https://example.org/find?if=exists'
    const { shortCode } = await create({ longUrl })
    const find = async (more = {}) =>
      (await create({ longUrl, findIfExists: true, ...more })).shortCode === shortCode
    expect(await find()).toBe(true)
    expect(await find({ customSlug: 'another' })).toBe(false)
    expect(await find({ maxVisits: 1 })).toBe(false)
    expect(await find({ validUntil: '2999-01-01T00:00:00+00:00' }).catch(() => false)).toBe(false)
    expect(await find({ longUrl: 'https://example.org/find?if=not' })).toBe(false)
    expect((await create({ longUrl })).shortCode).not.toBe(shortCode)
  })

  test('lists by page, term and order', async () => {
    const own = await start({ args: quiet })
    for (const number of [1, 2, 3])
      await ask(
        'POST',
        '/short-urls',
        { longUrl: `http://nas/${number}`, title: `No${number}` },
        testKey,
        own.url,
      )
    const list = async (query: string) => {
      const { answer } = await ask('GET', `/short-urls?${query}`, undefined, testKey, own.url)
      const { data, pagination } = answer.shortUrls
      return { titles: data.map(({ title }) => String(title)), ...pagination }
    }
    expect(await list('')).toEqual({
      titles: ['No3', 'No2', 'No1'],
      ...{ currentPage: 1, pagesCount: 1, itemsPerPage: 10, itemsInCurrentPage: 3, totalItems: 3 },
    })
    expect(await list('page=2&itemsPerPage=2&orderBy=dateCreated-DESC')).toMatchObject({
      ...{ titles: ['No1'], currentPage: 2, pagesCount: 2, totalItems: 3 },
    })
    expect(await list('page=9')).toMatchObject({ titles: [], totalItems: 3 })
    expect(await list('itemsPerPage=-1')).toMatchObject({ titles: ['No3', 'No2', 'No1'] })
    expect(await list('searchTerm=no2')).toMatchObject({ titles: ['No2'], pagesCount: 1, totalItems: 1 })
    expect(await list('searchTerm=nas&itemsPerPage=1')).toMatchObject({ titles: ['No3'], pagesCount: 2 })
    expect(await list('orderBy=visits-DESC')).toMatchObject({ totalItems: 3 })
    await own.stop()
  })

  test('shows, edits and deletes what its key made', async () => {
    const { shortCode, shortUrl } = await create({ title: 'Before', validUntil: '2030-01-01T00:00:00Z' })
    const path = `/short-urls/${shortCode}`
    const edited = {
      longUrl: 'http://nas/after',
      title: 'After',
      validUntil: null,
      maxVisits: null,
      tags: [],
    }
    expect((await ask('PATCH', path, edited)).answer).toMatchObject({
      ...{ shortCode, longUrl: 'http://nas/after', title: 'After', meta: { validUntil: null } },
    })
    expect(await targetOf(shortUrl)).toBe('http://nas/after')
    expect((await ask('PATCH', path, { title: null })).answer).toMatchObject({ title: null })
    const unchanged = (await ask('PATCH', path, { tags: [] })).answer
    expect((await ask('GET', path)).answer).toEqual(unchanged)
    const { response, status } = await ask('DELETE', path)
    expect([status, response.headers.get('Content-Length')]).toEqual([204, null])
    await expectProblem(ask('GET', path), 404, 'short-url-not-found', { shortCode })
  })

  test('counts a visit in the summary', async () => {
    const { shortUrl, shortCode } = await create({})
    await client.get(shortUrl)
    const { answer } = await ask('GET', `/short-urls/${shortCode}`)
    expect(answer).toMatchObject({ visitsSummary: { total: 1, nonBots: 1, bots: 0 } })
  })

  test('learns the health without a key, and that there are no tags', async () => {
    for (const path of ['/rest/health', '/rest/v2/health', '/rest/v3/health']) {
      const response = await client.get(path)
      expect(response.headers.get('Content-Type')).toBe('application/health+json')
      expect(await response.json()).toMatchObject({ status: 'pass', version: '4.0.0' })
    }
    expect((await ask('GET', '/tags')).answer).toEqual({ tags: { data: [] } } as never)
    expect((await fetch(`${server.url}/rest/v1/health`)).status).toBe(404)
  })

  test('may be the shortener of PrivateBin', async () => {
    const body = JSON.stringify({ longUrl: 'https://paste.example/?0123456789abcdef#key' })
    const response = await exchange(
      server.url,
      [
        'POST /rest/v2/short-urls HTTP/1.1',
        'Host: 127.0.0.1',
        'Content-Type: application/json',
        `X-Api-Key: ${testKey}`,
        `Content-Length: ${body.length}`,
      ],
      body,
    )
    expect(response.status).toBe(200)
    const { shortUrl } = (await response.json()) as Answer
    expect(await targetOf(`/s/${shortUrl.split('/').at(-1)}`)).toContain('?0123456789abcdef#key')
  })
})

describe('an error is a problem, as Shlink says it', () => {
  const wrong = (body: object, ...elements: string[]) =>
    expectProblem(ask('POST', '/short-urls', { longUrl: target, ...body }), 400, 'invalid-data', {
      invalidElements: elements,
    })

  test.each<[object, string]>([
    [{ longUrl: 'ftp://nas/' }, 'longUrl'],
    [{ longUrl: '' }, 'longUrl'],
    [{ customSlug: 'a/b' }, 'customSlug'],
    [{ customSlug: 'rest' }, 'customSlug'],
    [{ maxVisits: 0 }, 'maxVisits'],
    [{ validUntil: 'soon' }, 'validUntil'],
    [{ validUntil: '2020-01-01T00:00:00Z' }, 'validUntil'],
    [{ validUntil: '2999-01-01T00:00:00Z' }, 'validUntil'],
    [{ title: 'é'.repeat(600) }, 'title'],
    [{ tags: ['a'] }, 'tags'],
    [{ validSince: '2020-01-01T00:00:00Z' }, 'validSince'],
    [{ domain: 'other.example' }, 'domain'],
    [{ crawlable: true }, 'crawlable'],
    [{ findIfExists: 'yes' }, 'findIfExists'],
    [{ password: 'secret' }, 'password'],
    [{ shortCodeLength: 20 }, 'shortCodeLength'],
  ])('for a field that cannot be kept', async (body, element) => {
    expect(await wrong(body, element)).toMatch(element === 'longUrl' ? /URL|required/ : `"${element}"`)
  })

  test('for a slug in use', async () => {
    await create({ customSlug: 'in-use' })
    const again = ask('POST', '/short-urls', { longUrl: target, customSlug: 'in-use' })
    await expectProblem(again, 400, 'non-unique-slug', { customSlug: 'in-use' })
  })

  test('for a body that is no JSON', async () => {
    const headers = { 'X-Api-Key': testKey, 'Content-Type': 'application/json' }
    const url = `${server.url}/rest/v3/short-urls`
    for (const body of ['{', '[]', '']) {
      const answer = await fetch(url, { method: 'POST', headers, body })
      expect(await answer.json()).toMatchObject({ type: expect.stringContaining('malformed-request-body') })
      expect(answer.status).toBe(400)
    }
  })

  test('for a change that cannot be made', async () => {
    const { shortCode } = await create({})
    const path = `/short-urls/${shortCode}`
    for (const name of ['maxVisits', 'customSlug'])
      await expectProblem(ask('PATCH', path, { [name]: 1 }), 400, 'invalid-data', { invalidElements: [name] })
    const burning = await create({ maxVisits: 2 })
    await expectProblem(ask('PATCH', `/short-urls/${burning.shortCode}`, { title: 'a' }), 409, 'conflict')
  })

  test.each([
    ['page=0', 'page'],
    ['itemsPerPage=x', 'itemsPerPage'],
    ['page=9999&itemsPerPage=9999', 'page'],
    ['orderBy=longUrl-ASC', 'orderBy'],
    ['tags[]=a', 'tags[]'],
    ['startDate=2020-01-01', 'startDate'],
    ['searchTerm=-', 'searchTerm'],
  ])('for a list with %s', (query, element) =>
    expectProblem(ask('GET', `/short-urls?${query}`), 400, 'invalid-data', { invalidElements: [element] }),
  )

  test('for a wrong key, none, a key of others and one for pastes', async () => {
    const { shortCode } = await create({})
    const path = `/short-urls/${shortCode}`
    const add = async (...words: string[]) =>
      (await run(['keys', 'add', ...words, '--data', server.data])).stdout.trim()
    for (const [method, at, body] of [
      ['POST', '/short-urls', { longUrl: target }],
      ['GET', '/short-urls', undefined],
      ['GET', path, undefined],
      ['PATCH', path, { title: 'a' }],
      ['DELETE', path, undefined],
      ['GET', '/tags', undefined],
    ] as const) {
      await expectProblem(ask(method, at, body, 'sc_wrong'), 401, 'invalid-api-key')
      await expectProblem(ask(method, at, body, ''), 401, 'missing-authentication')
    }
    const [other, admin, pastes] = [
      await add('other'),
      await add('admin', '--admin'),
      await add('pastes', '--only', 'paste'),
    ]
    for (const key of [other, admin])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        await expectProblem(
          ask(method, path, method === 'PATCH' ? { title: 'a' } : undefined, key),
          404,
          'short-url-not-found',
        )
    await expectProblem(ask('POST', '/short-urls', { longUrl: target }, pastes), 403, 'forbidden')
    for (const method of ['GET', 'DELETE'])
      await expectProblem(ask(method, `${path}?domain=s.example`), 404, 'short-url-not-found')
    expect((await ask('GET', path)).status).toBe(200)
  })

  test('at the rate limit, with the time to come again', async () => {
    const limited = await start({ args: ['--rate-limit', '1/9999s', '--log', 'off'] })
    const send = () => ask('POST', '/short-urls', { longUrl: target }, testKey, limited.url)
    expect((await send()).status).toBe(200)
    const { response } = await send()
    expect([response.status, response.headers.get('Retry-After')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ])
    await limited.stop()
  })
})

test('a title is shown in lists of links', async () => {
  const { shortCode } = await create({ title: 'The title of a link' })
  const { link } = (await (await client.get(`/links/${shortCode}`, { key: testKey })).json()) as {
    link: { title: string }
  }
  expect(link.title).toBe('The title of a link')
  const rows = await (await client.get('/key/links', { key: testKey })).text()
  expect(rows).toContain(`/s/${shortCode} · The title of a link`)
})
