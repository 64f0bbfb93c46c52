import { describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../src/errors.ts'
import { createIds } from '../../src/items/ids.ts'
import { createKeyRing, createKeys, parseLifetime } from '../../src/services/keys.ts'
import { checkedJson } from '../../src/store/disk.ts'
import { type KeyStore, openKeyStore } from '../../src/store/folder/key-file.ts'
import { newPath, refusalOf } from '../support/store.ts'

const ids = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))

const kindOf = async (promise: Promise<unknown>) => {
  const error = await promise.catch((reason) => reason)
  return error instanceof AppError ? error.kind : error
}

const madeAt = 1_700_000_000_000

/** Keys in a folder, as the command line sees them (`keys`) and as a server does (`authenticate`). */
const openKeys = (apiKey?: string, path = newPath(), now = () => madeAt) => {
  const damages: string[] = []
  const uses: [string, number][] = []
  const onDamage = (error: AppError) => damages.push(error.message)
  return {
    path,
    file: join(path, 'keys.json'),
    damages,
    uses,
    keys: createKeys({ store: openKeyStore(path), ids, now }),
    ...createKeyRing({
      store: openKeyStore(path),
      apiKey,
      onDamage,
      now,
      onUse: (name, usedAt) => uses.push([name, usedAt]),
    }),
  }
}

describe('keys that are changed at the same time', () => {
  const names = Array.from({ length: 10 }, (_, at) => `key-${at}`)

  test('to one name have one winner', async () => {
    const { path, keys } = openKeys()
    const outcomes = await Promise.allSettled(names.map(() => openKeys(undefined, path).keys.add('laptop')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await keys.list()).toHaveLength(1)
  })
})

describe('a running server', () => {
  test('forgets every key of a file that was removed', async () => {
    const { keys, authenticate, file } = openKeys()
    const key = await keys.add('laptop')
    expect(await authenticate(key)).toBeDefined()
    rmSync(file)
    expect(await authenticate(key)).toBeUndefined()
  })
})

describe('a key with an expiry', () => {
  test('counts until the millisecond before, and is told when it ended from then on', async () => {
    let time = madeAt
    const { keys, authenticate, uses } = openKeys(undefined, newPath(), () => time)
    const key = await keys.add('laptop', { expiresAt: madeAt + 1000 })
    time = madeAt + 999
    expect(await authenticate(key)).toMatchObject({ name: 'laptop', expiresAt: madeAt + 1000 })
    for (time of [madeAt + 1000, madeAt + 1001, madeAt + 10 ** 9])
      expect(await refusalOf(authenticate(key))).toEqual({
        kind: 'unauthorized',
        message:
          'This API key expired at 2023-11-14T22:13:21.000Z; ask the person who runs this server for a new one',
      })
    expect(await authenticate(`${key}x`)).toBeUndefined()
    expect(uses).toEqual([['laptop', madeAt + 999]])
  })

  test('is still listed after it, keeps its name taken, and can be revoked', async () => {
    let time = madeAt
    const { keys, authenticate } = openKeys(undefined, newPath(), () => time)
    const key = await keys.add('laptop', { expiresAt: madeAt + 1 })
    time += 1
    expect(await keys.list()).toHaveLength(1)
    expect(await kindOf(keys.add('laptop'))).toBe('invalid')
    await keys.revoke('laptop')
    expect(await authenticate(key)).toBeUndefined()
  })
})

describe('a damaged key file', () => {
  const fileWith = (fields: object) =>
    checkedJson.encode({ keys: [{ name: 'laptop', createdAt: 1, sha256: 'a'.repeat(64), ...fields }] })
  const damagedLimits = [
    { only: 'everything' },
    { only: null },
    { expiresAt: '2030-01-01' },
    { expiresAt: -1 },
    { expiresAt: 8.64e15 + 1 },
    { rate: '10/1m' },
    { rate: { requests: 0, seconds: 60 } },
    { rate: { requests: 10 } },
  ].map(fileWith)

  test.each([
    '',
    '{',
    'null',
    '[]',
    checkedJson.encode({ keys: null }),
    fileWith({ sha256: 'abc' }),
    ...damagedLimits,
  ])(
    'that holds %j leaves the last good keys in force, is reported once and never overwritten',
    async (content) => {
      const { keys, authenticate, file, damages } = openKeys()
      const key = await keys.add('laptop')
      const good = readFileSync(file)
      expect((await authenticate(key))?.name).toBe('laptop')
      writeFileSync(file, content)
      for (const _again of [1, 2]) expect((await authenticate(key))?.name).toBe('laptop')
      expect(damages).toEqual([expect.stringContaining(`${file}: `)])
      for (const change of [() => keys.add('another'), () => keys.revoke('laptop'), keys.addFirst])
        expect(await kindOf(change())).toBe('damaged')
      expect(readFileSync(file, 'utf8')).toBe(content)
      writeFileSync(file, good)
      await keys.revoke('laptop')
      expect(await authenticate(key)).toBeUndefined()
    },
  )
})

describe('the lifetime of a key', () => {
  test.each([
    ['1s', 1000],
    ['90d', 7_776_000_000],
    ['3650d', 315_360_000_000],
    ['315360000s', 315_360_000_000],
    ['521w', 315_100_800_000],
  ])('may be %s', (text, milliseconds) => {
    expect(parseLifetime(text)).toBe(milliseconds)
  })

  test.each(['0s', '3651d', '315360001s', '522w', '90', 'never', ''])('may not be %j', (text) => {
    expect(parseLifetime(text)).toBeUndefined()
  })
})

const keysOver = (store: KeyStore) => createKeys({ store, ids, now: () => 0 })

describe('a key that is shown while it is made', () => {
  test('is not there before it was shown, and there after', async () => {
    const store = openKeyStore(newPath())
    const keys = keysOver(store)
    let shown = ''
    const made = await keys.add('laptop', {}, async (key) => {
      shown = key
      expect(await keys.list()).toEqual([])
    })
    expect(made).toBe(shown)
    expect(await keys.list()).toHaveLength(1)
  })

  test('is said not to work when it cannot be stored', async () => {
    const store = openKeyStore(newPath())
    const full: KeyStore = {
      ...store,
      update: async (change) => {
        await change([])
        throw new Error('no room')
      },
    }
    const { message } = await refusalOf(keysOver(full).add('laptop', {}, async () => {}))
    expect(message).toBe('The key that was shown was not made and will not work: no room')
    await expect(keysOver(full).add('laptop')).rejects.toThrow(/^no room$/)
  })
})
