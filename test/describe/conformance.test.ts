import { describe, expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { createConformance, type Observed } from '../support/conformance.ts'
import { describeAt } from '../support/description.ts'
import { checkedAnswers } from '../support/observed.ts'
import { repository, start, temporaryFolder } from '../support/process.ts'

const problemsOf = createConformance(await describeAt())

type Given = Partial<Omit<Observed, 'headers' | 'json'>> & {
  headers?: Record<string, string>
  json?: unknown
}

const json = {
  'Content-Type': 'application/json; charset=utf-8',
  'Access-Control-Allow-Origin': '*',
}
const created = {
  success: true,
  message: 'Short link created',
  shortendUrl: 'http://nas/s/abcdefg',
  deletionUrl: `http://nas/shortener/delete?key=${'abcdefg'.padEnd(33, '2')}`,
}
const failure = { success: false, error: 'No' }

/** A right answer to `POST /shortener`, but for what is given. */
const judge = ({ headers, json: body = created, ...given }: Given) =>
  problemsOf({
    method: 'POST',
    path: '/shortener',
    status: 201,
    headers: new Headers({ ...json, Location: created.shortendUrl, ...headers }),
    json: typeof body === 'string' ? body : JSON.stringify(body),
    ...given,
  })

/** An answer that has only these headers. */
const bare = (given: Omit<Observed, 'headers'> & { headers?: Record<string, string> }) =>
  problemsOf({ ...given, headers: new Headers(given.headers) })

const limits = {
  'Retry-After': '1',
  RateLimit: '"default";r=0;t=1',
  'RateLimit-Policy': '"default";q=3;w=15',
}
const errorIn = (status: number, headers: Record<string, string>) =>
  bare({
    method: 'POST',
    path: '/paste',
    status,
    headers: { ...json, ...headers },
    json: JSON.stringify(failure),
  })

describe('an answer conforms', () => {
  test('when it is as described, with or without what every answer has', () => {
    expect(judge({})).toEqual([])
    expect(judge({ headers: { Date: 'now', 'Cache-Control': 'no-store' } })).toEqual([])
    expect(errorIn(422, {})).toEqual([])
    expect(errorIn(429, limits)).toEqual([])
  })

  test('when nothing is there and it says so', () => {
    const body = JSON.stringify(failure)
    const nothing = { path: '/nothing', status: 404, headers: json, json: body }
    // A name that no address has can be read and uploaded to, and is nothing to every other method.
    for (const method of ['GET', 'POST']) expect(bare({ method, ...nothing })).toEqual([])
    expect(bare({ method: 'POST', ...nothing, path: '/nothing/more' })).toEqual([])
    const headers = { ...json, Allow: 'POST, OPTIONS' }
    expect(bare({ method: 'GET', path: '/paste', status: 405, headers, json: body })).toEqual([])
  })
})

describe('an answer does not conform', () => {
  test.each<[string, string[], RegExp]>([
    ['with a status that is not described', judge({ status: 202 }), /status 202 is not described/],
    ['with another type', judge({ headers: { 'Content-Type': 'text/plain' } }), /text\/plain/],
    ['with a field missing', judge({ json: { ...created, shortendUrl: undefined } }), /shortendUrl/],
    ['with a field of another type', judge({ json: { ...created, message: 1 } }), /message/],
    ['with another value', judge({ json: { ...created, success: false } }), /success/],
    [
      'with an address that is none',
      judge({ json: { ...created, shortendUrl: 'nonsense' } }),
      /shortendUrl must match/,
    ],
    ['with a field that is not described', judge({ json: { ...created, owner: 'me' } }), /unevaluated/],
    ['with a body that is not JSON', judge({ json: '{' }), /not JSON/],
    ['with a header that is not described', judge({ headers: { 'X-Powered-By': 'me' } }), /x-powered-by/],
    ['with a header of another type', errorIn(429, { ...limits, 'Retry-After': 'soon' }), /Retry-After/],
    ['with a header below its minimum', errorIn(429, { ...limits, 'Retry-After': '0' }), /Retry-After/],
    [
      'without a header that is described',
      bare({
        method: 'POST',
        path: '/shortener',
        status: 201,
        headers: json,
        json: JSON.stringify(created),
      }),
      /Location is missing/,
    ],
    ['at an address that is not described', judge({ path: '/new/route' }), /at an address not described/],
    [
      'with 404 for a method of an address that exists',
      judge({ method: 'PUT', status: 404 }),
      /404 for a method/,
    ],
    [
      'without leave for pages of other origins',
      bare({
        method: 'GET',
        path: '/healthz',
        status: 200,
        headers: { 'Content-Type': json['Content-Type'] },
      }),
      /Access-Control-Allow-Origin is missing/,
    ],
    ['for a method that is not described', judge({ method: 'PUT' }), /not described/],
    [
      'with an Allow that says something else',
      bare({
        method: 'PUT',
        path: '/paste/delete',
        status: 405,
        headers: { ...json, Allow: 'POST' },
        json: JSON.stringify(failure),
      }),
      /Allow says POST, not/,
    ],
  ])('%s', (_name, problems, says) => {
    expect(problems.join('\n')).toMatch(says)
  })
})

describe('the fetch of every test', () => {
  test('holds each answer of a server against the description', async () => {
    const server = await start({ args: ['--log', 'off'] })
    const before = checkedAnswers()
    await fetch(`${server.url}/healthz`)
    expect(checkedAnswers()).toBe(before + 1)
    await server.stop()
  })

  test('fails a test that got an answer which does not conform, also if the test does not look', async () => {
    const folder = temporaryFolder()
    const [program, file] = [join(folder, 'server'), join(folder, 'fake.test.ts')]
    await Bun.write(
      program,
      `#!${process.execPath}
      const fetch = () => Response.json({ success: true, message: 'Alive', surprise: 1 })
      const { port } = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch })
      console.log('listening on http://127.0.0.1:' + port)`,
    )
    chmodSync(program, 0o755)
    await Bun.write(
      file,
      `import { test } from 'bun:test'
      import { start } from '${repository}/test/support/process.ts'
      test('looks away', async () => {
        const { url, stop } = await start()
        await fetch(url + '/healthz').catch(() => {})
        await stop()
      })`,
    )
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'test', file], {
      cwd: repository,
      env: { ...process.env, SHORTCRUST_TARGET: program },
    })
    expect(String(stderr)).toContain('GET /healthz → 200: body: data must NOT have unevaluated properties')
    expect(exitCode).toBe(1)
  })
})
