import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { type RunningServer, start, temporaryFolder } from '../support/process.ts'
import { type Call, hasStrace, startTraced } from '../support/strace.ts'

const path = (address = '') => new URL(address).pathname + new URL(address).search

describe.skipIf(!hasStrace)('the order of system calls', () => {
  let server: RunningServer
  let calls: () => Call[]
  let waitFor: (matches: (call: Call) => boolean) => Promise<Call>
  beforeAll(async () => {
    const traced = await startTraced({ args: ['--rate-limit', 'off', '--log', 'off'] })
    server = traced.server
    calls = traced.calls
    waitFor = traced.waitFor
  })
  afterAll(() => server.stop())

  /** The calls that match, in this order, each begun only after the one before it had ended. */
  const expectInOrder = (wanted: readonly [what: string, matches: (call: Call) => boolean][]) => {
    const all = calls()
    let ended = -1
    for (const [what, matches] of wanted) {
      const call = all.find(
        (candidate) => candidate.began > ended && !candidate.result.startsWith('-') && matches(candidate),
      )
      expect(call, `${what} after line ${ended}`).toBeDefined()
      ended = call?.ended ?? ended
    }
    return ended
  }
  const isOn = (names: string, part: string) => (call: Call) =>
    names.split(' ').includes(call.name) && call.args.includes(part)
  const isAnswer = (start: string) => isOn('write writev sendto sendmsg', `HTTP/1.1 ${start}`)
  const firstAnswerAfter = (marker: number, start: string) =>
    waitFor((call) => call.began > marker && isAnswer(start)(call))
  const linesSoFar = () => Math.max(-1, ...calls().map(({ ended }) => ended))

  test('for a new paste is write, fsync, rename, fsync of the folder, and only then the answer', async () => {
    const before = linesSoFar()
    const { pasteUrl = '' } = await createClient(server.url).paste({ text: 'marker-of-this-paste' })
    const id = path(pasteUrl).slice('/p/'.length)
    const shard = `/pastes/${id.slice(0, 2)}>`
    const answer = await firstAnswerAfter(before, '201')
    const synced = expectInOrder([
      ['making the folder', isOn('mkdir mkdirat', `/pastes/${id.slice(0, 2)}`)],
      ['fsync of the folder above it', isOn('fsync', '/pastes>')],
      ['write of the data', isOn('write pwrite64 writev pwritev', 'marker-of-this-paste')],
      ['fsync of the file', isOn('fsync fdatasync', `${id}.json`)],
      ['rename', isOn('rename renameat renameat2', `${id}.json`)],
      ['fsync of the folder', isOn('fsync', shard)],
    ])
    expect(answer.began).toBeGreaterThan(synced)
  })

  test('for a read that counts is write, fsync, rename, fsync of the folder, and only then the answer', async () => {
    const { rawUrl = '' } = await createClient(server.url).paste({ text: 'a limited text', maxReads: 2 })
    const before = linesSoFar()
    const id = path(rawUrl).slice('/p/raw/'.length)
    expect((await fetch(rawUrl, { method: 'POST' })).status).toBe(200)
    const answer = await firstAnswerAfter(before, '200')
    const synced = expectInOrder([
      ['write of the data', isOn('write pwrite64 writev pwritev', '\\"readsLeft\\":1')],
      ['fsync of the file', isOn('fsync fdatasync', `${id}.json`)],
      ['rename', isOn('rename renameat renameat2', `${id}.json`)],
      ['fsync of the folder', isOn('fsync', `/pastes/${id.slice(0, 2)}>`)],
    ])
    expect(answer.began).toBeGreaterThan(synced)
  })

  test('for the last read is that of a deletion, and only then the answer', async () => {
    const { rawUrl = '' } = await createClient(server.url).paste({ text: 'a limited text', maxReads: 1 })
    const before = linesSoFar()
    const id = path(rawUrl).slice('/p/raw/'.length)
    expect((await fetch(rawUrl, { method: 'POST' })).status).toBe(200)
    const answer = await firstAnswerAfter(before, '200')
    const synced = expectInOrder([
      ['rename of the tombstone', isOn('rename renameat renameat2', `${id}.gone`)],
      ['unlink of the document', isOn('unlink unlinkat', `${id}.json`)],
      ['fsync of the folder', isOn('fsync', `/pastes/${id.slice(0, 2)}>`)],
    ])
    expect(answer.began).toBeGreaterThan(synced)
  })

  test('for a deletion is rename of the tombstone, fsync, unlink, fsync, and only then the answer', async () => {
    const { shortendUrl = '', deletionUrl = '' } = await createClient(server.url).link()
    const before = linesSoFar()
    const id = path(shortendUrl).slice('/s/'.length)
    const shard = `/links/${id.slice(0, 2)}>`
    const response = await fetch(deletionUrl, { method: 'DELETE' })
    expect(response.status).toBe(200)
    const answer = await firstAnswerAfter(before, '200')
    const synced = expectInOrder([
      ['rename of the tombstone', isOn('rename renameat renameat2', `${id}.gone`)],
      ['fsync of the folder', isOn('fsync', shard)],
      ['unlink of the document', isOn('unlink unlinkat', `${id}.json`)],
      ['fsync of the folder again', isOn('fsync', shard)],
    ])
    expect(answer.began).toBeGreaterThan(synced)
  })

  test('for the first item of a server syncs what an earlier one, killed as it started, may not have synced', async () => {
    const data = join(temporaryFolder(), 'disk', 'data')
    // As such a one leaves it, and another that was killed between making a folder and syncing it.
    for (const folder of ['tmp', 'pastes', 'links']) mkdirSync(join(data, folder), { recursive: true })
    const traced = await startTraced({ args: ['--rate-limit', 'off', '--log', 'off'], data })
    await createClient(traced.server.url).paste({ text: 'marker-of-this-paste' })
    const answer = await traced.waitFor(isAnswer('201'))
    for (const folder of ['/disk>', '/disk/data>', '/disk/data/pastes>'])
      expect(await traced.waitFor(isOn('fsync', folder))).toHaveProperty('result', '0')
    const synced = traced.calls().filter((call) => isOn('fsync', '/disk>')(call) && call.ended < answer.began)
    expect(synced).toHaveLength(1)
    await traced.server.stop()
  })

  test('for a name whose item a killed process deleted, and may not have synced, syncs that first', async () => {
    const former = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const { shortendUrl = '', deletionUrl = '' } = await createClient(former.url).link('http://a.example/', {
      alias: 'taken-again',
    })
    const id = new URL(deletionUrl).searchParams.get('key')?.slice(0, 7) ?? ''
    expect(path(shortendUrl)).toBe('/s/taken-again')
    await former.kill()
    const shard = join(former.data, 'links', id.slice(0, 2))
    writeFileSync(join(shard, `${id}.gone`), '')
    rmSync(join(shard, `${id}.json`))

    const traced = await startTraced({ args: ['--rate-limit', 'off', '--log', 'off'], data: former.data })
    await createClient(traced.server.url).link('http://b.example/', { alias: 'taken-again' })
    const named = await traced.waitFor(isOn('rename renameat renameat2', '/taken-again.json'))
    const synced = await traced.waitFor(isOn('fsync', `/links/${id.slice(0, 2)}>`))
    expect(synced.ended).toBeLessThan(named.began)
    await traced.server.stop()
  })

  test('for the first change after a stop is a sync of the mark that the index is in use, and only then the answer', async () => {
    const former = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    await createClient(former.url).link()
    await former.stop()

    const traced = await startTraced({ args: ['--rate-limit', 'off', '--log', 'off'], data: former.data })
    await createClient(traced.server.url).link()
    const answer = await traced.waitFor(isAnswer('201'))
    const ofIndex = traced
      .calls()
      .filter(({ args, ended }) => args.includes('/index.sqlite>') && ended < answer.began)
    const [written, synced] = [/^pwrite64$/, /^f(data)?sync$/].map((call) =>
      ofIndex.findIndex(({ name }) => call.test(name)),
    )
    expect(written).toBeGreaterThanOrEqual(0)
    expect(synced).toBeGreaterThan(written ?? -1)
    await traced.server.stop()
  })
})
