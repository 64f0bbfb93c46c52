import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn, type Note, newPath, openNotes, refusalOf } from '../support/store.ts'

/** What a counter holds; the last use erases it. */
const use = ({ text, ...note }: Note): Note | 'erase' =>
  text === '1' ? 'erase' : { ...note, text: String(Number(text) - 1) }

const openCounter = async (text: string, path = newPath()) => {
  const notes = await openNotes(path)
  await notes.insertAs(['abc'], text)
  return notes
}

describe('a change of a document', () => {
  test('answers what was there before, and is in memory and on disk', async () => {
    const path = newPath()
    const notes = await openCounter('3', path)
    expect(await notes.update('abc', use)).toEqual({ id: 'abc', text: '3' })
    expect(notes.peek('abc')).toEqual({ id: 'abc', text: '2' })
    notes.close()
    const again = await openNotes(path)
    expect(await again.load('abc')).toEqual({ id: 'abc', text: '2' })
    expect(await again.update('abc', use)).toEqual({ id: 'abc', text: '2' })
    again.close()
  })

  test('that erases it leaves nothing of it in memory or on disk but its id', async () => {
    const notes = await openCounter('a-secret-text')
    expect(await notes.update('abc', () => 'erase')).toEqual({ id: 'abc', text: 'a-secret-text' })
    expect(notes.peek('abc')).toBeUndefined()
    expect(await notes.load('abc')).toBe('gone')
    expect(filesIn(notes.path).filter((file) => readFileSync(file).includes('a-secret-text'))).toEqual([])
    expect((await notes.insertAs(['abc', 'abd'])).id).toBe('abd')
    notes.close()
  })

  test('of nothing, or of what was erased, is none', async () => {
    const notes = await openCounter('1')
    const never = () => {
      throw new Error('there is nothing to change')
    }
    expect(await notes.update('abd', never)).toBeUndefined()
    await notes.erase('abc')
    expect(await notes.update('abc', never)).toBe('gone')
    notes.close()
  })

  test('that is none, or that throws, leaves the document and lets the next one through', async () => {
    const notes = await openCounter('5')
    const bytes = readFileSync(notes.fileOf('abc'))
    const refuse = () => {
      throw new Error('not now')
    }
    const [none, thrown, done] = await Promise.allSettled([
      notes.update('abc', () => undefined),
      notes.update('abc', refuse),
      notes.update('abc', (note) =>
        readFileSync(notes.fileOf('abc')).equals(bytes) ? use(note) : undefined,
      ),
    ])
    expect(none).toMatchObject({ value: { text: '5' } })
    expect(thrown).toMatchObject({ status: 'rejected', reason: { message: 'not now' } })
    expect(done).toMatchObject({ value: { text: '5' } })
    expect(await notes.load('abc')).toEqual({ id: 'abc', text: '4' })
    notes.close()
  })

  test('waits for the one before it: every one of many counts', async () => {
    const notes = await openCounter('50')
    const before = await Promise.all(Array.from({ length: 40 }, () => notes.update('abc', use)))
    const seen = before.map((note) => Number((note as Note).text))
    expect(seen).toEqual(Array.from({ length: 40 }, (_, at) => 50 - at))
    expect(await notes.load('abc')).toEqual({ id: 'abc', text: '10' })
    notes.close()
  })

  test.each(['1', '3'])(
    'of 200 that want one of %s, as many succeed, in memory and from disk',
    async (text) => {
      const path = newPath()
      for (const isFromDisk of [false, true]) {
        const notes = isFromDisk ? await openNotes(path) : await openCounter(text, path)
        if (isFromDisk) await notes.insertAs(['abd'], text)
        const id = isFromDisk ? 'abd' : 'abc'
        const answers = await Promise.all(Array.from({ length: 200 }, () => notes.update(id, use)))
        const won = answers.filter((answer) => answer !== 'gone')
        expect(won).toHaveLength(Number(text))
        expect(await notes.load(id)).toBe('gone')
        notes.close()
      }
    },
  )

  test('and an erasure at the same moment have one outcome, whichever comes first', async () => {
    for (const isUseFirst of [true, false]) {
      const notes = await openCounter('1')
      const both = isUseFirst
        ? [notes.update('abc', use), notes.erase('abc')]
        : [notes.erase('abc'), notes.update('abc', use)]
      const [used, erased] = isUseFirst ? await Promise.all(both) : (await Promise.all(both)).reverse()
      expect([used, erased]).toEqual(isUseFirst ? [{ id: 'abc', text: '1' }, false] : ['gone', true])
      expect(await notes.load('abc')).toBe('gone')
      notes.close()
    }
  })

  test('does not hold up other documents', async () => {
    const notes = await openCounter('9')
    await notes.insertAs(['abd'], '9')
    const order: string[] = []
    const slow = Promise.all(
      Array.from({ length: 20 }, () => notes.update('abc', use).then(() => order.push('abc'))),
    )
    await notes.update('abd', use).then(() => order.push('abd'))
    await slow.catch(() => {})
    expect(order.indexOf('abd')).toBeLessThan(5)
    notes.close()
  })

  test('being loaded meanwhile does not leave the former one in memory', async () => {
    const notes = await openCounter('60')
    for (let round = 0; round < 30; round++) {
      const loading = [notes.load('abc'), notes.load('abc')]
      const changing = notes.update('abc', use)
      await Promise.all([...loading, changing, notes.load('abc')])
      expect(notes.peek('abc')).toEqual({ id: 'abc', text: String(59 - round) })
    }
    notes.close()
  })
})

describe('a change that cannot be written', () => {
  test.each(['2', '1'])('leaves a document that holds %s, and nothing of it is answered', async (text) => {
    const notes = await openCounter(text)
    const bytes = readFileSync(notes.fileOf('abc'))
    renameSync(join(notes.path, 'tmp'), join(notes.path, 'moved'))
    writeFileSync(join(notes.path, 'tmp'), '')
    expect(await refusalOf(notes.update('abc', use))).toMatchObject({ kind: 'storage-unavailable' })
    expect(notes.health.isGood()).toBe(false)
    expect(readFileSync(notes.fileOf('abc'))).toEqual(bytes)
    expect(await notes.load('abc')).toEqual({ id: 'abc', text })
    rmSync(join(notes.path, 'tmp'))
    renameSync(join(notes.path, 'moved'), join(notes.path, 'tmp'))
    expect(await notes.update('abc', use)).toEqual({ id: 'abc', text })
    expect(existsSync(notes.fileOf('abc'))).toBe(text === '2')
    notes.close()
  })

  test('because its file was taken away and a folder stands there forgets what was in memory', async () => {
    const notes = await openCounter('5')
    renameSync(notes.fileOf('abc'), `${notes.fileOf('abc')}.kept`)
    mkdirSync(notes.fileOf('abc'))
    expect(await refusalOf(notes.update('abc', use))).toMatchObject({ kind: 'storage-unavailable' })
    expect(notes.peek('abc')).toBeUndefined()
    expect(filesIn(join(notes.path, 'tmp'))).toEqual([])
    rmdirSync(notes.fileOf('abc'))
    renameSync(`${notes.fileOf('abc')}.kept`, notes.fileOf('abc'))
    expect(await notes.update('abc', use)).toEqual({ id: 'abc', text: '5' })
    notes.close()
  })
})
