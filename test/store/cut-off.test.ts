import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredPaste } from '../../src/items/paste.ts'
import { collections } from '../../src/services/items.ts'
import { indexName } from '../../src/store/derived/item-index.ts'
import { inspectFolder } from '../../src/store/folder/inspect.ts'
import { breakOne, hold } from '../support/held-disk.ts'
import { type Links, openLinks } from '../support/links.ts'
import { openPastes, type Pastes } from '../support/pastes.ts'
import { refusalOf } from '../support/store.ts'

// A server that is killed is one whose held call never returns: what it would have done then is never done.

const start = 1_700_000_000_000
const document = /data\/links\/..\/[^.]+\.json$/
const tombstone = /\.gone$/

describe('a short link', () => {
  let data: Links
  beforeEach(async () => {
    data = await openLinks({ startAt: start })
    // Builds the index: one that is not whole is built again by the next start, from the documents.
    await data.idsOf()
  })
  afterEach(() => data.close())

  const killed = async (change = () => {}) => {
    const now = data.clock.now
    await data.close()
    change()
    data = await openLinks({ path: data.path, startAt: now })
  }
  const cutOff = async (act: () => Promise<unknown>, ...held: Parameters<typeof hold>) => {
    const { reached } = hold(...held)
    void act()
    await reached
  }
  const isThere = ({ id }: { id: string }) => existsSync(data.fileOf(id))
  const pathsInBackup = async () =>
    (await Array.fromAsync(inspectFolder(data.path, collections))).map(({ path }) => path)
  const find = async (name: string) => data.links.find(name)

  test('that was named and not yet written is not listed, not found, and its key may take the name', async () => {
    await cutOff(() => data.create({ alias: 'notes' }), 'rename', document)
    expect(await refusalOf(find('notes'))).toMatchObject({ kind: 'not-found' })
    await killed()
    expect(await data.idsOf()).toEqual([])
    expect(await refusalOf(find('notes'))).toMatchObject({ kind: 'not-found' })
    expect((await refusalOf(data.create({ alias: 'notes' }, 'bob'))).kind).toBe('conflict')
    const { id } = await data.create({ alias: 'notes' })
    expect((await find('notes')).id).toBe(id)
    expect((await refusalOf(data.create({ alias: 'notes' }))).kind).toBe('conflict')
    expect(await data.idsOf()).toEqual([id])
  })

  test('is under its name from the moment that it is listed', async () => {
    await cutOff(() => data.create({ alias: 'notes' }), 'rename', document, 'after')
    await killed()
    const [id = ''] = await data.idsOf()
    expect((await find('notes')).id).toBe(id)
    expect((await refusalOf(data.create({ alias: 'notes' }))).kind).toBe('conflict')
  })

  test('is listed once it is synced: a power cut would take back what a reader has seen', async () => {
    const { reached, release } = hold('rename', document, 'after')
    const creating = data.create({})
    await reached
    let isListed = false
    const listing = data.idsOf().finally(() => {
      isListed = true
    })
    const other = await data.create({})
    await find(other.id)
    expect(isListed).toBe(false)
    release()
    expect(await listing).toContain((await creating).id)
  })

  test('that could not be written leaves its name to everybody, unless it was used before', async () => {
    breakOne('rename', document)
    expect((await refusalOf(data.create({ alias: 'notes' }))).kind).toBe('storage-full')
    const { id } = await data.create({ alias: 'notes' }, 'bob')
    expect((await find('notes')).id).toBe(id)
    await data.store.erase(await find('notes'))
    breakOne('rename', document)
    expect((await refusalOf(data.create({ alias: 'notes' }, 'bob'))).kind).toBe('storage-full')
    expect((await refusalOf(data.create({ alias: 'notes' }))).kind).toBe('conflict')
    expect(await data.idsOf(200, 'bob')).toEqual([])
  })

  test('whose name could not be written leaves nothing', async () => {
    breakOne('rename', /notes\.json$/)
    expect((await refusalOf(data.create({ alias: 'notes' }))).kind).toBe('storage-full')
    expect(await data.idsOf()).toEqual([])
    await data.create({ alias: 'notes' }, 'bob')
  })

  test('is not found under a name that was written for an item which never was', async () => {
    await data.close()
    data = await openLinks({ path: data.path, startAt: start, ids: ['2222222'] })
    await cutOff(() => data.create({ alias: 'notes' }), 'rename', document)
    await data.close()
    data = await openLinks({ path: data.path, startAt: start, ids: ['2222222'] })
    expect((await data.create({}, 'bob')).id).toBe('2222222')
    expect(await refusalOf(find('notes'))).toMatchObject({ kind: 'not-found' })
    expect(data.store.peek('notes')).toBeUndefined()
  })

  test('that was never written has its row taken away by the next sweep', async () => {
    await cutOff(() => data.create(), 'rename', document)
    await killed()
    expect(await data.items.totals()).toHaveLength(1)
    await data.sweep.run()
    expect(await data.items.totals()).toEqual([])
  })

  test.each([
    ['before the document goes', 'before'],
    ['once the document is gone', 'after'],
  ] as const)(
    'whose deletion is cut off %s is gone, and off the disk after the next sweep',
    async (_, when) => {
      const item = await data.create({ alias: 'notes' })
      const stays = await data.create()
      await cutOff(() => data.store.erase(item), 'unlink', document, when)
      await killed()
      for (const name of ['notes', item.id]) expect((await refusalOf(find(name))).kind).toBe('gone')
      expect(await data.idsOf()).toEqual([stays.id])
      expect(await pathsInBackup()).not.toContain(data.fileOf(item.id).slice(data.path.length + 1))
      await data.sweep.run()
      expect([item, stays].map(isThere)).toEqual([false, true])
      expect(await data.items.totals()).toMatchObject([{ items: 1 }])
      expect((await refusalOf(find('notes'))).kind).toBe('gone')
    },
  )

  test('that is half erased is erased where the index is lost as well', async () => {
    const item = await data.create()
    await cutOff(() => data.store.erase(item), 'unlink', document)
    await killed(() => rmSync(join(data.path, indexName)))
    expect(await data.idsOf()).toEqual([])
    await data.sweep.run()
    expect(isThere(item)).toBe(false)
    expect(await data.items.totals()).toEqual([])
  })

  test('that was erased by half because the disk failed is erased by the next sweep', async () => {
    const item = await data.create()
    breakOne('unlink', document)
    await data.store.erase(item).catch(() => {})
    expect((await refusalOf(find(item.id))).kind).toBe('gone')
    await data.sweep.run()
    expect(isThere(item)).toBe(false)
  })

  test.each([
    ['its tombstone is written', 'rename', tombstone],
    ['its document goes', 'unlink', document],
  ] as const)(
    'that has expired is erased after a kill before %s, also beside lists',
    async (_, call, file) => {
      const item = await data.create({ expiresIn: 1000 })
      data.clock.now = start + 1000
      await cutOff(async () => (await data.store.due(1)).map(data.store.eraseDue), call, file)
      expect(await data.idsOf()).toEqual([])
      expect(await data.store.heads([item])).toEqual([])
      await killed()
      expect(isThere(item)).toBe(true)
      await data.sweep.run()
      expect(isThere(item)).toBe(false)
      expect(await data.store.due(10)).toEqual([])
    },
  )

  test('whose change of expiry is cut off expires when its document says', async () => {
    const item = await data.create({ expiresIn: 1000 })
    const { expiresAt: _, ...forever } = item
    await cutOff(() => data.store.replace(item, forever), 'rename', document)
    await killed()
    await data.sweep.run()
    data.clock.now = start + 1000
    await data.sweep.run()
    expect(isThere(item)).toBe(false)
  })

  test('is not erased for its row that is ahead, and its row is put right', async () => {
    const item = await data.create()
    await cutOff(
      () => data.store.replace(item, { ...item, url: 'http://longer/', version: 2, expiresAt: start }),
      'rename',
      document,
    )
    await killed()
    await data.sweep.run()
    expect(await data.idsOf()).toEqual([item.id])
    expect(await data.items.totals()).toEqual([
      { kind: 'links', owner: 'ann', items: 1, bytes: item.url.length },
    ])
    expect(await data.store.due(10)).toEqual([])
  })

  test('that is due before it is written is listed and erased all the same', async () => {
    const { reached, release } = hold('rename', document)
    const creating = data.create({ expiresIn: 1 })
    await reached
    data.clock.now = start + 1
    const sweeping = data.sweep.run()
    // As many turns of the disk as a sweep of one item takes.
    for (let turn = 0; turn < 20; turn++) await data.store.load('2222222')
    release()
    const item = await creating
    await sweeping
    await data.sweep.run()
    expect(isThere(item)).toBe(false)
  })
})

