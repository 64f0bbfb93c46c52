import { describe, expect, test } from 'bun:test'
import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { recordBytes } from '../../src/store/derived/index-record.ts'
import { list, openDated } from '../support/owner-index.ts'
import { newPath } from '../support/store.ts'

const idOf = (at: number) => `n${String(at).padStart(5, '0')}`
const idsTo = (count: number) => Array.from({ length: count }, (_, at) => idOf(at))
const newestFirst = (count: number) => idsTo(count).reverse()

/** A folder with notes of one millisecond after the other. */
const fill = async (count: number, given: Parameters<typeof openDated>[0] = {}) => {
  const dated = await openDated(given)
  for (let at = 0; at < count; at++) await dated.add(idOf(at), 1_700_000_000_000 + at)
  return dated
}

describe('a list', () => {
  test.each([0, 1, 2, 199, 200, 201, 600])('of %d is whole, newest first, in pages of 200', async (count) => {
    const dated = await fill(count)
    expect(await dated.all()).toEqual(newestFirst(count))
    expect(await dated.page(200)).toEqual(newestFirst(count).slice(0, 200))
    await dated.stop()
  })

  test('leaves out what was removed, at its ends and in its middle', async () => {
    const dated = await fill(10)
    for (const at of [0, 4, 5, 9]) await dated.erase(idOf(at), 1_700_000_000_000 + at)
    expect(await dated.all(3)).toEqual([8, 7, 6, 3, 2, 1].map(idOf))
    for (const at of [1, 2, 3, 6, 7, 8]) await dated.erase(idOf(at), 1_700_000_000_000 + at)
    expect(await dated.all(3)).toEqual([])
    expect(dated.reports).toHaveLength(1)
    await dated.stop()
  })

  test('has the last one first when the clock goes back, and finds each to remove it', async () => {
    const dated = await openDated()
    await dated.add('na', 1000)
    await dated.add('nb', 900)
    await dated.add('nc', 950)
    await dated.add('nd', 1100)
    expect(await dated.all(1)).toEqual(['nd', 'nc', 'nb', 'na'])
    await dated.erase('nb', 900)
    await dated.erase('na', 1000)
    expect(await dated.all(1)).toEqual(['nd', 'nc'])
    await dated.stop()
  })

  test('of one millisecond is whole in pages of any size, also when it was made anew between two pages', async () => {
    const dated = await openDated()
    const ids = ['nq', 'nb', 'nz', 'na', 'nm', 'nc', 'nx']
    for (const id of ids) await dated.add(id, 1000)
    const sorted = [...ids].sort().reverse()
    for (const count of [1, 2, 3, 7, 8]) expect(await dated.all(count)).toEqual(sorted)
    const first = await dated.index.page(list, 3, undefined)
    await dated.stop()
    rmSync(dated.stateFile)
    const again = await openDated({ path: dated.path })
    expect(await again.page(9, first.at(-1))).toEqual(sorted.slice(3))
    await again.stop()
  })

  test('is whole and holds nothing twice while 10,000 entries come and go', async () => {
    const dated = await openDated()
    const entries = idsTo(10_000).map((id, at) => ({ list, entry: { id, stamp: 1_700_000_000_000 + at } }))
    await Promise.all(entries.map((listed) => dated.index.during(listed, async () => {})))
    const stays = (at: number) => at % 3 !== 0
    let isOver = false
    const changing = (async () => {
      for (let at = 0; at < 10_000; at += 3) {
        await dated.index.remove(entries[at] as (typeof entries)[0])
        const entry = { id: `x${at}`, stamp: 1_700_000_020_000 + at }
        await dated.index.during({ list, entry }, async () => {})
      }
      isOver = true
    })()
    let rounds = 0
    do {
      const found = await dated.all()
      expect(new Set(found).size).toBe(found.length)
      const old = new Set(found)
      expect(entries.filter(({ entry }, at) => stays(at) && !old.has(entry.id))).toEqual([])
      rounds++
    } while (!isOver)
    await changing
    expect(rounds).toBeGreaterThan(1)
    expect(await dated.all()).toHaveLength(10_000)
    await dated.stop()
  })

  test('has no entry of a document that could not be written', async () => {
    const dated = await fill(2)
    const entry = { id: 'nfails', stamp: 1_700_000_000_900 }
    const failing = dated.index.during({ list, entry }, () => Promise.reject(new Error('no space')))
    await expect(failing).rejects.toThrow('no space')
    expect(await dated.all()).toEqual(newestFirst(2))
    await dated.stop()
  })
})

