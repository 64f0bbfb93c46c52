import { beforeAll, describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { openHighlighted } from '../support/pages.ts'
import { run, start, temporaryFolder } from '../support/process.ts'
import { withServer } from '../support/server.ts'

/** A sample of the text format: name, labels, value. */
type Sample = { name: string; labels: Record<string, string>; value: number }

/** Reads the text format, and fails for a line that does not follow it or a sample without HELP and TYPE. */
const parse = (text: string): Sample[] => {
  const types = new Map<string, string>()
  const helps = new Set<string>()
  const samples: Sample[] = []
  expect(text).toEndWith('\n')
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, kind, of = '', rest = ''] = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line) ?? []
    if (kind === 'HELP') helps.add(of)
    if (kind === 'TYPE') types.set(of, rest)
    if (kind) continue
    const [, name = '', inBraces = '', value = ''] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const family = types.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')
    expect([line, types.get(family), helps.has(family)]).toEqual([
      line,
      expect.stringMatching(/^(counter|gauge|histogram)$/),
      true,
    ])
    const labels = Object.fromEntries(
      [...inBraces.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, key, label]) => [key, label]),
    )
    samples.push({ name, labels, value: Number(value) })
  }
  return samples
}

/** A key that has all its tokens. */
const keyFor = async ({ data }: { data: string }) =>
  (await run(['keys', 'add', 'more', '--data', data])).stdout.trim()