describe('the words of a paste', () => {
  let data: Pastes
  beforeEach(async () => {
    data = await openPastes()
  })
  afterEach(() => data.stop())

  const anyDocument = /\/pastes\/..\/[^.]+\.json$/
  const next = (item: StoredPaste, text: string): StoredPaste => ({
    ...item,
    text,
    version: (item.version ?? 1) + 1,
  })

  test('follow a change that was on its way while they were compared', async () => {
    const item = await data.add('pelican')
    const { reached, release } = hold('rename', anyDocument)
    const changing = data.store.replace(item, next(item, 'cormorant'))
    await reached
    // The first search of a process compares everything.
    expect(await data.find('pelican')).toEqual([item.id])
    release()
    await changing
    expect(await data.find('cormorant')).toEqual([item.id])
    expect(await data.find('pelican')).toEqual([])
  })

  test('follow the change after one that was cut off', async () => {
    const item = await data.add('pelican')
    const { reached } = hold('rename', anyDocument)
    void data.store.replace(item, next(item, 'cormorant'))
    await reached
    await data.stop()
    data = await openPastes({ path: data.path })
    expect(await data.find('pelican')).toEqual([item.id])
    await data.store.replace(item, next(item, 'albatross'))
    expect(await data.find('albatross')).toEqual([item.id])
    expect(await data.find('pelican')).toEqual([])
  })

  test('are there although its row was due, for its document is not', async () => {
    const item = await data.add('pelican')
    const { reached } = hold('rename', anyDocument)
    void data.store.replace(item, { ...item, expiresAt: Date.now() })
    await reached
    await data.stop()
    data = await openPastes({ path: data.path })
    for (const row of await data.store.due(10)) await data.store.eraseDue(row)
    expect(await data.find('pelican')).toEqual([item.id])
  })
})
