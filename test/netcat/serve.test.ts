import { describe, expect, test } from 'bun:test'
import { storageFailure } from '../../src/errors.ts'
import { createOrigin } from '../../src/http/origin.ts'
import { netcatLimits, serveNetcat } from '../../src/netcat.ts'
import { configOf } from '../support/config.ts'
import { openNetcat, sendText } from '../support/netcat.ts'

type Settings = {
  flags?: Record<string, string>
  host?: string
  http?: { hostname: string; port: number }
  create?: () => Promise<never>
}

/** The listener alone; every address is one of guests. */
const listen = ({
  flags,
  host = '127.0.0.1',
  http = { hostname: '0.0.0.0', port: 8080 },
  create,
}: Settings = {}) => {
  const logged: string[] = []
  const guest = async () => ({ name: 'guests', as: 'guest' as const, bucket: 'guest' })
  const server = serveNetcat({
    address: { host, port: 0 },
    http,
    guests: { isGuest: () => true, holderAt: guest, admit: guest },
    pastes: { create: create ?? (async () => ({ item: { id: 'abc' }, name: 'abc' }) as never) },
    origin: createOrigin(configOf({ flags: flags ?? {} })),
    log: (level, event, fields) => logged.push(`${level} ${event} ${JSON.stringify(fields)}`),
    // No sender is closed meanwhile, however slow the machine is.
    limits: { ...netcatLimits, senders: 8, sendersPerAddress: 3, refused: 5, lingerMs: 600_000 },
    maxPasteBytes: 1000,
  })
  if (!server) throw new Error('nothing listens')
  return { ...server, logged, [Symbol.asyncDispose]: server.stop }
}

describe('the address of a page', () => {
  test.each([
    ['names where the text went, because a text names no host', {}, 'http://127.0.0.1:8080/p/abc\n'],
    [
      'has no port that is the usual one',
      { http: { hostname: '0.0.0.0', port: 80 } },
      'http://127.0.0.1/p/abc\n',
    ],
    [
      'names the only host that answers',
      { http: { hostname: '10.0.0.1', port: 81 } },
      'http://10.0.0.1:81/p/abc\n',
    ],
    [
      'is the one of the setting',
      { flags: { 'public-url': 'https://paste.example.org/sub' } },
      'https://paste.example.org/sub/p/abc\n',
    ],
    [
      'of IPv4 on a socket of IPv6 is one of IPv4',
      { host: '::', http: { hostname: '::', port: 8080 } },
      'http://127.0.0.1:8080/p/abc\n',
    ],
  ] as [string, Settings, string][])('%s', async (_, settings, address) => {
    await using server = listen(settings)
    expect(await sendText(server.port, 'a')).toBe(address)
  })

  test('of IPv6 is in brackets', async () => {
    await using server = listen({ host: '::1' })
    const connection = await openNetcat(server.port, { host: '::1' })
    connection.socket.end('a')
    expect(await connection.answer).toBe('http://[::1]:8080/p/abc\n')
  })
})

describe('an error', () => {
  test('of a full disk is said to the sender, and logged', async () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    await using server = listen({ create: () => Promise.reject(storageFailure(full)) })
    expect(await sendText(server.port, 'a')).toBe('The disk is full. Nothing was stored.\n')
    expect(server.logged).toEqual([expect.stringMatching(/^error request failed .*507.*no space/)])
  })

  test('that nobody expected is logged, and the sender learns nothing of it', async () => {
    await using server = listen({ create: () => Promise.reject(new Error('a secret')) })
    expect(await sendText(server.port, 'a')).toBe('Internal error.\n')
    expect(server.logged.join()).toContain('a secret')
  })
})

describe('of too many senders', () => {
  const from = (at: number) => ({ from: `127.0.1.${1 + Math.floor(at / 3)}` })
  const openAll = async (port: number, count: number, first = 0) => {
    const all = []
    for (let at = first; at < first + count; at++) all.push(await openNetcat(port, from(at)))
    return all
  }

  test('at one address, a further one is told so, and comes in once one of them is done', async () => {
    await using server = listen()
    const open = await openAll(server.port, 3)
    expect(await sendText(server.port, 'a', from(0))).toBe(
      '127.0.1.1 is already sending 3 texts. Wait until one of them is done.\n',
    )
    expect(await sendText(server.port, 'a', from(3))).toStartWith('http://')
    open[0]?.end()
    expect(await open[0]?.answer).toBe('The text is empty. Nothing was stored.\n')
    expect(await sendText(server.port, 'a', from(0))).toStartWith('http://')
    for (const { close } of open) close()
  })

  test('in all, a further one is told so, and very many are cut off', async () => {
    await using server = listen()
    const open = await openAll(server.port, 8)
    const told = await openAll(server.port, 5, 9)
    const busy = 'Too many texts are being sent at once. Try again in a few seconds.\n'
    for (const { answer } of told) expect(await answer).toBe(busy)
    const cut = await openNetcat(server.port, from(9))
    expect(await cut.answer).not.toContain('Too many')
    open[0]?.end()
    await open[0]?.answer
    for (const { close } of told) close()
    open[0]?.close()
    expect(await sendText(server.port, 'a', from(9))).toStartWith('http://')
    for (const { close } of [...open, ...told, cut]) close()
  })
})
