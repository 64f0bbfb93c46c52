import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { StoredLink } from '../../src/items/link.ts'
import { linkCheck } from '../../src/services/collections.ts'
import { createLinks } from '../../src/services/links.ts'
import { type DataFolder, openDataFolder } from '../../src/store/folder/data-folder.ts'
import { newPath, refusalOf } from '../support/store.ts'

let folder: DataFolder
beforeEach(async () => {
  folder = await openDataFolder(newPath(), 'a test', () => {})
})
afterEach(() => folder.close())

const body = (alias?: string) => ({ url: 'https://example.org/', ...(alias !== undefined && { alias }) })

/** Links whose ids come from a list, and whose writing of documents and names a test can hold up. */
const setUp = (...given: string[]) => {
  const collection = folder.collection<StoredLink>('links', linkCheck, 1_000_000)
  const store = folder.aliases('links')
  const gates = { document: Promise.resolve(), name: Promise.resolve() }
  let looks = 0
  const links = createLinks({
    collection,
    ownerList: {
      during: async (_, write) => {
        await gates.document
        await write()
      },
      remove: async () => {},
    },
    aliases: {
      ...store,
      isTaken: (alias) => {
        looks++
        return store.isTaken(alias)
      },
      write: async (record, isFirst) => {
        await gates.name
        await store.write(record, isFirst)
      },
    },
    ids: {
      itemId: () => given.shift() ?? 'zzzzzzz',
      deletionSecret: () => 'secret',
      apiKey: () => '',
      requestId: () => '',
    },
    now: () => 0,
    addExpiry: async () => {},
    lifetimeOf: () => undefined,
  })
  const make = async (alias?: string, owner = 'ann') =>
    (await links.create(body(alias), owner, () => false)).item.id
  return { links, make, gates, looks: () => looks }
}

const taken = {
  kind: 'conflict' as const,
  message: 'Field "alias": the name "grafana" is taken; choose another',
}

describe('names that have the shape of an id, and ids', () => {
  test('a new id never takes a name, also of what is gone', async () => {
    const { links, make } = setUp('named23', 'grafana', 'after23', 'grafana', 'after34')
    await make('grafana')
    expect(await make()).toBe('after23')
    await links.delete('named23secret')
    expect(await make()).toBe('after34')
  })

  test('a name never takes an id that is there or was', async () => {
    const { links, make } = setUp('grafana')
    expect(await make()).toBe('grafana')
    expect(await refusalOf(make('grafana'))).toEqual(taken)
    await links.delete('grafanasecret')
    expect(await refusalOf(make('grafana'))).toEqual(taken)
  })

  test('an id that is made while its letters become a name is another one', async () => {
    const { links, make, gates } = setUp('named23', 'grafana', 'other23')
    const { promise, resolve } = Promise.withResolvers<void>()
    gates.name = promise
    const naming = make('grafana')
    // The name is claimed once the item that it is for is in place.
    while (links.peek('named23') === undefined) await Bun.sleep(0)
    expect(await make()).toBe('other23')
    resolve()
    expect(await naming).toBe('named23')
    expect((await links.find('grafana')).id).toBe('named23')
  })

  test('a name that is asked for while its letters become an id is taken, and nothing is made', async () => {
    const { links, make, gates } = setUp('grafana', 'named23')
    const { promise, resolve } = Promise.withResolvers<void>()
    gates.document = promise
    const creating = make()
    expect(await refusalOf(make('grafana'))).toEqual(taken)
    resolve()
    expect(await creating).toBe('grafana')
    expect((await links.find('grafana')).id).toBe('grafana')
    expect((await refusalOf(Promise.resolve().then(() => links.find('named23')))).kind).toBe('not-found')
  })

  test('an item does not get its own name as its id', async () => {
    const { make } = setUp('grafana', 'named23')
    expect(await make('grafana')).toBe('named23')
  })

  test('a creation looks once for a name', async () => {
    const { make, looks } = setUp('named23')
    await make()
    expect(looks()).toBe(1)
  })

  test('are found in memory and on disk, and an id wins', async () => {
    const { links, make } = setUp('named23')
    await make('grafana')
    expect(links.peek('grafana')?.id).toBe('named23')
    const later = setUp()
    expect(later.links.peek('grafana')).toBeUndefined()
    expect((await later.links.find('GRAFANA')).id).toBe('named23')
    expect(later.links.peek('grafana')?.id).toBe('named23')
    expect((await refusalOf(Promise.resolve().then(() => later.links.find('grafanb')))).kind).toBe(
      'not-found',
    )
  })
})
