import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { deployFile } from '../support/nginx.ts'
import { freePort } from '../support/ports.ts'
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts'
import { type RunningServer, start, testKey } from '../support/process.ts'
import { askProxy, hasCaddy, isCaddySince, startCaddy } from '../support/tls-proxies.ts'

const isPossible = hasPostgres && hasCaddy
const [tls, plain] = [freePort(), freePort()]
const ask = askProxy(tls)

let postgres: Postgres
let store: string
let replicas: RunningServer[] = []
let proxy: Awaited<ReturnType<typeof startCaddy>> | undefined

/** @param port that of a replica before, which Caddy knows */
const startReplica = (port = '0') =>
  start({ args: ['--rate-limit', 'off', '--trust-proxy', '127.0.0.1', '--store', store, '--port', port] })

beforeAll(async () => {
  if (!isPossible) return
  postgres = await startPostgres()
  store = postgres.database()
  replicas = await Promise.all([startReplica(), startReplica()])
  const [first = '', second = ''] = replicas.map(({ url }) => new URL(url).host)
  const site = deployFile('postgres/Caddyfile')
    .replace('shortcrust-1:8080', first)
    .replace('shortcrust-2:8080', second)
  proxy = await startCaddy(site, { tls, plain })
})
afterAll(async () => {
  await proxy?.stop()
  for (const replica of replicas) await replica.stop()
  await postgres?.stop()
})

/** Clients at once. */
const lanes = 8

const create = (text: string) =>
  ask('/paste', {
    method: 'POST',
    headers: { key: testKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text, title: 'a', description: '', language: 'text' }),
  })

/**
 * What may fail while a replica goes away: what a client was creating there, once. An older Caddy loses the body of what it
 * tries again, so that further attempts fail until it knows that the replica is gone.
 */
const mayFail =
  isPossible && isCaddySince('2.11.2') ? /^create, attempt 1: 502$/ : /^create, attempt \d+: 50[23]$/

/** Clients that create, and read what they created, until they are stopped. */
const startLoad = () => {
  /** Text by the path of its raw form. */
  const acknowledged = new Map<string, string>()
  const failures: string[] = []
  let [isOver, wake] = [false, Promise.withResolvers<void>()]

  /** The answer with this status; any other one is a failure. */
  const attempt = async (what: string, expected: number, send: () => Promise<Response>) => {
    const answer = await send().catch((error: Error) => error)
    if (answer instanceof Response && answer.status === expected) return answer
    failures.push(`${what}: ${answer instanceof Response ? answer.status : answer.message}`)
    return undefined
  }
  const lane = async () => {
    while (!isOver) {
      const text = crypto.randomUUID()
      let made: Response | undefined
      for (let number = 1; !made; number++)
        made = await attempt(`create, attempt ${number}`, 201, () => create(text))
      const { rawUrl } = (await made.json()) as { rawUrl: string }
      const path = new URL(rawUrl).pathname
      acknowledged.set(path, text)
      wake.resolve()
      const read = await attempt('read', 200, () => ask(path))
      if (read && (await read.text()) !== text) failures.push('read: another text')
    }
  }
  const running = Promise.all(Array.from({ length: lanes }, lane))
  return {
    /** Waits until so many more are acknowledged. */
    more: async (count: number) => {
      const goal = acknowledged.size + count
      while (acknowledged.size < goal) {
        wake = Promise.withResolvers()
        await wake.promise
      }
    },
    /** Ends it. @returns what failed */
    stop: async () => {
      isOver = true
      await running
      return failures
    },
    /** How many of the acknowledged pastes are not there. */
    missing: async () => {
      let count = 0
      for (const [path, text] of acknowledged) if ((await (await ask(path)).text()) !== text) count++
      return count
    },
  }
}

describe.skipIf(!isPossible)('two replicas behind the Caddyfile for PostgreSQL', () => {
  test('both start on an empty database, and neither makes a key where one is given', async () => {
    for (const { stdout, url } of replicas) {
      expect(stdout.text()).not.toContain('API key')
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    }
    expect(postgres.psql(`SELECT version FROM ${/search_path%3D(\w+)/.exec(store)?.[1]}.key_ring`)).toBe('0')
  })

  test('have the same items: what one stores, the other one answers', async () => {
    const { rawUrl } = (await (await create('of both')).json()) as { rawUrl: string }
    expect(rawUrl).toStartWith(`https://paste.example.org:${tls}/p/raw/`)
    for (const { url } of replicas)
      expect(await (await fetch(url + new URL(rawUrl).pathname)).text()).toBe('of both')
  })

  test('one can be updated after the other, no reader notices, and a creation is tried once more at most', async () => {
    const load = startLoad()
    for (const at of [0, 1]) {
      await load.more(50)
      const { url, stop } = replicas[at] as RunningServer
      expect(await stop()).toBe(0)
      const updated = await startReplica(new URL(url).port)
      replicas[at] = updated
      // Caddy has seen that it is back.
      await updated.stderr.waitFor(/paste created/)
    }
    expect((await load.stop()).filter((failure) => !mayFail.test(failure))).toEqual([])
    expect(await load.missing()).toBe(0)
  })

  test('one is killed, no reader notices, and a creation is tried once more at most', async () => {
    const load = startLoad()
    await load.more(50)
    await replicas[0]?.kill()
    await load.more(200)
    expect((await load.stop()).filter((failure) => !mayFail.test(failure))).toEqual([])
    expect(await load.missing()).toBe(0)
  })

  test('without any, the answer says when to try again', async () => {
    await replicas[1]?.stop()
    const { status, headers } = await ask('/')
    expect([502, 503]).toContain(status)
    expect(headers.get('Retry-After')).toBe('5')
  })
})
