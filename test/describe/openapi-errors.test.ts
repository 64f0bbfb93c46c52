import { beforeAll, describe, expect, test } from 'bun:test'
import { storageFailure } from '../../src/errors.ts'
import { asSentence } from '../../src/format.ts'
import type { ErrorBody } from '../../src/items/schema.ts'
import { refusals } from '../../src/routes/diff/diff-view.ts'
import { expiredItem, notConsumed } from '../../src/services/items.ts'
import { createClient, examplePaste } from '../support/client.ts'
import { describeAt } from '../support/description.ts'
import { run, testKey } from '../support/process.ts'
import { exchange } from '../support/raw-http.ts'
import { withServer } from '../support/server.ts'

const { paths } = await describeAt()

/** What the description says that the program says: a status and a text. */
const described = new Set(
  Object.values(paths).flatMap(({ servers: _, ...operations }) =>
    Object.values(operations).flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const { success, error } = (content?.['application/json']?.example ?? {}) as Partial<ErrorBody>
        // Protocols of other programs have errors of their own.
        return success !== false ? [] : [`${status} ${error}`]
      }),
    ),
  ),
)

/** Ids and waits are other ones each time. */
const withoutNames = (text: string) =>
  text
    .replace(/\/(p\/raw|p|s)\/[a-z0-9]+/g, '/$1/…')
    .replace(/paste "[a-z0-9]+"/, 'paste "…"')
    .replace(/in \d+ s/, 'in … s')
    .replace(/ersion \d+/, 'ersion …')

const full = Object.assign(new Error('full'), { code: 'ENOSPC' })

const { server, client } = withServer()
const { server: limited } = withServer({
  args: ['--log', 'off', '--trust-proxy', '127.0.0.1', '--user-header', 'Remote-User'],
})
let scoped: Record<'paste' | 'shorten', string>
beforeAll(async () => {
  const keyFor = async (only: string) =>
    (await run(['keys', 'add', only, '--only', only, '--data', server.data])).stdout.trim()
  await client.post('/paste', { ...examplePaste, alias: 'wiki' })
  scoped = { paste: await keyFor('paste'), shorten: await keyFor('shorten') }
})

const textOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: string }
  return `${response.status} ${error}`
}
const get = async (path = '', headers: Record<string, string> = {}, method = 'GET') =>
  textOf(await client.get(path, { Accept: 'application/json', ...headers }, { method }))
const post = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
  textOf(await client.post(path, body, headers))
const patch = async (path: string, body: object, headers: Record<string, string> = {}) => {
  const json = { key: testKey, 'Content-Type': 'application/json' }
  const init = { method: 'PATCH', body: JSON.stringify(body), headers: { ...json, ...headers } }
  return textOf(await fetch(server.url + path, init))
}
const put = async (body: string | Uint8Array<ArrayBuffer>) =>
  textOf(await fetch(`${server.url}/`, { method: 'PUT', headers: { key: testKey }, body }))

const items = [
  { path: '/p/', plural: '/pastes/', make: (fields = {}) => client.paste(fields), limit: 'maxReads' },
  {
    path: '/s/',
    plural: '/links/',
    make: (fields = {}) => client.link('https://example.org/', fields),
    limit: 'maxVisits',
  },
] as const
const idOf = ({ pasteUrl, shortendUrl }: Record<string, string>) =>
  (pasteUrl ?? shortendUrl)?.split('/').at(-1)

/** Everything that can be asked for both kinds of items. */
const ofItems = async () => {
  const texts: string[] = []
  for (const { path, plural, make, limit } of items) {
    const deleted = await make()
    await client.get(deleted.deletionUrl ?? '', {}, { method: 'DELETE' })
    const living = await make()
    const once = await make({ [limit]: 1 })
    texts.push(await get(path + idOf(once)))
    await client.get(path + idOf(once), {}, { method: 'POST' })
    texts.push(
      await get(path + idOf(once), {}, 'POST'),
      await get(path + idOf(await make()), {}, 'POST'),
      await get(path + idOf(deleted)),
      await get(plural + idOf(deleted), { key: testKey }),
      await get(`${path}nothing`),
      await get(deleted.deletionUrl, {}, 'DELETE'),
      await patch(plural + idOf(await make({ [limit]: 1 })), { expiresIn: 60 }),
      await patch(plural + idOf(living), {}),
      await patch(plural + idOf(living), { expiresIn: 60 }, { 'If-Match': '"3.0"' }),
      await get(`${plural}${idOf(living)}/versions/7`, { key: testKey }),
      await get(`${plural}${idOf(living)}/versions/x`, { key: testKey }),
      await get(`${new URL(deleted.deletionUrl ?? '').pathname}?key=unknown`, {}, 'DELETE'),
    )
  }
  return texts
}

