import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fill, fillAndDie, idOf, openDated } from '../support/dated.ts'
import { isRoot } from '../support/programs.ts'
import { mountOver } from '../support/small-disk.ts'
import { filesIn, newPath, refusalOf } from '../support/store.ts'

const idsTo = (count: number) => Array.from({ length: count }, (_, at) => idOf(at))
const newestFirst = (count: number) => idsTo(count).reverse()
const timeOf = (at: number) => 1_700_000_000_000 + at
const damageReport = expect.stringMatching(/^the index is damaged /)

describe('a list', () => {
  test.each([0, 1, 2, 199, 200, 201, 600])('of %d is whole, newest first, in pages of 200', async (count) => {
    const dated = await fill(count)
    expect(await dated.all()).toEqual(newestFirst(count))
    expect(await dated.page(200)).toEqual(newestFirst(count).slice(0, 200))
    await dated.stop()
  })

  test('leaves out what was removed, at its ends and in its middle', async () => {
    const dated = await fill(10)
    for (const at of [0, 4, 5, 9]) await dated.erase(idOf(at), timeOf(at))
    expect(await dated.all(3)).toEqual([8, 7, 6, 3, 2, 1].map(idOf))
    for (const at of [1, 2, 3, 6, 7, 8]) await dated.erase(idOf(at), timeOf(at))
    expect(await dated.all(3)).toEqual([])
    await dated.stop()
  })

  test('is in the order of the times of creation when the clock goes back', async () => {
    const dated = await openDated()
    for (const [id, time] of [
      ['na', 1000],
      ['nb', 900],
      ['nc', 950],
      ['nd', 1100],
    ] as const)
      await dated.add(id, time)
    expect(await dated.all(1)).toEqual(['nd', 'na', 'nc', 'nb'])
    await dated.erase('nb', 900)
    await dated.erase('na', 1000)
    expect(await dated.all(1)).toEqual(['nd', 'nc'])
    await dated.stop()
  })

  test('of one millisecond is whole in pages of any size, also when it was built again between two pages', async () => {
    const dated = await openDated()
    const ids = ['nq', 'nb', 'nz', 'na', 'nm', 'nc', 'nx']
    for (const id of ids) await dated.add(id, 1000)
    const sorted = [...ids].sort().reverse()
    for (const count of [1, 2, 3, 7, 8]) expect(await dated.all(count)).toEqual(sorted)
    const first = await dated.store.list('ann', 3)
    await dated.stop()
    rmSync(dated.file)
    const again = await openDated({ path: dated.path })
    expect(await again.page(9, first.at(-1))).toEqual(sorted.slice(3))
    await again.stop()
  })

  test('is whole and holds nothing twice while entries come and go', async () => {
    const dated = await fill(600)
    const stays = (at: number) => at % 3 !== 0
    let isOver = false
    const changing = (async () => {
      for (let at = 0; at < 600; at += 3) {
        await dated.erase(idOf(at), timeOf(at))
        await dated.add(`x${at}`, timeOf(20_000 + at))
      }
      isOver = true
    })()
    let rounds = 0
    do {
      const found = await dated.all(50)
      const old = new Set(found)
      expect(old.size).toBe(found.length)
      expect(idsTo(600).filter((id, at) => stays(at) && !old.has(id))).toEqual([])
      rounds++
      // What was read before is answered at once.
      await nextTurn()
    } while (!isOver)
    await changing
    expect(rounds).toBeGreaterThan(1)
    expect(await dated.all()).toHaveLength(600)
    await dated.stop()
  })

  test('has no entry of a document that could not be written, or that is of somebody else', async () => {
    const dated = await fill(2)
    const tmp = join(dated.path, 'tmp')
    rmSync(tmp, { recursive: true })
    writeFileSync(tmp, '')
    expect((await refusalOf(dated.add('nfails', timeOf(900)))).kind).toBe('storage-unavailable')
    rmSync(tmp)
    mkdirSync(tmp)
    expect(await dated.all()).toEqual(newestFirst(2))
    expect(dated.reports).toEqual([expect.stringMatching(/^the index is built /)])
    await dated.stop()
  })

  test('shows what is in the documents, also of what was changed since it has shown it', async () => {
    const dated = await fill(3)
    const newest = await dated.store.load(idOf(2))
    if (typeof newest !== 'object') throw new Error('there is nothing to change')
    for (const _ of ['from disk', 'as kept'])
      expect(await dated.store.list('ann', 1)).toEqual([{ ...newest, bytes: 0, name: '' }])
    await dated.store.replace(newest, { ...newest, more: 'new' } as typeof newest)
    for (const _ of ['from disk', 'as kept'])
      expect(await dated.store.list('ann', 1)).toEqual([
        { ...newest, more: 'new', bytes: 0, name: '' } as never,
      ])
    rmSync(dated.fileOf(idOf(1)))
    expect(await dated.all()).toEqual([idOf(2), idOf(0)])
    await dated.stop()
  })

  test('leaves out a document that is damaged while it cannot be written, and says so', async () => {
    const dated = await fill(2)
    await dated.all()
    const newest = await dated.store.load(idOf(1))
    if (typeof newest !== 'object') throw new Error('there is nothing to change')
    rmSync(join(dated.path, 'tmp'), { recursive: true })
    writeFileSync(join(dated.path, 'tmp'), '')
    writeFileSync(dated.fileOf(idOf(1)), 'damaged')
    expect((await refusalOf(dated.store.replace(newest, { ...newest, more: 'new' } as never))).kind).toBe(
      'storage-unavailable',
    )
    expect(await dated.all()).toEqual([idOf(0)])
    expect(dated.reports.at(-1)).toEndWith(`${idOf(1)}.json: is cut short or no document of this program`)
    await dated.stop()
  })

  test('has no byte of what was changed or deleted in its files, also while the server runs', async () => {
    const dated = await fill(50)
    const filesWith = (word: string) =>
      filesIn(dated.path).filter((file) => readFileSync(file).includes(word))
    for (const at of [0, 10, 49]) {
      const item = await dated.store.load(idOf(at))
      if (typeof item !== 'object') throw new Error('there is nothing to change')
      const [first, second] = [2, 3].map((version) => ({ ...item, version, words: `pelican${version}` }))
      expect(await dated.store.replace(item, first as typeof item)).toBe(true)
      expect(filesWith('pelican2')).toHaveLength(2)
      expect(await dated.store.replace(first as typeof item, second as typeof item)).toBe(true)
      expect(filesWith('pelican2')).toEqual([])
      expect(await dated.erase(idOf(at), timeOf(at))).toBe(true)
      expect(filesWith('pelican')).toEqual([])
    }
    await dated.stop()
  })
})

