import { describe, expect, test } from 'bun:test'
import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { createClient, examplePaste } from '../support/client.ts'
import { testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

/** `FUZZ_REQUESTS=100000 npm test -- test/http/fuzz.test.ts` for the long run. */
const requests = Number(process.env.FUZZ_REQUESTS ?? 5000)
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const atOnce = 20
const limitMs = 60_000 + requests * 20

const address = /^http:\/\/127\.0\.0\.1:\d+\/\S+$/
const errorBody = { success: false, error: expect.stringMatching(/\S/) }
const createdBody = {
  '/paste': {
    success: true,
    message: expect.any(String),
    pasteUrl: expect.stringMatching(address),
    rawUrl: expect.stringMatching(address),
    deletionUrl: expect.stringMatching(address),
  },
  '/shortener': {
    success: true,
    message: expect.any(String),
    shortendUrl: expect.stringMatching(address),
    deletionUrl: expect.stringMatching(address),
  },
}
type Path = keyof typeof createdBody

const anyString = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    '\ud800',
    '\0',
    '\ufeff',
    'typescript',
    'C++',
    'http://nas/',
    'https://example.org/\t',
    '__proto__',
  ),
  fc.webUrl(),
)
const anyValue = fc.oneof({ weight: 4, arbitrary: anyString }, fc.jsonValue(), fc.constant(undefined))
const anyLifetime = fc.oneof(fc.integer(), fc.double(), fc.stringMatching(/^\d{1,10}[smhdwy]?$/))
const anyLimit = fc.oneof(fc.integer({ min: -1, max: 1_000_001 }), fc.double(), anyValue)
const anyObject = fc.record(
  {
    text: anyValue,
    title: anyValue,
    description: anyValue,
    language: anyValue,
    url: anyValue,
    expiresIn: fc.oneof(anyValue, anyLifetime),
    maxReads: anyLimit,
    maxVisits: anyLimit,
    alias: anyValue,
    __proto__: anyValue,
    extra: anyValue,
  },
  { requiredKeys: [] },
)
/** Few enough that some are taken. */
const anyAlias = fc.oneof(fc.string({ unit: fc.constantFrom(...'abcdefgh_-'), maxLength: 3 }), anyString)
const optionalAlias = fc.option(anyAlias, { nil: undefined })
const likelyPaste = fc
  .tuple(
    fc.record({ ...fieldsOf(examplePaste), text: anyString, title: anyString }),
    fc.oneof(fc.constant(undefined), anyLimit),
    optionalAlias,
  )
  .map(([paste, maxReads, alias]) => ({ ...paste, maxReads, alias }))
const likelyLink = fc.record(
  { url: fc.webUrl(), expiresIn: anyLifetime, maxVisits: anyLimit, alias: optionalAlias },
  { requiredKeys: ['url'] },
)
const anyBody = fc.oneof(
  anyObject.map((value) => JSON.stringify(value)),
  likelyPaste.map((value) => JSON.stringify(value)),
  likelyLink.map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string({ unit: 'binary' }),
)
const anyType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  '',
  'application/jsonx',
)
const anyRequest = fc.record({
  path: fc.constantFrom<Path>('/paste', '/shortener'),
  body: anyBody,
  type: anyType,
})

function fieldsOf<T extends object>(example: T) {
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, fc.constant(value)]))
}