/** Everything that a request alone can be told. */
const ofRequests = async () => [
  await post('/shortener', { url: 'nas' }),
  await post('/paste', '{'),
  await put(new Uint8Array([0xff])),
  await textOf(await exchange(server.url, ['GET / HTTP/1.1', 'Host: a b'])),
  await textOf(
    await fetch(server.url, { method: 'POST', body: '', headers: { 'Content-Type': 'multipart/form-data' } }),
  ),
  await get('/pastes'),
  await get('/pastes', { key: 'sc_unknown' }),
  await post('/shortener', {}, { key: scoped.paste }),
  await post('/paste', {}, { key: scoped.shorten }),
  await get('/assets/none'),
  await get('/paste/delete'),
  await get('/paste/delete', {}, 'POST'),
  await post('/paste', { ...examplePaste, alias: 'wiki' }),
  await post('/paste', { ...examplePaste, text: 'a'.repeat(1024 ** 2 + 1) }),
  await post('/paste', { ...examplePaste, text: '' }),
  await put('a'.repeat(1024 ** 2 + 1)),
  await get(`/p/${idOf(await client.paste())}?lang=pythn`, { Accept: '*/*' }),
  await get(`/p/raw/${idOf(await client.paste())}?lines=0`, { Accept: '*/*' }),
  await get('/pastes?limit=0', { key: testKey }),
  await get('/pastes?owner=*', { key: testKey }),
  await get('/stats', { key: testKey }),
  await post('/shortener', {}),
  await put(''),
]

/** What is said of two pastes. */
const ofComparisons = async () => {
  const once = idOf(await client.paste({ maxReads: 1 }))
  const first = idOf(await client.paste())
  return [
    await get(`/diff/${first}/${once}`, { Accept: '*/*' }),
    await get(`/diff/${first}/zzzzzzzzzz`, { Accept: '*/*' }),
    await get(`/diff/${first}?with=a%20b`, { Accept: '*/*' }),
  ]
}

/** What needs a fault, from what the program makes its answers of. */
const ofFaults = [
  `410 ${asSentence(expiredItem('paste').message)}`,
  `410 ${asSentence(expiredItem('link').message)}`,
  `503 ${storageFailure(new Error()).message}`,
  `507 ${storageFailure(full).message}`,
  ...(['paste', 'link'] as const).flatMap((kind) => [
    `503 ${(notConsumed(kind, storageFailure(new Error())) as Error).message}`,
    `507 ${(notConsumed(kind, storageFailure(full)) as Error).message}`,
  ]),
  // Held by test/store/faults.test.ts, test/process/process-ready.test.ts and test/routes/comparing.test.ts.
  `503 ${refusals.late().message}`,
  `422 ${asSentence(refusals.different().message)}`,
  '500 Internal error.',
  '503 The last write failed.',
]

const ofTheRateLimit = async () => {
  for (let at = 0; at < 3; at++) await createClient(limited.url).link()
  return textOf(await createClient(limited.url).post('/shortener', {}))
}

const ofOtherOrigins = async () => {
  const headers = { 'Remote-User': 'alice', Origin: 'http://evil.example' }
  return textOf(await fetch(`${limited.url}/key`, { headers }))
}

describe('every error text in the description', () => {
  test('is one that is really sent', async () => {
    const asked = [...(await ofItems()), ...(await ofRequests()), ...(await ofComparisons())]
    const sent = [...asked, ...ofFaults, await ofTheRateLimit(), await ofOtherOrigins()]
    const known = new Set(sent.map(withoutNames))
    expect(described.size).toBeGreaterThan(35)
    expect([...described].filter((text) => !known.has(withoutNames(text)))).toEqual([])
  })
})