describe('an index', () => {
  const reopened = async (path: string, boot = 'boot-1') => {
    const dated = await openDated({ path, boot })
    const found = await dated.all()
    await dated.stop()
    return { found, isRebuilt: dated.reports.some((line) => line.startsWith('the index is built')) }
  }

  test('is trusted after a stop, also in another boot, and after a kill in the same one', async () => {
    const stopped = await fill(5)
    await stopped.all()
    await stopped.stop()
    expect(await reopened(stopped.path, 'boot-2')).toEqual({ found: newestFirst(5), isRebuilt: false })
    // What a stop leaves is one file.
    expect(existsSync(`${stopped.file}-wal`)).toBe(false)
    expect(await reopened(await fillAndDie(5))).toEqual({ found: newestFirst(5), isRebuilt: false })
  })

  test('is built again after a kill in another boot, or where boots are not told apart', async () => {
    expect(await reopened(await fillAndDie(5), 'boot-2')).toEqual({ found: newestFirst(5), isRebuilt: true })
    const nameless = await fillAndDie(5, { boot: '' })
    expect(await reopened(nameless, '')).toEqual({ found: newestFirst(5), isRebuilt: true })
    // That was a stop.
    expect(await reopened(nameless, '')).toEqual({ found: newestFirst(5), isRebuilt: false })
  })

  test('is not trusted after a kill that came behind a stop and a change', async () => {
    const dated = await openDated()
    await dated.all()
    await dated.stop()
    await fillAndDie(3, { path: dated.path })
    expect(await reopened(dated.path, 'boot-2')).toEqual({ found: newestFirst(3), isRebuilt: true })
  })

  test('is built again in a copy of the folder', async () => {
    const dated = await fill(3)
    await dated.all()
    await dated.stop()
    const copy = newPath()
    cpSync(dated.path, copy, { recursive: true })
    expect(await reopened(copy)).toEqual({ found: newestFirst(3), isRebuilt: true })
  })

  /** Overwrites so many pages in the middle, as a bad disk does. */
  const overwrite = (file: string, bytes: Buffer) => {
    const handle = openSync(file, 'r+')
    for (let at = 4; at < 12; at++) writeSync(handle, bytes, 0, bytes.length, at * 4096)
  }
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ['is empty', (file) => truncateSync(file, 0)],
    ['is cut short', (file) => truncateSync(file, 4096)],
    ['is garbage', (file) => writeFileSync(file, 'x'.repeat(9000))],
    ['has pages of nothing', (file) => overwrite(file, Buffer.alloc(4096))],
    ['has pages of another place', (file) => overwrite(file, readFileSync(file).subarray(8192, 12_288))],
    ['is of another version', (file) => changeIndex(file, 'PRAGMA user_version = 9')],
    ['has another schema', (file) => changeIndex(file, 'ALTER TABLE items RENAME TO others')],
    [
      'has rows of another type',
      (file) => changeIndex(file, "UPDATE items SET created = 'x' WHERE id = 'n00007'"),
    ],
  ]
  const changeIndex = (file: string, sql: string) => {
    const database = new Database(file)
    database.exec(sql)
    database.close()
  }
  test.each(damages)('that %s is built again, without anybody asking for a list', async (_, damage) => {
    const dated = await fill(600)
    await dated.all()
    await dated.erase(idOf(3), timeOf(3))
    await dated.stop()
    damage(dated.file)
    const again = await openDated({ path: dated.path })
    again.items.start()
    while (!again.reports.some((line) => line.startsWith('the index is built'))) await Bun.sleep(1)
    expect(await again.all()).toEqual(newestFirst(600).filter((id) => id !== idOf(3)))
    expect(again.reports.at(-1)).toBe('the index is built {"items":599}')
    await again.add('nlater', timeOf(1000))
    expect((await again.all())[0]).toBe('nlater')
    await again.stop()
    expect((await reopened(dated.path)).isRebuilt).toBe(false)
  })

  test('that is whole is not built again by the look at it', async () => {
    const dated = await fill(600)
    await dated.all()
    await dated.stop()
    const again = await openDated({ path: dated.path })
    again.items.start()
    await again.stop()
    expect(again.reports).toEqual([])
  })

  test.each([
    ['removed', (file: string) => rmSync(file)],
    [
      'replaced',
      (file: string) => {
        copyFileSync(file, `${file}.copy`)
        rmSync(file)
        copyFileSync(`${file}.copy`, file)
      },
    ],
  ])('that is %s under a running server is built again', async (_, change) => {
    const dated = await fill(5)
    await dated.all()
    change(dated.file)
    await dated.add('nlater', timeOf(1000))
    expect(await dated.all()).toEqual(['nlater', ...newestFirst(5)])
    expect(dated.reports.slice(1)).toEqual([damageReport, 'the index is built {"items":6}'])
    await dated.stop()
    expect(await reopened(dated.path)).toEqual({ found: ['nlater', ...newestFirst(5)], isRebuilt: false })
  })

  test('is for nobody else to read', async () => {
    const dated = await fill(1)
    await dated.all()
    expect(statSync(dated.file).mode & 0o777).toBe(0o600)
    expect(statSync(`${dated.file}-wal`).mode & 0o777).toBe(0o600)
    await dated.stop()
  })

  test('knows what came and went while it was being built', async () => {
    const dated = await fill(300)
    await dated.stop()
    rmSync(dated.file)
    const again = await openDated({ path: dated.path })
    // Half of these are on their way before the documents are looked at.
    const early = [0, 1, 2, 3].map((at) => again.add(`nearly${at}`, timeOf(1000 + at)))
    again.items.start()
    const changes = [0, 1, 2, 3].map(async (at) => {
      await again.add(`nlater${at}`, timeOf(2000 + at))
      await again.erase(idOf(at * 50), timeOf(at * 50))
      await again.add(`nbrief${at}`, timeOf(3000 + at))
      await again.erase(`nbrief${at}`, timeOf(3000 + at))
    })
    const found = await again.all()
    await Promise.all([...early, ...changes])
    expect(new Set(found).size).toBe(found.length)
    const end = await again.all()
    const expected = [
      ...idsTo(300).filter((id) => ![0, 50, 100, 150].map(idOf).includes(id)),
      ...[0, 1, 2, 3].flatMap((at) => [`nearly${at}`, `nlater${at}`]),
    ]
    expect([...end].sort()).toEqual(expected.sort())
    await again.stop()
    const database = new Database(again.file, { readonly: true })
    const rows = database.query<{ id: string }, []>('SELECT id FROM items').all()
    expect(rows.map(({ id }) => id).sort()).toEqual(expected)
    database.close()
  })

  test('that is lost while an item is being written has that item', async () => {
    const dated = await fill(3)
    await dated.all()
    for (let at = 0; at < 20; at++) {
      const adding = dated.add(`nflight${at}`, timeOf(1000 + at))
      rmSync(dated.file)
      // Every document is read for it, and this one is not there yet.
      expect((await dated.all()).length).toBeGreaterThanOrEqual(3 + at)
      await adding
      expect((await dated.all())[0]).toBe(`nflight${at}`)
    }
    await dated.stop()
  })

  test('that is being built when the server stops is built again by the next one', async () => {
    const dated = await fill(50)
    await dated.stop()
    rmSync(dated.file)
    const stopping = await openDated({ path: dated.path })
    stopping.items.start()
    await stopping.stop()
    expect(await reopened(dated.path)).toEqual({ found: newestFirst(50), isRebuilt: true })
  })

  test('without a place for it is kept in memory, and said so', async () => {
    const path = newPath()
    mkdirSync(join(path, 'index.sqlite/sub'), { recursive: true })
    const dated = await fill(5, { path })
    expect(await dated.all()).toEqual(newestFirst(5))
    await dated.erase(idOf(4), timeOf(4))
    expect(await dated.all()).toEqual(newestFirst(4))
    expect(dated.reports.slice(0, 2)).toEqual([
      damageReport,
      expect.stringMatching(/^the index is kept in memory /),
    ])
    await dated.stop()
  })

  test.skipIf(!isRoot)(
    'on a disk that is full goes on in memory: no deletion fails, and lists are whole',
    async () => {
      const path = newPath()
      mkdirSync(path)
      const unmount = mountOver(path, 'size=300k,mode=0700')
      try {
        const dated = await openDated({ path })
        const made: number[] = []
        const failed = async () => {
          for (let at = 0; ; at++)
            try {
              await dated.add(idOf(at), timeOf(at))
              made.push(at)
            } catch (error) {
              return error
            }
        }
        expect(await failed()).toMatchObject({ kind: 'storage-full' })
        const ids = () => made.map(idOf).reverse()
        expect(await dated.all()).toEqual(ids())
        for (const at of made.splice(0, 3)) expect(await dated.erase(idOf(at), timeOf(at))).toBe(true)
        expect(await dated.all()).toEqual(ids())
        await dated.stop()
      } finally {
        unmount()
      }
    },
  )
})
