import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { pathOf, storedCount, waitForStoredCount } from '../support/counts.ts'
import { type RunningServer, run, start, temporaryFolder } from '../support/process.ts'
import {
  canMountExt4,
  fill,
  leaveFree,
  mountExt4Over,
  mountOver,
  requireMount,
} from '../support/small-disk.ts'

const args = ['--rate-limit', 'off']

/** A folder that a server closed, with an item, its count, and all derived files. */
const seed = { data: '', address: '' }

beforeAll(async () => {
  const server = await start({ args })
  const client = createClient(server.url)
  const { shortendUrl = '' } = await client.link()
  await client.paste({ text: 'kept' })
  await client.get(shortendUrl)
  await client.get('/pastes?sort=reads', { key: client.key })
  await server.stop()
  Object.assign(seed, { data: server.data, address: shortendUrl })
})

const follow = async ({ url }: RunningServer) => {
  const answer = await fetch(url + pathOf(seed.address), { redirect: 'manual' })
  expect(answer.status).toBe(302)
}

const list = async ({ url }: RunningServer) => {
  const client = createClient(url)
  for (const query of ['/pastes', '/links', '/links?sort=visits', '/pastes?q=kept']) {
    const answer = await client.get(query, { key: client.key })
    expect([query, answer.status]).toEqual([query, 200])
  }
}

/** Until the first counts of this life were written, or could not be. */
const counted = (server: RunningServer, before: number) =>
  Promise.race([
    waitForStoredCount(server.data, seed.address, before + 1),
    server.stderr.waitFor(/counts cannot be written/),
  ])

/** Two lives on a full disk, and what they counted. */
const liveOn = async (data: string, takeSpace: () => () => void) => {
  const first = await start({ args, data })
  const before = storedCount(data, seed.address)
  const giveBack = takeSpace()
  await follow(first)
  await counted(first, before)
  await list(first)
  for (const command of [['keys', 'list'], ['verify'], ['backup', '/dev/stdout'], ['stats']])
    expect([0, 1], command[0]).toContain((await run([...command, '--data', data])).code)
  expect(await first.stop()).toBe(0)
  const second = await start({ args, data })
  await follow(second)
  await follow(second)
  const kept = storedCount(data, seed.address)
  await list(second)
  giveBack()
  await waitForStoredCount(data, seed.address, Math.max(2, kept))
  expect(await second.stop()).toBe(0)
}

const removed = {
  none: [],
  counts: ['counts.sqlite'],
  index: ['index.sqlite'],
  words: ['words.sqlite'],
}

describe.skipIf(!canMountExt4())('an ext4 with a few free blocks', () => {
  const cases = [8, 22, 30, 38].flatMap((blocks) =>
    (Object.keys(removed) as (keyof typeof removed)[]).map((name) => [blocks, name] as const),
  )
  test.each(cases)('ends no process: %d blocks, without %s', async (blocks, name) => {
    const disk = temporaryFolder()
    const unmount = mountExt4Over(disk)
    try {
      const data = join(disk, 'data')
      cpSync(seed.data, data, { recursive: true })
      for (const file of removed[name]) rmSync(join(data, file))
      await liveOn(data, () => leaveFree(disk, blocks))
    } finally {
      unmount()
    }
  })
})

describe.skipIf(!requireMount())('a full tmpfs', () => {
  test.each(['none', 'counts'] as const)('ends no process: without %s', async (name) => {
    const disk = temporaryFolder()
    const unmount = mountOver(disk, 'size=2m,mode=0700')
    try {
      const data = join(disk, 'data')
      cpSync(seed.data, data, { recursive: true })
      for (const file of removed[name]) rmSync(join(data, file))
      await liveOn(data, () => fill(disk))
    } finally {
      unmount()
    }
  })
})
