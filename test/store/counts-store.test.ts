import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { CountChange } from '../../src/store/derived/counts-store.ts'
import { lastUses } from '../../src/store/derived/counts-store.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { storedCounts, storedRows } from '../support/counts.ts'
import { endOf, repository } from '../support/process.ts'
import { filesIn, newPath } from '../support/store.ts'
import { hasStrace } from '../support/strace.ts'

const open = async (path = newPath()) => {
  const damages: string[] = []
  const folder = await openDataFolder(path, 'a test', () => {})
  const store = folder.counts(({ message }) => damages.push(message))
  return {
    ...store,
    path,
    damages,
    file: join(path, 'counts.sqlite'),
    aside: (number: number, suffix = '') => join(path, `counts.sqlite.${number}.damaged${suffix}`),
    count: (id: string) => store.get('link', [id]).get(id) ?? 0,
    /** Adds to links. */
    add: async (changes: Record<string, CountChange['by']>, uses = {}) => {
      await store.prepare()
      const all = Object.entries(changes).map(([id, by]) => ({ kind: 'link' as const, id, by }))
      store.write(all, new Map(Object.entries(uses)))
    },
    /** The same folder after a restart. */
    again: () => {
      store.close()
      folder.close()
      return open(path)
    },
    close: () => {
      store.close()
      folder.close()
    },
  }
}

const suffixes = ['', '-wal', '-shm']

describe('the store of counts', () => {
  test('adds, keeps, and knows nothing of what was never counted', async () => {
    const first = await open()
    expect(first.count('abc')).toBe(0)
    await first.add({ abc: 2, abd: 1 })
    await first.add({ abc: 3 })
    first.write([{ kind: 'paste', id: 'abc', by: 7 }], new Map())
    const expectCounts = ({ get }: typeof first) => {
      expect(Object.fromEntries(get('link', ['abc', 'abd', 'abe', 'constructor']))).toEqual({
        abc: 5,
        abd: 1,
      })
      expect(get('paste', ['abc']).get('abc')).toBe(7)
      expect(get('paste', []).size).toBe(0)
    }
    expectCounts(first)
    const second = await first.again()
    expectCounts(second)
    expect(storedCounts(second.path)).toEqual({ 'link/abc': 5, 'link/abd': 1, 'paste/abc': 7 })
    for (const suffix of ['', '-wal'])
      expect((statSync(second.file + suffix).mode & 0o777).toString(8)).toBe('600')
    expect(filesIn(join(second.path, 'tmp'))).toEqual([])
    second.close()
  })

  test('makes no file to look into, and leaves one file behind', async () => {
    const store = await open()
    store.count('abc')
    expect(existsSync(store.file)).toBe(false)
    await store.add({ abc: 1 })
    store.close()
    expect(suffixes.map((suffix) => existsSync(store.file + suffix))).toEqual([true, false, false])
  })

  test('forgets what is to be forgotten, also what was never counted', async () => {
    const store = await open()
    await store.add({ abc: 'forgotten' })
    await store.add({ abc: 2, abd: 1 })
    await store.add({ abc: 'forgotten' })
    expect(storedCounts(store.path)).toEqual({ 'link/abd': 1 })
    store.close()
  })

  test('takes all of a write or nothing', async () => {
    const store = await open()
    await store.add({ abc: 2 })
    await expect(store.add({ abc: 1, abd: -1 }, { laptop: 60_000 })).rejects.toThrow('CHECK constraint')
    expect(storedCounts(store.path)).toEqual({ 'link/abc': 2 })
    expect((await lastUses(store.path)).size).toBe(0)
    store.close()
  })

  test('notes when keys were last used, for a command to read beside the server and after it', async () => {
    const store = await open()
    expect((await lastUses(store.path)).size).toBe(0)
    await store.add({}, { laptop: 60_000, phone: 60_000 })
    await store.add({}, { laptop: 120_000 })
    const uses = { laptop: 120_000, phone: 60_000 }
    expect(Object.fromEntries(await lastUses(store.path))).toEqual(uses)
    store.close()
    expect(Object.fromEntries(await lastUses(store.path))).toEqual(uses)
    expect(existsSync(`${store.file}-wal`)).toBe(false)
    writeFileSync(store.file, 'damaged')
    expect((await lastUses(store.path)).size).toBe(0)
  })
})

