import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { indexName } from '../../src/store/derived/item-index.ts'
import { type Links, openLinks } from '../support/links.ts'

let data: Links

beforeEach(async () => {
  data = await openLinks()
})
afterEach(() => data.close())

const length = (url: string) => Buffer.byteLength(url)
const first = length('http://nas/')

const change = (id: string, url: string) => data.links.change(() => data.links.find(id), { fields: { url } })

const again = async (prepare = () => {}) => {
  await data.close()
  prepare()
  data = await openLinks({ path: data.path })
}
const file = () => join(data.path, indexName)

/** Version and bytes of each row, by id, from the closed file. */
const rowsOf = async () => {
  await data.close()
  const database = new Database(file(), { readonly: true })
  const rows = database.query('SELECT id, version, bytes FROM items').values() as [string, number, number][]
  database.close()
  data = await openLinks({ path: data.path })
  return Object.fromEntries(rows.map(([id, version, bytes]) => [id, { version, bytes }]))
}

describe('the totals of an owner', () => {
  test('follow each creation, change and deletion', async () => {
    expect(await data.items.totals()).toEqual([])
    const one = await data.create({}, 'ann')
    await data.create({}, 'ann')
    await data.create({}, 'bob')
    expect(await data.items.totals()).toEqual([
      { kind: 'links', owner: 'ann', items: 2, bytes: 2 * first },
      { kind: 'links', owner: 'bob', items: 1, bytes: first },
    ])
    const url = 'http://nas/ä/longer'
    await change(one.id, url)
    expect(await data.items.totals()).toContainEqual({
      ...{ kind: 'links', owner: 'ann', items: 2 },
      bytes: first + length(url),
    })
    await data.links.erase(await data.links.find(one.id))
    expect(await data.items.totals()).toContainEqual({ kind: 'links', owner: 'ann', items: 1, bytes: first })
    expect(await data.items.totals()).toHaveLength(2)
  })

  test('leave out an owner without items', async () => {
    await data.links.erase(await data.create())
    expect(await data.items.totals()).toEqual([])
  })

  test('are the same after a restart and after a rebuild', async () => {
    const { id } = await data.create()
    for (let at = 0; at < 300; at++) await data.create()
    await change(id, 'http://nas/other')
    const totals = await data.items.totals()
    expect(totals).toEqual([{ kind: 'links', owner: 'ann', items: 301, bytes: 300 * first + 16 }])
    await again()
    expect(await data.items.totals()).toEqual(totals)
    await again(() => rmSync(file()))
    data.items.start()
    expect(await data.items.totals()).toEqual(totals)
  })

  test('do not count what could not be written', async () => {
    await data.create()
    rmSync(join(data.path, 'tmp'), { recursive: true })
    writeFileSync(join(data.path, 'tmp'), '')
    await expect(data.create()).rejects.toThrow()
    expect(await data.items.totals()).toEqual([{ kind: 'links', owner: 'ann', items: 1, bytes: first }])
  })
})

describe('a row', () => {
  test('has the newest version and its size', async () => {
    const { id } = await data.create()
    expect((await rowsOf())[id]).toEqual({ version: 1, bytes: first })
    await change(id, 'http://nas/new')
    expect((await rowsOf())[id]).toEqual({ version: 2, bytes: 14 })
    await again(() => rmSync(file()))
    await data.items.totals()
    expect((await rowsOf())[id]).toEqual({ version: 2, bytes: 14 })
  })

  test('is put right where a change could not be written', async () => {
    const { id } = await data.create()
    rmSync(join(data.path, 'tmp'), { recursive: true })
    writeFileSync(join(data.path, 'tmp'), '')
    await expect(change(id, 'http://nas/new')).rejects.toThrow()
    rmSync(join(data.path, 'tmp'))
    expect((await rowsOf())[id]).toEqual({ version: 1, bytes: first })
  })
})
