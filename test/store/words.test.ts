import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { StoredPaste } from '../../src/items/paste.ts'
import { openPastes, type Pastes } from '../support/pastes.ts'
import { isRoot } from '../support/programs.ts'
import { fill, mountOver } from '../support/small-disk.ts'
import { newPath } from '../support/store.ts'

let data: Pastes

beforeEach(async () => {
  data = await openPastes()
})
afterEach(() => data.stop())

const reopen = async (prepare = () => {}, boot?: string) => {
  await data.stop()
  prepare()
  data = await openPastes({ path: data.path, ...(boot !== undefined && { boot }) })
}

const built = (items: number) => `the words are built {"items":${items},"added":${items}}`

describe('the words', () => {
  test('are not made before something changes or is searched', async () => {
    await data.stop()
    expect(existsSync(data.file)).toBe(false)
    data = await openPastes({ path: data.path })
    await data.find('x')
    expect(existsSync(data.file)).toBe(true)
  })

  test('can be read by their owner alone', async () => {
    await data.add('text')
    await data.find('text')
    for (const name of ['words.sqlite', 'words.sqlite-wal'])
      expect(statSync(join(data.path, name)).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['deleted', (item: StoredPaste) => data.store.erase(item)],
    [
      'changed',
      (item: StoredPaste) => data.store.replace(item, { ...item, title: '', text: 'new', version: 2 }),
    ],
  ] as const)('of a %s item are in no byte of any file, also while the server runs', async (_, change) => {
    for (let at = 0; at < 50; at++) await data.add(`plover heron${at}`)
    const item = await data.add(`albatross ${'seen '.repeat(5000)}`, { title: 'pelican' })
    expect(await data.find('albatross pel')).toEqual([item.id])
    await change(item)
    expect(await data.find('albatross')).toEqual([])
    const files = readdirSync(data.path).filter((name) => name.startsWith('words.sqlite'))
    for (const name of files)
      expect(readFileSync(join(data.path, name)).toString('latin1'), name).not.toMatch(/albat|pelic/i)
    expect(await data.find('plover')).toHaveLength(50)
  })

  test.each([
    ['lines', 'first\nsecond\r\n\tthird', ['first', 'second', 'third']],
    ['a log in colours', '\u001b[31mred\u001b[0mgreen \b\f', ['31mred', '0mgreen']],
    ['backslashes', 'C:\\new\\\\tools "quoted"', ['c', 'new', 'tools', 'quoted']],
    ['half of a pair', 'left\ud83d right', ['left', 'right']],
    ['other letters', 'Größe\nÜberall', ['grosse', 'größe', 'uberall']],
  ])('of %s are found, and nothing of the escapes of its file', async (_, text, words) => {
    const { id } = await data.add(text)
    for (const word of words) expect(await data.find(word), word).toEqual([id])
    for (const word of ['n', 'nsecond', 'u001b', 'ud83d', 'nnew', 't', 'bright'])
      expect(await data.find(word), word).toEqual([])
  })

  test('are found only of the key that is asked for, whether it has most items or few', async () => {
    const add = async (owner: string) => (await data.add('common', { owner, language: owner })).id
    const mine = [await add('ann'), await add('ann')]
    const others = [await add('bob')]
    for (const [owner, ids] of [
      ['ann', mine],
      ['bob', others],
      ['carl', []],
      [undefined, [...mine, ...others]],
    ] as const)
      for (const text of ['common', ''])
        for (const sort of ['created', 'uses'] as const)
          expect((await data.find(text, { owner, sort }))?.toSorted(), `${owner} ${text} ${sort}`).toEqual(
            ids.toSorted(),
          )
    expect(await data.find('common', { language: 'bob' })).toEqual([])
    for (const id of mine) await data.store.erase((await data.store.load(id)) as StoredPaste)
    await data.add('common', { owner: 'bob' })
    for (const text of ['common', '']) {
      expect(await data.find(text, { owner: 'ann' })).toEqual([])
      expect(await data.find(text, { owner: 'bob' })).toHaveLength(2)
    }
  })

  test('of a long text are those of its first MiB, wherever it is cut', async () => {
    const { id } = await data.add(`first ${'\\"\n\u0001'.repeat(300_000)} last`)
    expect(await data.find('first')).toEqual([id])
    expect(await data.find('last')).toEqual([])
    const plain = await data.add(`head ${'y '.repeat(400_000)} tail`)
    expect(await data.find('head tail')).toEqual([plain.id])
  })

  test('that are none, or more than 32, are not searched', async () => {
    for (const text of ['-- ..', Array.from({ length: 33 }, (_, at) => `w${at}`).join(' ')])
      expect(await data.find(text)).toBeUndefined()
  })
})

describe('words are complete again', () => {
  const ids: string[] = []
  beforeEach(async () => {
    ids.length = 0
    for (let at = 0; at < 30; at++) ids.unshift((await data.add(`common word${at}`, { createdAt: at })).id)
    expect(await data.find('common')).toEqual(ids)
  })

  test('after a restart, without being built', async () => {
    await reopen()
    expect(await data.find('common')).toEqual(ids)
    expect(data.reports).toEqual([])
  })

  test.each([
    ['were removed', () => rmSync(data.file)],
    ['are an empty file', () => truncateSync(data.file, 0)],
    ['are garbage', () => writeFileSync(data.file, 'no database of anybody'.repeat(500))],
    [
      'are of another version',
      () => {
        const database = new Database(data.file)
        database.exec('PRAGMA user_version = 7')
        database.close()
      },
    ],
    [
      'were copied',
      () => {
        const copy = readFileSync(data.file)
        rmSync(data.file)
        writeFileSync(data.file, copy)
      },
    ],
  ] as const)('when they %s', async (how, harm) => {
    await reopen(harm)
    expect(await data.find('common word7')).toEqual([ids[22] as string])
    expect(data.reports.filter((report) => !report.startsWith('the words are damaged'))).toEqual([built(30)])
    expect(data.reports).toHaveLength(how === 'are garbage' ? 2 : 1)
  })

  test('when they were removed while in use', async () => {
    rmSync(data.file)
    expect(await data.find('common')).toEqual(ids)
    const { id } = await data.add('common later')
    expect(await data.find('common')).toEqual([id, ...ids])
    expect(data.reports).toContain(built(30))
    expect(existsSync(data.file)).toBe(true)
  })

  test('when pages were overwritten', async () => {
    await reopen(() => {
      const file = openSync(data.file, 'r+')
      for (let page = 2; page < statSync(data.file).size / 4096; page++)
        writeSync(file, new Uint8Array(3000).fill(7), 0, 3000, page * 4096)
    })
    let found = await data.find('common')
    // What is noticed by the check in the background is built again.
    while (!data.reports.some((report) => report.startsWith('the words are built')))
      found = await data.find('common')
    expect(found).toEqual(ids)
    expect(data.reports[0]).toMatch(/^the words are damaged/)
  })

  test('when a power cut may have changed them', async () => {
    await data.stop()
    const script = `
      import { openPastes } from ${JSON.stringify(join(import.meta.dir, '../support/pastes.ts'))}
      const data = await openPastes({ path: ${JSON.stringify(data.path)} })
      await data.add('common one')
      await data.find('common')
      process.kill(process.pid, 'SIGKILL')`
    Bun.spawnSync([process.execPath, '-e', script])
    data = await openPastes({ path: data.path, boot: 'boot-2' })
    expect(await data.find('common')).toHaveLength(31)
    expect(data.reports).toContain(built(31))
  })

  test('after kill -9 with changes that no file had yet', async () => {
    await data.stop()
    const script = `
      import { openPastes } from ${JSON.stringify(join(import.meta.dir, '../support/pastes.ts'))}
      const data = await openPastes({ path: ${JSON.stringify(data.path)} })
      await data.find('common')
      await data.store.erase(await data.store.load('${ids[0]}'))
      await Promise.all(Array.from({ length: 40 }, () => data.add('common queued')))
      process.kill(process.pid, 'SIGKILL')`
    expect(Bun.spawnSync([process.execPath, '-e', script]).signalCode).toBe('SIGKILL')
    data = await openPastes({ path: data.path })
    expect(await data.find('queued')).toHaveLength(40)
    expect(await data.find('common')).toHaveLength(69)
    expect(data.reports.filter((report) => /damaged|cannot/.test(report))).toEqual([])
  })
})

describe('words whose worker has rested are found', () => {
  let ids: string[]

  beforeEach(async () => {
    await data.stop()
    data = await openPastes({ path: data.path, restMs: 1 })
    ids = [(await data.add('common first')).id, (await data.add('common second')).id]
    expect((await data.find('common'))?.toSorted()).toEqual(ids.toSorted())
    await data.rested()
    data.reports.length = 0
  })

  test('as they were, and with what was added since', async () => {
    expect(await data.find('first')).toEqual([ids[0] as string])
    const { id } = await data.add('common third')
    await data.rested()
    expect(await data.find('third')).toEqual([id])
    expect(data.reports).toEqual([])
  })

  test('without a comparison of all items, which would find again what is removed here', async () => {
    const database = new Database(data.file)
    // The worker may still hold the lock with which it closes.
    database.run('PRAGMA busy_timeout = 60000')
    database.run('DELETE FROM items WHERE id = ?', [ids[0] as string])
    database.close()
    expect(await data.find('common')).toEqual([ids[1] as string])
    await data.rested()
    expect(await data.find('common')).toEqual([ids[1] as string])
  })

  test('with the uses that were counted in the rest', async () => {
    const uses = { kind: 'pastes', id: ids[0] as string }
    data.counted.set(uses.id, 7)
    data.items.used([uses])
    expect(await data.find('common', { sort: 'uses' })).toEqual([ids[0], ids[1]] as string[])
    expect(existsSync(`${data.file}-wal`)).toBe(true)
  })

  test('after their file was removed, built again', async () => {
    rmSync(data.file)
    expect((await data.find('common'))?.toSorted()).toEqual(ids.toSorted())
    expect(data.reports).toEqual([built(2)])
  })

  test('after their file was overwritten, built again', async () => {
    writeFileSync(data.file, 'no database of anybody'.repeat(500))
    expect((await data.find('common'))?.toSorted()).toEqual(ids.toSorted())
    expect(data.reports.map((report) => report.split(' {')[0])).toEqual([
      'the words are damaged',
      'the words are built',
    ])
  })

  test('after kill -9 with a change that no file had yet', async () => {
    await data.stop()
    const script = `
      import { openPastes } from ${JSON.stringify(join(import.meta.dir, '../support/pastes.ts'))}
      const data = await openPastes({ path: ${JSON.stringify(data.path)}, restMs: 1 })
      await data.find('common')
      await data.rested()
      await data.add('common killed')
      process.kill(process.pid, 'SIGKILL')`
    expect(Bun.spawnSync([process.execPath, '-e', script]).signalCode).toBe('SIGKILL')
    data = await openPastes({ path: data.path })
    expect(await data.find('common')).toHaveLength(3)
    expect(await data.find('killed')).toHaveLength(1)
  })
})

test.skipIf(!isRoot)('on a disk with less than 16 MiB left, words are kept in memory', async () => {
  const path = newPath()
  mkdirSync(path)
  const unmount = mountOver(path, 'size=3m,mode=0700')
  try {
    const small = await openPastes({ path })
    const { id } = await small.add('common')
    expect(await small.find('common')).toEqual([id])
    expect(readdirSync(path).filter((name) => name.startsWith('words'))).toEqual([])
    await small.stop()
  } finally {
    unmount()
  }
})

test.skipIf(!isRoot)('on a full disk, searches go on; with space again, all is found', async () => {
  const path = newPath()
  mkdirSync(path)
  const unmount = mountOver(path, 'size=40m,mode=0700')
  try {
    const small = await openPastes({ path })
    const first = await small.add('common first')
    expect(await small.find('common')).toEqual([first.id])
    const free = fill(path)
    await expect(small.add('refused '.repeat(20_000))).rejects.toThrow()
    await small.store.erase(first)
    expect((await small.search('common')).found).toBeArray()
    free()
    const second = await small.add('common second')
    expect(await small.find('common')).toEqual([second.id])
    await small.stop()
  } finally {
    unmount()
  }
})

test.skipIf(isRoot)('in a folder that cannot be written, they are kept in memory', async () => {
  const { id } = await data.add('text')
  await data.stop()
  rmSync(data.file, { force: true })
  chmodSync(data.path, 0o500)
  try {
    data = await openPastes({ path: data.path })
    expect(await data.find('text')).toEqual([id])
    expect(data.reports).toContain('the words are kept in memory {}')
  } finally {
    chmodSync(data.path, 0o700)
  }
})

test('where the words have no place, they are kept in memory', async () => {
  const { id } = await data.add('text')
  await reopen(() => {
    rmSync(data.file, { force: true })
    mkdirSync(data.file)
  })
  expect(await data.find('text')).toEqual([id])
  expect(data.reports).toContain('the words are kept in memory {}')
})
