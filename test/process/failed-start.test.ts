import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createIds } from '../../src/items/ids.ts'
import { startServer } from '../../src/server.ts'
import { checkedJson } from '../../src/store/disk.ts'
import { configOf } from '../support/config.ts'
import { newPath } from '../support/store.ts'

/** An address of this machine that no other test listens on, so that a port that is free there stays free. */
const host = '127.0.0.77'

const freePort = () => {
  const listener = Bun.listen({ hostname: host, port: 0, socket: { data: () => {} } })
  listener.stop(true)
  return listener.port
}

/** A start on a free port, with metrics on another. */
const prepare = () => {
  const [data, port, metrics] = [newPath(), freePort(), freePort()]
  const config = configOf({
    flags: { data, port: String(port), host, metrics: `${host}:${metrics}` },
  })
  const begin = () =>
    startServer({
      config,
      ids: createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
      log: () => {},
      now: Date.now,
      monotonic: () => performance.now(),
      program: 'shortcrust of a test',
      spawnChild: () => {
        throw new Error('nothing is highlighted here')
      },
    })
  const addresses = [`http://${host}:${port}/healthz`, `http://${host}:${metrics}/metrics`]
  return { data, port, addresses, begin }
}

const answers = (address: string) =>
  fetch(address).then(
    ({ status }) => status,
    () => 'nothing',
  )

describe('a start that fails', () => {
  test('because the keys cannot be read ends all that it had started', async () => {
    const { data, addresses, begin } = prepare()
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'keys.json'), 'damaged')
    await expect(begin()).rejects.toThrow('keys.json')
    for (const address of addresses) expect([address, await answers(address)]).toEqual([address, 'nothing'])
    expect(existsSync(join(data, 'index.sqlite'))).toBe(true)
    expect(existsSync(join(data, 'index.sqlite-wal'))).toBe(false)

    writeFileSync(join(data, 'keys.json'), checkedJson.encode({ keys: [] }))
    const server = await begin()
    for (const address of addresses) expect([address, await answers(address)]).toEqual([address, 200])
    await server.stop()
    for (const address of addresses) expect([address, await answers(address)]).toEqual([address, 'nothing'])
  })
})
