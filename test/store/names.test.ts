import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aliasShard, openNames } from '../../src/store/documents/item-store.ts'
import { type DataFolder, openDataFolder } from '../../src/store/folder/data-folder.ts'
import { filesIn, newPath, refusalOf } from '../support/store.ts'

let path: string
let folder: DataFolder
const open = async () => {
  folder = await openDataFolder(path, 'a test', () => {})
  const folders = { folder: join(path, 'aliases/notes'), temporaryFolder: join(path, 'tmp') }
  return openNames({ ...folders, health: folder.health })
}
beforeEach(() => {
  path = newPath()
})
afterEach(() => folder.close())

const record = (alias: string, id = 'one') => ({ alias, id, owner: 'ann' })
const fileOf = (alias: string) => join(path, 'aliases/notes', aliasShard(alias), `${alias}.json`)

describe('the names of items', () => {
  test('keeps one file per name, in a folder by the hash of the name, with a checksum', async () => {
    const store = await open()
    for (const alias of ['a', '-', 'b'.repeat(64)]) await store.write(record(alias))
    expect(aliasShard('a')).toBe('ca')
    expect(filesIn(join(path, 'aliases'))).toEqual(['a', '-', 'b'.repeat(64)].map(fileOf).sort())
    expect(readFileSync(fileOf('a'), 'utf8')).toMatch(
      /^\{"crc32":"[0-9a-f]{8}","document":\{"alias":"a","id":"one","owner":"ann"\}\}$/,
    )
  })

  test('finds what was written, also after a restart, and asks the disk anew for what was not there', async () => {
    const store = await open()
    expect(await store.load('a')).toBeUndefined()
    expect(store.peek('a')).toBeUndefined()
    await store.write(record('a'))
    expect(store.peek('a')).toEqual(record('a'))
    await store.write(record('a', 'two'))
    expect(store.peek('a')).toEqual(record('a', 'two'))
    folder.close()
    const again = await open()
    expect(again.peek('a')).toBeUndefined()
    expect(await again.load('a')).toEqual(record('a', 'two'))
    expect(again.peek('a')).toEqual(record('a', 'two'))
  })

  test('lets no record that was read before a write come back after it', async () => {
    const store = await open()
    await store.write(record('a'))
    folder.close()
    const again = await open()
    await Promise.all([again.load('a'), again.write(record('a', 'two')), again.load('a')])
    expect(again.peek('a')).toEqual(record('a', 'two'))
  })

  test.each([
    ['is cut short', (text: string) => text.slice(0, 30)],
    ['belongs to another name', () => undefined],
  ])('reports a record that %s, and leaves it as it is', async (_, damage) => {
    const store = await open()
    await store.write(record('a'))
    await store.write(record('b'))
    const whole = readFileSync(fileOf('a'), 'utf8')
    const broken = damage(whole) ?? readFileSync(fileOf('b'), 'utf8')
    folder.close()
    writeFileSync(fileOf('a'), broken)
    const again = await open()
    expect((await refusalOf(again.load('a'))).kind).toBe('damaged')
    expect(readFileSync(fileOf('a'), 'utf8')).toBe(broken)
  })

  test('passes on a failed write; the former record stays, and a first one is not there', async () => {
    const store = await open()
    await store.write(record('a'))
    rmSync(join(path, 'tmp'), { recursive: true })
    writeFileSync(join(path, 'tmp'), '')
    expect((await refusalOf(store.write(record('a', 'two')))).kind).toBe('storage-unavailable')
    expect((await refusalOf(store.write(record('b')))).kind).toBe('storage-unavailable')
    expect(folder.health.isGood()).toBe(false)
    expect(store.peek('b')).toBeUndefined()
    expect(await store.load('b')).toBeUndefined()
    expect(await store.load('a')).toEqual(record('a'))
  })

  test('asks the disk for a record whose last sync failed, and removes what never led to an item', async () => {
    await open()
    let isBroken = false
    const store = openNames({
      folder: join(path, 'aliases/notes'),
      temporaryFolder: join(path, 'tmp'),
      health: {
        isGood: () => true,
        close: () => {},
        // In place, and then it fails.
        watch: async (write) => {
          const result = await write
          if (isBroken) throw new Error('the folder could not be synced')
          return result
        },
      },
    })
    await store.write(record('a'))
    isBroken = true
    expect((await refusalOf(store.write(record('b')))).kind).toBe('storage-unavailable')
    expect(store.peek('b')).toBeUndefined()
    expect(await store.load('b')).toEqual(record('b'))
    await store.remove('b')
    expect(existsSync(fileOf('b'))).toBe(false)
    expect(store.peek('b')).toBeUndefined()
    expect(await store.load('b')).toBeUndefined()
    expect((await refusalOf(store.write(record('a', 'two')))).kind).toBe('storage-unavailable')
    expect(store.peek('a')).toBeUndefined()
    expect(await store.load('a')).toEqual(record('a', 'two'))
  })
})
