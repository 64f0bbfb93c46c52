import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { takeOverFormerCounts } from '../../src/store/derived/former-counts.ts'
import { checkedJson } from '../../src/store/documents/json-file.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { storedCounts } from '../support/counts.ts'
import { run } from '../support/process.ts'
import { filesIn, newPath } from '../support/store.ts'
import { problemsIn } from '../support/verified.ts'

/** A folder with the counts of format 2: a file of JSON for each two first characters of an id. */
const makeFormer = (files: Record<string, string | object>) => {
  const path = newPath()
  mkdirSync(join(path, 'tmp'), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), typeof content === 'string' ? content : checkedJson.encode(content))
  }
  return path
}

const takeOver = (path: string) => takeOverFormerCounts(path, join(path, 'tmp'))
const left = (path: string) => filesIn(path).map((file) => file.slice(path.length + 1))

const former = {
  'counts/links/ab.json': { abcdefg: 3, abcdefh: 1 },
  'counts/links/cd.json': { cdefghj: 12 },
  'counts/pastes/ab.json': { abcdefghjk: 1_000_000 },
  'counts/pastes/zz.json': {},
}
const taken = { 'link/abcdefg': 3, 'link/abcdefh': 1, 'link/cdefghj': 12, 'paste/abcdefghjk': 1_000_000 }

describe('the counts of a former version', () => {
  test('are taken over when the folder is opened, and their files are gone', async () => {
    const path = makeFormer(former)
    const folder = await openDataFolder(path, 'a test', () => {})
    const store = folder.counts((error) => {
      throw error
    })
    expect(Object.fromEntries(store.get('link', ['abcdefg', 'cdefghj']))).toEqual({ abcdefg: 3, cdefghj: 12 })
    expect(storedCounts(path)).toEqual(taken)
    expect(existsSync(join(path, 'counts'))).toBe(false)
    store.close()
    folder.close()
  })

  test('are all in the new file before the first former one is removed', async () => {
    const path = makeFormer(former)
    const { remove } = await takeOver(path)
    expect(storedCounts(path)).toEqual(taken)
    expect(left(path)).toEqual(expect.arrayContaining(Object.keys(former)))
    await remove()
    expect(existsSync(join(path, 'counts'))).toBe(false)
    expect(storedCounts(path)).toEqual(taken)
  })

  test('are counted once, however often a crash comes in between', async () => {
    const path = makeFormer(former)
    await takeOver(path)
    // All but one were removed, and the server counted on.
    const rest = makeFormer({ 'counts/links/ab.json': former['counts/links/ab.json'] })
    await takeOver(path)
    writeFileSync(join(rest, 'counts.sqlite'), await Bun.file(join(path, 'counts.sqlite')).bytes())
    await (await takeOver(rest)).remove()
    for (const one of [path, rest]) expect(storedCounts(one)).toEqual(taken)
    expect(existsSync(join(rest, 'counts'))).toBe(false)
  })

  test('make no file where there are none', async () => {
    const path = makeFormer({})
    await (await takeOver(path)).remove()
    expect(left(path)).toEqual([])
  })

  test('stay where they are damaged or foreign, are told of, and named by verify', async () => {
    const kept = {
      'counts/links/ef.json': 'broken',
      'counts/links/gh.json': { efghjkm: -1 },
      'counts/links/ab.1.damaged': 'broken before',
      'counts/links/notes.txt': 'mine',
      'counts/notes': 'mine',
    }
    const path = makeFormer({ ...former, ...kept, 'shortcrust.json': '{"product":"shortcrust","format":2}' })
    const { damaged, remove } = await takeOver(path)
    await remove()
    expect(damaged.map(({ message }) => message.slice(path.length + 1))).toEqual([
      'counts/links/ab.1.damaged: was damaged and put aside; remove it when you have looked',
      'counts/links/ef.json: is cut short or no document of this program',
      expect.stringMatching(/^counts\/links\/gh.json: Field "efghjkm" /),
    ])
    expect(storedCounts(path)).toEqual(taken)
    const { code, stdout } = await run(['verify', '--data', path])
    expect(code).toBe(1)
    const named = problemsIn(stdout)
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0] as string)
    expect(named.map((line) => line.split(/ +/)).map(([kind, name]) => `${kind} ${name}`)).toEqual([
      'damaged counts/links/ab.1.damaged',
      'damaged counts/links/ef.json',
      'damaged counts/links/gh.json',
      'foreign counts/links/notes.txt',
      'foreign counts/notes',
    ])
  })
})