describe('a file of counts', () => {
  const overwritten = (bytes: Buffer) => Buffer.from(bytes).fill(0xa5, 4096, 4096 + 200)
  const damages: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ['emptied', () => Buffer.alloc(0)],
    ['cut short', (bytes) => bytes.subarray(0, 4096)],
    ['replaced by null', () => Buffer.from('null')],
    ['full of zeros', (bytes) => Buffer.alloc(bytes.length)],
    ['overwritten in the middle', overwritten],
    ['of another version', (bytes) => Buffer.from(bytes).fill(9, 60, 64)],
  ]

  test.each(damages)('that was %s is put aside, and counting goes on from zero', async (_, damage) => {
    const first = await open()
    await first.add({ abc: 2 })
    first.close()
    const damaged = damage(readFileSync(first.file))
    for (const round of [1, 2]) {
      writeFileSync(first.file, damaged)
      const store = await open(first.path)
      expect(store.count('abc')).toBe(0)
      await store.add({ abc: 1 })
      expect(store.count('abc')).toBe(1)
      expect(store.damages).toHaveLength(1)
      store.close()
      expect(readFileSync(store.aside(round)).equals(damaged)).toBe(true)
    }
  })

  test('that turns out to be damaged while it is in use is put aside with its log', async () => {
    const store = await open()
    await store.add(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`id${at}`, 1])))
    const again = await store.again()
    // Opening reads the first page; what is asked for lies behind it.
    expect(again.get('link', []).size).toBe(0)
    writeFileSync(again.file, readFileSync(again.file).fill(0xa5, 3 * 4096))
    expect(again.count('id4000')).toBe(0)
    expect(again.damages).toHaveLength(1)
    expect(statSync(again.aside(1)).size).toBeGreaterThan(4096)
    await again.add({ abc: 1 })
    expect(again.count('abc')).toBe(1)
    again.close()
  })

  test('of a server that was killed is checked, and put aside with its log', async () => {
    const first = await open()
    await first.add({ abc: 2 })
    await first.add({ abd: 1 })
    const killed = newPath()
    mkdirSync(killed)
    for (const suffix of ['', '-wal']) copyFileSync(first.file + suffix, `${killed}/counts.sqlite${suffix}`)
    const again = await open(killed)
    expect([again.count('abc'), again.count('abd')]).toEqual([2, 1])
    again.close()
    // The page of the uses of keys, which telling a count does not read.
    for (const suffix of ['', '-wal']) copyFileSync(first.file + suffix, again.file + suffix)
    writeFileSync(again.file, readFileSync(again.file).fill(0xa5, 2 * 4096, 2 * 4096 + 100))
    const checked = await open(killed)
    checked.count('abc')
    expect(checked.damages).toHaveLength(1)
    checked.close()
    first.close()
    for (const suffix of ['', '-wal']) writeFileSync(again.file + suffix, 'x'.repeat(8192))
    const third = await open(killed)
    expect(third.count('abc')).toBe(0)
    await third.add({ abc: 1 })
    expect(['', '-wal'].map((suffix) => existsSync(third.aside(2, suffix)))).toEqual([true, true])
    expect(third.count('abc')).toBe(1)
    third.close()
  })

  test('that cannot be opened just now is not put aside; what is written waits until it can', async () => {
    const first = await open()
    await first.add({ abc: 2 })
    const store = await first.again()
    const kept = `${store.file}.kept`
    renameSync(store.file, kept)
    mkdirSync(store.file)
    expect(() => store.count('abc')).toThrow()
    await expect(store.add({ abc: 1 })).rejects.toThrow()
    rmSync(store.file, { recursive: true })
    renameSync(kept, store.file)
    await store.add({ abc: 1 })
    expect(store.count('abc')).toBe(3)
    expect(store.damages).toEqual([])
    store.close()
  })

  test.skipIf(!hasStrace)(
    'that the disk does not give just now is not put aside, whatever read fails',
    async () => {
      const first = await open()
      await first.add(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`id${at}`, 1])))
      const killed = newPath()
      for (let read = 1; read <= 8; read++) {
        mkdirSync(join(killed, 'tmp'), { recursive: true })
        for (const suffix of ['', '-wal'])
          copyFileSync(first.file + suffix, `${killed}/counts.sqlite${suffix}`)
        const script = `
        const { openCountsStore } = await import(${JSON.stringify(join(repository, 'src/store/derived/counts-store.ts'))})
        const store = openCountsStore(${JSON.stringify(killed)}, '', console.error)
        const count = () => {
          try { return store.get('link', ['id7']).get('id7') } catch ({ code }) { return code.slice(0, 12) }
        }
        console.log(count(), count())
        store.close()`
        const faulty = ['-P', killed, '-P', `${killed}/counts.sqlite`, '-P', `${killed}/counts.sqlite-wal`]
        const inject = ['-e', 'trace=pread64', '-e', `inject=pread64:error=EIO:when=${read}`]
        const tracer = ['strace', '-f', '-qq', '-o', '/dev/null', ...faulty, ...inject]
        const child = Bun.spawn([...tracer, process.execPath, '-e', script], {
          stdout: 'pipe',
          stderr: 'pipe',
        })
        expect(await endOf(child)).toMatchObject({ stdout: 'SQLITE_IOERR 1\n', stderr: '' })
        rmSync(killed, { recursive: true })
      }
      first.close()
    },
  )

  test('that is locked by somebody holds nobody up, and counts nothing twice', async () => {
    const first = await open()
    await first.add({ abc: 2 })
    const store = await first.again()
    const other = new Database(store.file)
    other.exec('BEGIN IMMEDIATE')
    await expect(store.add({ abc: 1 })).rejects.toThrow('locked')
    expect(() => store.count('abc')).toThrow('locked')
    other.exec('ROLLBACK')
    other.close()
    await store.add({ abc: 1 })
    expect(store.count('abc')).toBe(3)
    store.close()
  })

  test('that somebody removed is made anew, and no log of the former one gets into it', async () => {
    const store = await open()
    await store.add({ abc: 2 })
    rmSync(store.file)
    await store.add({ abd: 1 })
    expect(storedCounts(store.path)).toEqual({ 'link/abd': 1 })
    const log = readFileSync(`${store.file}-wal`)
    store.close()
    rmSync(store.file)
    writeFileSync(`${store.file}-wal`, log)
    const again = await open(store.path)
    await again.add({ abe: 1 })
    expect(storedRows(again.path, 'SELECT id FROM counts')).toEqual([['abe']])
    again.close()
  })
})
