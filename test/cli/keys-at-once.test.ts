import { describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { run } from '../support/process.ts'
import { withServer } from '../support/server.ts'

describe('keys changed while a server runs', () => {
  const { server } = withServer()
  const keys = (...words: string[]) => run(['keys', ...words, '--data', server.data])

  test('by twenty "keys add" at once are all there, and all work', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `key-${at}`)
    const results = await Promise.all(names.map((name) => keys('add', name)))
    expect(
      results.map(({ code, stderr }) => ({ code, stderr: stderr.includes('shown only this once') })),
    ).toEqual(names.map(() => ({ code: 0, stderr: true })))
    const listed = (await keys('list')).stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])
    expect(listed.sort()).toEqual([...names].sort() as never)
    for (const { stdout } of results)
      expect((await createClient(server.url, stdout.trim()).post('/paste', examplePaste)).status).toBe(201)
  })

  test('by "keys revoke" under load are refused from then on, and never by anything but 401', async () => {
    const key = (await keys('add', 'doomed')).stdout.trim()
    const client = createClient(server.url, key)
    let isRevoked = false
    const statusesAfter = new Set<number>()
    const statusesBefore = new Set<number>()
    let isOver = false
    const workers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const wasRevoked = isRevoked
        const { status } = await client.post('/paste', examplePaste)
        const seen = wasRevoked ? statusesAfter : statusesBefore
        seen.add(status)
      }
    })
    expect((await keys('revoke', 'doomed')).code).toBe(0)
    isRevoked = true
    for (let at = 0; at < 50; at++) statusesAfter.add((await client.post('/paste', examplePaste)).status)
    isOver = true
    await Promise.all(workers)
    expect([...statusesAfter]).toEqual([401])
    expect([...statusesBefore].filter((status) => status !== 401)).toEqual([201])
  })
})