describe('an index', () => {
  const reopened = async (path: string, boot = 'boot-1') => {
    const dated = await openDated({ path, boot })
    const found = await dated.all()
    await dated.stop()
    return { found, isMadeAnew: dated.reports.some((line) => line.startsWith('own items are listed')) }
  }

  test('is trusted after a stop, also in another boot, and after a kill in the same one', async () => {
    const stopped = await fill(5)
    await stopped.stop()
    expect(await reopened(stopped.path, 'boot-2')).toEqual({ found: newestFirst(5), isMadeAnew: false })
    const killed = await fill(5)
    await killed.die()
    expect(await reopened(killed.path)).toEqual({ found: newestFirst(5), isMadeAnew: false })
  })

  test('is made anew after a kill in another boot, or where boots are not told apart', async () => {
    const killed = await fill(5)
    await killed.die()
    expect(await reopened(killed.path, 'boot-2')).toEqual({ found: newestFirst(5), isMadeAnew: true })
    const nameless = await fill(5, { boot: '' })
    await nameless.die()
    expect(await reopened(nameless.path, '')).toEqual({ found: newestFirst(5), isMadeAnew: true })
    const stopped = await fill(5, { boot: '' })
    await stopped.stop()
    expect(await reopened(stopped.path, '')).toEqual({ found: newestFirst(5), isMadeAnew: false })
  })

  test('is not trusted after a kill that came behind a stop and a change', async () => {
    const dated = await fill(3)
    await dated.stop()
    const again = await openDated({ path: dated.path })
    await again.add('nlater', 1_700_000_001_000)
    await again.die()
    expect(await reopened(dated.path, 'boot-2')).toEqual({
      found: ['nlater', ...newestFirst(3)],
      isMadeAnew: true,
    })
  })

  test('is made anew in a copy of the folder', async () => {
    const dated = await fill(3)
    await dated.stop()
    const copy = newPath()
    cpSync(dated.path, copy, { recursive: true })
    expect(await reopened(copy)).toEqual({ found: newestFirst(3), isMadeAnew: true })
  })

  const damages: readonly (readonly [string, (file: string, whole: Buffer) => void])[] = [
    ['the file of a list was removed', (file) => rmSync(file)],
    ['it was emptied', (file) => truncateSync(file, 0)],
    ['it was cut between two records', (file, whole) => truncateSync(file, whole.length - recordBytes)],
    ['it was cut within a record', (file, whole) => truncateSync(file, whole.length - 5)],
    ['something stands behind its end', (file, whole) => writeFileSync(file, `${whole}x`)],
    ['its last record is garbled', (file, whole) => writeFileSync(file, whole.fill('?', whole.length - 30))],
    [
      'an id in its middle is another',
      (file, whole) => writeFileSync(file, whole.fill('z', 32 * 7 + 15, 32 * 7 + 17)),
    ],
    ['its first record is garbled', (file, whole) => writeFileSync(file, whole.fill(0, 0, 8))],
  ]
  test.each(damages)('is made anew when %s, and says why', async (_, damage) => {
    const dated = await fill(20)
    await dated.erase(idOf(3), 1_700_000_000_003)
    await dated.stop()
    damage(dated.file, readFileSync(dated.file))
    const again = await openDated({ path: dated.path })
    expect(await again.all(5)).toEqual(newestFirst(20).filter((id) => id !== idOf(3)))
    expect(again.reports).toEqual([
      expect.stringMatching(/^the index of own items is damaged .*0123456789abcdef\/notes: /),
      'own items are listed {"items":19}',
    ])
    await again.add('nlater', 1_700_000_001_000)
    expect((await again.all())[0]).toBe('nlater')
    await again.stop()
  })

  test('is made anew when the folder of the index is removed, and a list in it that has no documents goes', async () => {
    const dated = await fill(4)
    await dated.stop()
    rmSync(`${dated.path}/owners`, { recursive: true })
    expect(await reopened(dated.path)).toEqual({ found: newestFirst(4), isMadeAnew: true })
    rmSync(dated.stateFile)
    for (let at = 0; at < 4; at++) rmSync(`${dated.path}/notes/n0/${idOf(at)}.json`)
    expect(await reopened(dated.path)).toEqual({ found: [], isMadeAnew: true })
    expect(existsSync(dated.file)).toBe(false)
  })

  test('knows what came and went while it was being made', async () => {
    const dated = await fill(300)
    await dated.stop()
    rmSync(dated.stateFile)
    const again = await openDated({ path: dated.path })
    // Half of these are on their way before the documents are looked at.
    const early = [0, 1, 2, 3].map((at) => again.add(`nearly${at}`, 1_700_000_001_000 + at))
    again.index.start()
    const changes = [0, 1, 2, 3].map(async (at) => {
      await again.add(`nlater${at}`, 1_700_000_002_000 + at)
      await again.erase(idOf(at * 50), 1_700_000_000_000 + at * 50)
      await again.add(`nbrief${at}`, 1_700_000_003_000 + at)
      await again.erase(`nbrief${at}`, 1_700_000_003_000 + at)
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
  })

  describe('that is made while an item is being written', () => {
    const entry = { id: 'nflight', stamp: 1_700_000_001_000 }

    /** Lets the index be made between the entry of an item and the item, which `end` writes or does not. */
    const makeMeanwhile = async (end: (write: () => Promise<void>) => Promise<void>) => {
      const dated = await fill(3)
      await dated.stop()
      rmSync(dated.stateFile)
      const again = await openDated({ path: dated.path })
      const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const hold = async (write: () => Promise<void>) => {
        begun.resolve()
        await gate.promise
        await end(write)
      }
      const creating = again.notes.insert(
        () => entry.id,
        () => entry,
        (_, write) => again.index.during({ list, entry }, () => hold(write)),
      )
      await begun.promise
      // Waits until it is made: every document was read then, and this one was not there.
      await again.all()
      gate.resolve()
      await creating.catch(() => {})
      return again
    }

    test('has that item', async () => {
      const again = await makeMeanwhile((write) => write())
      expect(await again.all()).toEqual(['nflight', ...newestFirst(3)])
      await again.stop()
    })

    test('has it no more, and is still trusted, where it could not be written', async () => {
      const again = await makeMeanwhile(() => Promise.reject(new Error('no space')))
      expect(await again.all()).toEqual(newestFirst(3))
      expect(again.reports).toEqual(['own items are listed {"items":3}'])
      await again.stop()
    })
  })

  test('that is being made when the server stops is made anew by the next one', async () => {
    const dated = await fill(50)
    await dated.stop()
    rmSync(dated.stateFile)
    const stopping = await openDated({ path: dated.path })
    stopping.index.start()
    await stopping.stop()
    expect(existsSync(dated.stateFile)).toBe(false)
    expect(await reopened(dated.path)).toEqual({ found: newestFirst(50), isMadeAnew: true })
  })
})