describe('metrics', () => {
  const { server } = withServer({
    args: ['--metrics', '127.0.0.1:0', '--rate-limit', '4/9999s', '--log', 'off'],
  })
  let address: string
  let ids: string[]
  let samples: Sample[]
  const sampleOf = (name: string, labels: Record<string, string> = {}) =>
    samples.find((one) => one.name === `shortcrust_${name}` && Bun.deepEquals(one.labels, labels))?.value

  beforeAll(async () => {
    address = (await server.stdout.waitFor(/metrics: (http\S+)/))[1] ?? ''
    const { paste, link, post, get } = createClient(server.url)
    const first = await paste({ language: 'text' })
    const { pasteUrl = '' } = await openHighlighted(server)
    const short = await link()
    await get(pasteUrl, browser)
    await get(first.rawUrl ?? '')
    await get(first.rawUrl ?? '', {}, { method: 'HEAD' })
    await get(short.shortendUrl ?? '')
    await get(first.deletionUrl ?? '', {}, { method: 'DELETE' })
    await get('/p/2222222222')
    await get('/nothing/at/all?key=secret')
    await get('/paste')
    while ((await post('/paste', examplePaste)).status !== 429);
    ids = [first, short].flatMap(({ deletionUrl = '' }) => deletionUrl.split('key=')[1] ?? [])
    samples = parse(await (await fetch(address)).text())
  })

  test('are in the text format of Prometheus', async () => {
    expect((await fetch(address)).headers.get('Content-Type')).toBe(
      'text/plain; version=0.0.4; charset=utf-8',
    )
    expect(samples.length).toBeGreaterThan(50)
  })

  test('count requests by method, route and status', () => {
    expect(sampleOf('requests_total', { method: 'GET', route: '/p/raw/:id', status: '200' })).toBe(1)
    expect(sampleOf('requests_total', { method: 'HEAD', route: '/p/raw/:id', status: '200' })).toBe(1)
    expect(sampleOf('requests_total', { method: 'GET', route: '/s/:id', status: '302' })).toBe(1)
    expect(sampleOf('requests_total', { method: 'GET', route: '/p/:id', status: '404' })).toBe(1)
    expect(sampleOf('requests_total', { method: 'GET', route: 'none', status: '404' })).toBe(1)
    expect(sampleOf('requests_total', { method: 'GET', route: '/paste', status: '405' })).toBe(1)
    expect(sampleOf('requests_total', { method: 'POST', route: '/paste', status: '429' })).toBe(1)
    expect(sampleOf('request_duration_seconds_count', { route: '/p/raw/:id' })).toBe(2)
    expect(sampleOf('request_duration_seconds_sum', { route: '/p/raw/:id' })).toBeGreaterThan(0)
    expect(sampleOf('request_duration_seconds_bucket', { le: '+Inf', route: '/p/raw/:id' })).toBe(2)
  })

  test('count items, refusals, look-ups and highlighting', () => {
    expect(sampleOf('items_created_total', { kind: 'link' })).toBe(1)
    expect(sampleOf('items_created_total', { kind: 'paste' })).toBeGreaterThan(1)
    expect(sampleOf('items_deleted_total', { kind: 'paste' })).toBe(1)
    expect(sampleOf('items_deleted_total', { kind: 'link' })).toBe(0)
    expect(sampleOf('rate_limit_refusals_total')).toBe(1)
    expect(sampleOf('cache_lookups_total', { cache: 'pastes', result: 'hit' })).toBeGreaterThan(1)
    expect(sampleOf('cache_lookups_total', { cache: 'pastes', result: 'miss' })).toBe(1)
    expect(sampleOf('cache_lookups_total', { cache: 'links', result: 'hit' })).toBe(1)
    expect(sampleOf('cache_lookups_total', { cache: 'pages', result: 'hit' })).toBe(1)
    expect(sampleOf('cache_lookups_total', { cache: 'pages', result: 'miss' })).toBeGreaterThan(0)
    expect(sampleOf('highlight_duration_seconds_count')).toBeGreaterThan(0)
    expect(sampleOf('highlight_failures_total')).toBeGreaterThanOrEqual(0)
  })

  test('tell items and bytes by kind, and the free space', async () => {
    const { paste } = createClient(server.url, await keyFor(server))
    await paste({ text: 'x'.repeat(1000) })
    const before = samples
    samples = parse(await (await fetch(address)).text())
    const [pastes, bytes] = ['items', 'items_bytes'].map((name) => sampleOf(name, { kind: 'paste' }) ?? 0)
    expect(sampleOf('items', { kind: 'link' })).toBe(1)
    expect(sampleOf('items_bytes', { kind: 'link' })).toBe('https://example.org/'.length)
    expect(sampleOf('disk_free_bytes')).toBeGreaterThan(1024 ** 2)
    samples = before
    expect(pastes).toBe((sampleOf('items', { kind: 'paste' }) ?? 0) + 1)
    expect(bytes).toBe((sampleOf('items_bytes', { kind: 'paste' }) ?? 0) + 1000)
  })

  test('tell the state of the storage and the memory', () => {
    expect(sampleOf('storage_good')).toBe(1)
    expect(sampleOf('heap_bytes')).toBeGreaterThan(1024 ** 2)
    const [resident] = samples.filter(({ name }) => name === 'process_resident_memory_bytes')
    expect(resident?.value).toBeGreaterThan(16 * 1024 ** 2)
  })

  test('hold no id, no key and nothing else that a client can make up', () => {
    const labels = JSON.stringify(samples.map((one) => one.labels))
    for (const id of ids) expect(labels).not.toContain(id.slice(0, 7))
    expect(labels).not.toMatch(/2222222222|nothing|secret/)
  })

  test('are at their own address alone, which answers nothing else', async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
    const missing = await fetch(address.replace('/metrics', '/p/abc'))
    expect([missing.status, await missing.json()]).toEqual([
      404,
      { success: false, error: expect.any(String) },
    ])
    const wrong = await fetch(address, { method: 'POST' })
    expect([wrong.status, wrong.headers.get('Allow'), await wrong.json()]).toEqual([
      405,
      'GET, HEAD',
      { success: false, error: expect.any(String) },
    ])
  })

  test('at a port in use keep the server from starting, and say so', async () => {
    const taken = new URL(address).host
    const data = ['--port', '0', '--host', '127.0.0.1', '--data', temporaryFolder()]
    const { code, stderr, stdout } = await run([...data, '--metrics', taken])
    expect([code, stdout]).toEqual([1, ''])
    const [host, port] = taken.split(':')
    expect(stderr).toBe(
      `shortcrust: cannot serve metrics: port ${port} on ${host} is in use; choose another with --metrics.\n`,
    )
  })
})

test('a paste of the largest size that is allowed stays in memory', async () => {
  const args = ['--metrics', '127.0.0.1:0', '--max-paste', '8MiB', '--rate-limit', 'off', '--log', 'off']
  const server = await start({ args })
  const [, address = ''] = await server.stdout.waitFor(/metrics: (http\S+)/)
  const { paste, get } = createClient(server.url)
  const words = { title: 't'.repeat(1024), description: 'd'.repeat(8192) }
  const { rawUrl = '' } = await paste({ text: 'x'.repeat(8 * 1024 ** 2), ...words })
  for (const _ of [1, 2]) expect((await (await get(rawUrl)).bytes()).length).toBe(8 * 1024 ** 2)
  const samples = parse(await (await fetch(address)).text())
  const misses = samples.find(({ labels: { cache, result } }) => cache === 'pastes' && result === 'miss')
  expect(misses?.value ?? 0).toBe(0)
  await server.stop()
})
