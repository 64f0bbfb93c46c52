import { afterEach, describe, expect, test } from 'bun:test'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openLinks } from '../support/links.ts'
import { filesIn, newPath, refusalOf } from '../support/store.ts'

let path = newPath()
let close = () => Promise.resolve()
afterEach(async () => {
  await close()
  path = newPath()
})

/** Links whose ids come from a list. */
const setUp = async (...ids: string[]) => {
  const opened = await openLinks({ path, ids })
  close = opened.close
  const make = async (alias?: string, owner?: string) =>
    (await opened.create(alias === undefined ? {} : { alias }, owner)).id
  return { ...opened, make }
}

const taken = {
  kind: 'conflict' as const,
  message: 'Field "alias": the name "grafana" is taken; choose another',
}

describe('names that have the shape of an id, and ids', () => {
  test('a new id never takes a name, also of what is gone', async () => {
    const { links, make } = await setUp('named23', 'grafana', 'after23', 'grafana', 'after34')
    await make('grafana')
    expect(await make()).toBe('after23')
    await links.delete('named23secret')
    expect(await make()).toBe('after34')
  })

  test('an id that is made while its letters become a name is another one', async () => {
    const { links, make } = await setUp('named23', 'grafana', 'other23')
    const naming = make('grafana')
    // The name is written once the item that it is for is in place.
    while (links.peek('named23') === undefined) await Bun.sleep(0)
    expect(await make()).toBe('other23')
    expect(await naming).toBe('named23')
    expect((await links.find('grafana')).id).toBe('named23')
  })

  test('a name that is asked for while its letters become an id is taken, and nothing is made', async () => {
    const { links, make } = await setUp('grafana', 'named23')
    const creating = make()
    expect(await refusalOf(make('grafana'))).toEqual(taken)
    expect(await creating).toBe('grafana')
    expect((await links.find('grafana')).id).toBe('grafana')
    expect((await refusalOf(Promise.resolve().then(() => links.find('named23')))).kind).toBe('not-found')
  })

  test('an item does not get its own name as its id', async () => {
    const { make } = await setUp('grafana', 'named23')
    expect(await make('grafana')).toBe('named23')
  })

  test('are found in memory and on disk, and an id wins', async () => {
    const { links, make } = await setUp('named23')
    await make('grafana')
    expect(links.peek('grafana')?.id).toBe('named23')
    await close()
    const later = await setUp()
    expect(later.links.peek('grafana')).toBeUndefined()
    expect((await later.links.find('GRAFANA')).id).toBe('named23')
    expect(later.links.peek('grafana')?.id).toBe('named23')
    expect((await refusalOf(Promise.resolve().then(() => later.links.find('grafanb')))).kind).toBe(
      'not-found',
    )
  })
})

test('what burns after reading is not given from memory', async () => {
  const { create, links } = await setUp()
  const [burning, open] = [await create({ maxVisits: 2 }), await create()]
  expect([links.peek(burning.id), links.peek(open.id)]).toEqual([undefined, open])
})

describe('a name', () => {
  const itemsOnDisk = () => filesIn(join(path, 'links')).filter((file) => file.endsWith('.json'))

  test.each(['grafana', 'my-notes'])(
    '%s does not hold up another, and is free after a failure',
    async (alias) => {
      const { make, idsOf } = await setUp()
      const folder = join(path, 'aliases')
      // What leads nowhere holds no name, and nothing can be made in it.
      symlinkSync(join(path, 'nowhere'), folder)
      expect((await refusalOf(make(alias))).kind).toBe('storage-unavailable')
      expect(itemsOnDisk()).toEqual([])
      expect(await idsOf()).toEqual([])
      rmSync(folder)
      const [first, other] = await Promise.all([make(alias, 'ben'), make('another')])
      expect(itemsOnDisk()).toHaveLength(2)
      expect(await idsOf()).toEqual([other])
      expect(await idsOf(200, 'ben')).toEqual([first])
    },
  )
})