describe(`any body whatever (seed ${seed})`, () => {
  const { server } = withServer()

  test(
    'is answered as documented and never with 5xx',
    async () => {
      const statuses = new Map<number, number>()
      const check = async ({ path, body, type }: { path: Path; body: string; type: string }) => {
        const response = await createClient(server.url).post(path, body, { 'Content-Type': type })
        const answer = await response.json()
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        expect([201, 400, 409, 413, 422]).toContain(response.status)
        const { expiresAt, maxReads, maxVisits, ...always } = answer as Record<string, unknown>
        expect(always).toEqual((response.status === 201 ? createdBody[path] : errorBody) as never)
        if (expiresAt !== undefined) expect(new Date(String(expiresAt)).toISOString()).toBe(String(expiresAt))
        expect(expiresAt !== undefined).toBe(response.status === 201 && 'expiresIn' in JSON.parse(body))
        for (const limit of [maxReads, maxVisits].filter((one) => one !== undefined)) {
          expect(Number.isInteger(limit)).toBe(true)
          expect(limit).toBeWithin(1, 1_000_001)
        }
        expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
      }
      await fc.assert(
        fc.asyncProperty(fc.array(anyRequest, { minLength: atOnce, maxLength: atOnce }), async (batch) => {
          await Promise.all(batch.map(check))
        }),
        { numRuns: Math.ceil(requests / atOnce), seed },
      )
      // All kinds of answers were really met, so the bodies were not all refused at the first check.
      expect([...statuses.keys()].sort()).toEqual([201, 400, 409, 422])
    },
    limitMs,
  )

  test(
    'sent as a file is refused, or comes back byte for byte',
    async () => {
      const client = createClient(server.url)
      const anyBytes = fc.oneof(
        fc.uint8Array(),
        fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
      )
      // `PUT /key` is an address of our own, and a word that the generator likes.
      const anyName = anyString.filter((name) => name.isWellFormed() && name !== 'key')
      const types = fc.constantFrom('', 'text/plain', 'application/x-www-form-urlencoded', 'application/json')
      const expected = (bytes: Uint8Array) => {
        if (!isUtf8(bytes)) return 400
        return bytes.length === 0 ? 422 : 201
      }
      await fc.assert(
        fc.asyncProperty(anyBytes, anyName, types, async (bytes, name, type) => {
          const response = await fetch(`${server.url}/${encodeURIComponent(name)}`, {
            method: 'PUT',
            headers: { key: testKey, 'Content-Type': type },
            body: bytes,
          })
          expect(response.status).toBe(expected(bytes))
          if (response.status !== 201) return
          const rawUrl = (await response.text()).trim().replace('/p/', '/p/raw/')
          expect(Buffer.from(await (await client.get(rawUrl)).arrayBuffer())).toEqual(Buffer.from(bytes))
        }),
        { numRuns: 300, seed },
      )
    },
    limitMs,
  )

  test(
    'if its text can be stored, comes back byte for byte as raw text and as JSON',
    async () => {
      const client = createClient(server.url)
      const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => value.isWellFormed())
      await fc.assert(
        fc.asyncProperty(text, async (value) => {
          const { rawUrl = '', pasteUrl = '' } = await client.paste({
            text: value,
            title: value,
            description: value,
          })
          expect(await (await client.get(rawUrl)).bytes()).toEqual(new TextEncoder().encode(value))
          const json = await (await client.get(pasteUrl, { Accept: 'application/json' })).json()
          expect(json).toMatchObject({ text: value, title: value, description: value })
        }),
        { numRuns: 300, seed },
      )
    },
    limitMs,
  )

  test(
    'sent as POST to any address of an item is answered as documented, and reads a burn-after-reading paste no more often than it may',
    async () => {
      const client = createClient(server.url)
      const anyAccept = fc.constantFrom('*/*', 'text/html', 'application/json', 'text/plain', '', 'nonsense')
      const anyTail = fc.oneof(
        fc.constantFrom('', '', '+', '?lang=python', '?lang=', '.py', '%00'),
        anyString.map((tail) => encodeURIComponent(tail.toWellFormed())),
      )
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 4 }),
          fc.array(fc.tuple(fc.constantFrom('p/', 'p/raw/', 's/'), anyTail, anyAccept), { maxLength: 12 }),
          async (maxReads, sent) => {
            const { pasteUrl = '' } = await client.paste({ text: 'a-limited-text', maxReads })
            const id = pasteUrl.slice(-10)
            const bodies = await Promise.all(
              sent.map(async ([path, tail, Accept]) => {
                const response = await fetch(`${server.url}/${path}${id}${tail}`, {
                  method: 'POST',
                  headers: { Accept },
                })
                expect(response.status).toBeOneOf([200, 404, 405, 410, 422])
                return response.text()
              }),
            )
            const read = bodies.filter((body) => body.includes('a-limited-text'))
            expect(read.length).toBeLessThanOrEqual(maxReads)
          },
        ),
        { numRuns: 100, seed },
      )
    },
    limitMs,
  )

  test(
    'sent as two texts or two names is compared or refused, never with 5xx',
    async () => {
      const client = createClient(server.url)
      const anyText = fc
        .array(fc.oneof(fc.constantFrom('same\n', 'other\n', '\r\n', '\\ x\n'), anyString), {
          minLength: 1,
          maxLength: 8,
        })
        .map((lines) => lines.join('').toWellFormed())
        .filter((text) => text !== '')
      const anyTail = fc.oneof(
        fc.constantFrom('', '.patch', '?view=split', '?view=', '?view=table'),
        anyString.map((tail) => encodeURIComponent(tail.toWellFormed())),
      )
      const idOf = ({ pasteUrl = '' }: { pasteUrl?: string }) => pasteUrl.slice(-10)
      const compare = async (one: string, other: string, tail: string, Accept: string) => {
        const [first, second] = [
          idOf(await client.paste({ text: one, title: one.slice(0, 200) })),
          idOf(await client.paste({ text: other })),
        ]
        for (const path of [`/diff/${first}/${second}${tail}`, `/diff/${first}?with=${tail}`]) {
          const response = await client.get(path, { Accept }, { redirect: 'manual' })
          // A name may be one that another of these rules gave.
          expect(response.status).toBeOneOf([200, 302, 403, 404, 410, 422])
          await response.text()
        }
        const patch = await client.get(`/diff/${first}/${second}`)
        expect(patch.status).toBe(200)
        expect((await patch.text()) === '').toBe(one === other)
      }
      await fc.assert(
        fc.asyncProperty(anyText, anyText, anyTail, fc.constantFrom('*/*', 'text/html', ''), compare),
        { numRuns: 200, seed },
      )
    },
    limitMs,
  )

  test(
    'sent as a change is taken or refused, never with 5xx; what it does not name stays',
    async () => {
      const client = createClient(server.url)
      const newPath = async (kind: string) =>
        kind === 'paste'
          ? `/pastes/${(await client.paste()).pasteUrl?.slice(-10)}`
          : `/links/${(await client.link()).shortendUrl?.slice(-7)}`
      type Known = Record<string, unknown> & { version: number }
      const read = async (path: string) => {
        const { paste, link } = (await (await client.get(path, { key: testKey })).json()) as Record<
          string,
          Known
        >
        return (paste ?? link) as Known
      }
      const anyMatch = fc
        .oneof(fc.constantFrom('*', '"1.0"', 'W/"2.0"'), fc.string())
        .map((text) => text.trim())
      const statuses = new Set<number>()
      const change = async (kind: string, body: string, match: string | undefined) => {
        const path = await newPath(kind)
        const before = await read(path)
        const headers = {
          key: testKey,
          'Content-Type': 'application/json',
          ...(match && { 'If-Match': match }),
        }
        const { status } = await fetch(server.url + path, { method: 'PATCH', headers, body })
        const after = await read(path)
        statuses.add(status)
        expect([200, 400, 412, 422]).toContain(status)
        if (status !== 200) return expect(after).toEqual(before)
        const named = new Set(Object.keys(JSON.parse(body)))
        // It may have got a second to live.
        if (!after) return expect(named).toContain('expiresIn')
        expect(after.version - before.version).toBeWithin(0, 2)
        // Size, expiry and the name in lists follow from what is named.
        const mayDiffer = new Set([...named, 'version', 'changedAt', 'expiresAt', 'bytes', 'name'])
        for (const [name, value] of Object.entries(before))
          if (!mayDiffer.has(name)) expect(after[name]).toEqual(value)
      }
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('paste', 'link'),
          anyBody,
          fc.option(anyMatch, { nil: undefined, freq: 10 }),
          change,
        ),
        { numRuns: 500, seed },
      )
      expect([...statuses].sort()).toEqual([200, 400, 412, 422])
    },
    limitMs,
  )

  test(
    'sent as an id, a limit or a cursor of a list is answered or refused, never with 5xx',
    async () => {
      const client = createClient(server.url)
      const word = fc
        .oneof(anyString, fc.constantFrom('1', '200', 'MTAwMC5h'))
        .filter((raw) => raw.isWellFormed())
      const plural = fc.constantFrom('pastes', 'links')
      await fc.assert(
        fc.asyncProperty(plural, word, word, async (kind, one, two) => {
          const query = new URLSearchParams({ limit: one, after: two })
          const listed = await client.get(`/${kind}?${query}`, { key: testKey })
          expect([200, 422]).toContain(listed.status)
          // No id and no alias has a tilde; "x" may be an alias that another of these rules gave.
          const [found, deleted] = await Promise.all(
            ['GET', 'DELETE'].map((method) =>
              client.get(`/${kind}/~${encodeURIComponent(one)}`, { key: testKey }, { method }),
            ),
          )
          expect([found?.status, deleted?.status]).toEqual([404, 404])
        }),
        { numRuns: 200, seed },
      )
    },
    limitMs,
  )

  test(
    'sent as a text and as the query of its page is shown, or refused with 422 to a program',
    async () => {
      const client = createClient(server.url)
      const anyLanguage = fc.constantFrom(
        'markdown',
        'csv',
        'tsv',
        'json',
        'jsonl',
        'log',
        'ansi',
        'diff',
        'text',
      )
      const anyText = fc
        .array(
          fc.oneof(
            fc.constantFrom(
              '# a\n',
              '| a | b |\n|-|-|\n',
              '```c\n',
              '[^1]: b\n',
              '"a,\n',
              '{"a":[1,\n',
              ']}\n',
            ),
            fc.constantFrom(
              'ERROR x\n',
              '\tat a.b(c)\n',
              '@@ -1 +1 @@\n-a\n+b\n',
              '\x1b[31m',
              '>'.repeat(60),
            ),
            anyString,
          ),
          { minLength: 1, maxLength: 12 },
        )
        .map((parts) => parts.join('').toWellFormed())
        .filter((text) => text !== '')
      const anyValue = fc.oneof(
        fc.constantFrom('preview', 'table', 'formatted', 'error', 'trace', 'a', 'ERROR', 'json'),
        anyString.map((value) => value.toWellFormed().slice(0, 300)),
      )
      const anyQuery = fc.dictionary(fc.constantFrom('view', 'level', 'grep', 'lang'), anyValue)
      const show = async (text: string, language: string, query: Record<string, string>, Accept: string) => {
        const { pasteUrl = '' } = await client.paste({ text, language })
        const response = await client.get(`${pasteUrl}?${new URLSearchParams(query)}`, { Accept })
        expect(response.status).toBeOneOf(Accept === 'text/html' ? [200] : [200, 422])
        expect(await response.text()).toEndWith(response.status === 200 ? '</html>' : '}')
      }
      await fc.assert(
        fc.asyncProperty(anyText, anyLanguage, anyQuery, fc.constantFrom('text/html', '*/*'), show),
        { numRuns: 200, seed },
      )
    },
    limitMs,
  )

  test(
    'sent as a part of a raw text gives these lines of it, or 422',
    async () => {
      const client = createClient(server.url)
      const anyText = fc
        .array(fc.oneof(fc.constantFrom('\n', '\r\n', 'Error', 'é', '😀'), anyString), { minLength: 1 })
        .map((words) => words.join(''))
        .filter((text) => text !== '' && text.isWellFormed())
      const anyRange = fc.oneof(fc.stringMatching(/^\d{0,2}-?\d{0,2}$/), anyString)
      const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
      const statuses = new Set<number>()
      const check = async (text: string, range: string | undefined, word: string | undefined) => {
        const { rawUrl } = await client.paste({ text, language: 'text' })
        const query = new URLSearchParams({
          ...(range !== undefined && { lines: range }),
          ...(word !== undefined && { grep: word }),
        })
        const response = await client.get(`${rawUrl}?${query}`)
        statuses.add(response.status)
        expect([200, 422]).toContain(response.status)
        if (response.status !== 200) return
        const [, first, dash, last] = /^(\d*)(-?)(\d*)$/.exec(range ?? '-') ?? []
        const lines = (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).slice(
          Number(first || 1) - 1,
          dash ? Number(last || Number.POSITIVE_INFINITY) : Number(first),
        )
        const pattern = new RegExp(RegExp.escape(word ?? ''), 'iu')
        const kept = lines.filter((line) => pattern.test(line.toWellFormed()))
        expect(await response.bytes()).toEqual(new TextEncoder().encode(kept.join('')))
      }
      await fc.assert(
        fc.asyncProperty(
          anyText,
          option(anyRange),
          option(fc.oneof(fc.constantFrom('e', 'É'), anyString)),
          check,
        ),
        { numRuns: 400, seed },
      )
      expect([...statuses].sort()).toEqual([200, 422])
    },
    limitMs,
  )
})
