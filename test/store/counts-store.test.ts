import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppError } from '../../src/errors.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { filesIn, newPath } from '../support/store.ts'

const open = async (path = newPath()) => {
  const damages: AppError[] = []
  const folder = await openDataFolder(path, 'a test', () => {})
  const store = folder.counts((error) => damages.push(error))
  const base = join(path, 'counts/links/ab')
  return {
    path,
    damages,
    ...store,
    close: folder.close,
    base,
    file: `${base}.json`,
    counts: () => filesIn(join(path, 'counts')).map((file) => file.slice(path.length + 1)),
    /** The same folder after a restart. */
    again: () => {
      folder.close()
      return open(path)
    },
  }
}

describe('the store of counts', () => {
  test('adds, keeps, and knows nothing of what was never counted', async () => {
    const first = await open()
    expect(await first.get('links', 'abc')).toBe(0)
    await first.add('links', 'ab', new Map(Object.entries({ abc: 2, abd: 1 })))
    await first.add('links', 'ab', new Map([['abc', 3]]))
    await first.add('pastes', 'ab', new Map([['abc', 7]]))
    const second = await first.again()
    for (const { get } of [first, second]) {
      expect(await get('links', 'abc')).toBe(5)
      expect(await get('links', 'abd')).toBe(1)
      expect(await get('links', 'abe')).toBe(0)
      expect(await get('links', 'constructor')).toBe(0)
      expect(await get('pastes', 'abc')).toBe(7)
    }
    expect(second.counts()).toEqual(['counts/links/ab.json', 'counts/pastes/ab.json'])
    expect(JSON.parse(readFileSync(second.file, 'utf8')).document).toEqual({ abc: 5, abd: 1 })
    expect((statSync(second.file).mode & 0o777).toString(8)).toBe('600')
    expect(filesIn(join(second.path, 'tmp'))).toEqual([])
    second.close()
  })

  test('forgets what falls to nothing, and writes no file for what was never counted', async () => {
    const store = await open()
    await store.add('links', 'ab', new Map([['abc', Number.NEGATIVE_INFINITY]]))
    expect(() => store.counts()).toThrow()
    await store.add('links', 'ab', new Map(Object.entries({ abc: 2, abd: 1 })))
    await store.add('links', 'ab', new Map([['abc', Number.NEGATIVE_INFINITY]]))
    expect(JSON.parse(readFileSync(store.file, 'utf8')).document).toEqual({ abd: 1 })
    store.close()
  })

  const damages: readonly (readonly [string, (text: string) => string])[] = [
    ['emptied', () => ''],
    ['cut short', (text) => text.slice(0, -3)],
    ['replaced by null', () => 'null'],
    ['full of zeros', (text) => '\0'.repeat(text.length)],
    ['changed by one digit', (text) => text.replace('"abc":2', '"abc":3')],
    ['of another schema', () => `{"crc32":"${Bun.hash.crc32('[]').toString(16)}","document":[]}`],
  ]

  test.each(damages)(
    'puts a file aside that was %s, says so once, and counts from zero',
    async (_, damage) => {
      const first = await open()
      await first.add('links', 'ab', new Map([['abc', 2]]))
      const damaged = damage(readFileSync(first.file, 'utf8'))
      for (const round of [1, 2]) {
        const store = await (round === 1 ? first : await open(first.path)).again()
        writeFileSync(store.file, damaged)
        expect(await store.get('links', 'abc')).toBe(0)
        await store.add('links', 'ab', new Map([['abc', 1]]))
        expect(await store.get('links', 'abc')).toBe(1)
        expect(store.damages.map(({ message }) => message)).toEqual([expect.stringContaining(store.file)])
        expect(readFileSync(`${store.base}.${round}.damaged`, 'utf8')).toBe(damaged)
        store.close()
      }
    },
  )

  test('holds no count that is not positive, which a restart would take for damage', async () => {
    const first = await open()
    await first.add('links', 'ab', new Map(Object.entries({ abc: 3, abd: 3, abe: 1 })))
    await first.add('links', 'ab', new Map(Object.entries({ abc: -3, abd: -5 })))
    const second = await first.again()
    expect([await second.get('links', 'abe'), second.damages]).toEqual([1, []])
    expect(readFileSync(second.file, 'utf8')).not.toMatch(/abc|abd/)
    second.close()
  })

  test('puts nothing aside that it cannot read just now, and refuses until it can', async () => {
    const first = await open()
    await first.add('links', 'ab', new Map([['abc', 2]]))
    const store = await first.again()
    const whole = readFileSync(store.file)
    rmSync(store.file)
    mkdirSync(store.file)
    await expect(store.get('links', 'abc')).rejects.toThrow('cannot be read')
    await expect(store.add('links', 'ab', new Map([['abc', 1]]))).rejects.toThrow('cannot be read')
    rmSync(store.file, { recursive: true })
    writeFileSync(store.file, whole)
    await store.add('links', 'ab', new Map([['abc', 1]]))
    expect(await store.get('links', 'abc')).toBe(3)
    expect(store.damages).toEqual([])
    store.close()
  })

  test('counts nothing twice when a write failed', async () => {
    const store = await open()
    await store.add('links', 'ab', new Map([['abc', 2]]))
    rmSync(join(store.path, 'tmp'), { recursive: true })
    await expect(store.add('links', 'ab', new Map([['abc', 1]]))).rejects.toThrow()
    mkdirSync(join(store.path, 'tmp'))
    expect(await store.get('links', 'abc')).toBe(2)
    await store.add('links', 'ab', new Map([['abc', 1]]))
    expect(await store.get('links', 'abc')).toBe(3)
    store.close()
  })
})
