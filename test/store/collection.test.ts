import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesIn, newPath, openNotes } from '../support/store.ts'

describe('a document', () => {
  test('is in memory once inserted, and on disk for the next process', async () => {
    const path = newPath()
    const notes = await openNotes(path)
    const note = await notes.insertAs(['abc'], 'one\r\n\0😀')
    expect(note).toEqual({ id: 'abc', text: 'one\r\n\0😀' })
    expect(notes.peek('abc')).toEqual(note)
    notes.close()
    const again = await openNotes(path)
    expect(again.peek('abc')).toBeUndefined()
    expect(await again.load('abc')).toEqual(note)
    expect(again.peek('abc')).toEqual(note)
  })

  test('that never was is undefined', async () => {
    const notes = await openNotes()
    expect(await notes.load('abc')).toBeUndefined()
    expect(notes.peek('abc')).toBeUndefined()
    expect(await notes.erase('abc')).toBe(false)
    expect(await notes.load('abc')).toBeUndefined()
  })

  test('that was erased is gone, and nothing of it is left in memory or on disk', async () => {
    const path = newPath()
    const notes = await openNotes(path)
    await notes.insertAs(['abc'], 'a-secret-text')
    expect(await notes.erase('abc')).toBe(true)
    expect(notes.peek('abc')).toBeUndefined()
    expect(await notes.load('abc')).toBe('gone')
    expect(await notes.erase('abc')).toBe(false)
    notes.close()
    expect(await (await openNotes(path)).load('abc')).toBe('gone')
    const files = filesIn(path)
    expect(files.filter((file) => readFileSync(file).includes('a-secret-text'))).toEqual([])
  })

  test('is erased by one of many that ask at the same time', async () => {
    const notes = await openNotes()
    await notes.insertAs(['abc'])
    const answers = await Promise.all([1, 2, 3].map(() => notes.erase('abc')))
    expect(answers).toEqual([true, false, false])
  })

  test('being loaded while it is erased does not come back into memory', async () => {
    const path = newPath()
    const filling = await openNotes(path)
    const ids = Array.from({ length: 60 }, (_, at) => `ab${at}`)
    await Promise.all(ids.map((id) => filling.insertAs([id])))
    filling.close()
    const notes = await openNotes(path)
    for (const id of ids) {
      const loading = [notes.load(id), notes.load(id)]
      const erasing = notes.erase(id)
      const during = notes.load(id)
      for (const answer of await Promise.all(loading))
        expect(answer).toBeOneOf([{ id, text: 'text' }, 'gone'])
      expect(await during).toBe('gone')
      expect(await erasing).toBe(true)
      expect(notes.peek(id)).toBeUndefined()
      expect(await notes.load(id)).toBe('gone')
    }
  })
})

describe('an id', () => {
  test('that is taken is passed over, in memory, on disk and after a restart', async () => {
    const path = newPath()
    const notes = await openNotes(path)
    await notes.insertAs(['abc'], 'first')
    expect((await notes.insertAs(['abc', 'abc', 'abd'], 'second')).id).toBe('abd')
    notes.close()
    const again = await openNotes(path)
    expect((await again.insertAs(['abc', 'abd', 'abe'], 'third')).id).toBe('abe')
    expect(await again.load('abc')).toEqual({ id: 'abc', text: 'first' })
  })

  test('is never used again once its document was erased, also after a restart', async () => {
    const path = newPath()
    const notes = await openNotes(path)
    await notes.insertAs(['abc'])
    await notes.erase('abc')
    expect((await notes.insertAs(['abc', 'abd'])).id).toBe('abd')
    notes.close()
    expect((await (await openNotes(path)).insertAs(['abc', 'abe'])).id).toBe('abe')
  })

  test('is given to one of many that ask for it at the same time', async () => {
    const notes = await openNotes()
    const ids = ['ab1', 'ab2', 'ab3', 'ab4']
    const inserted = await Promise.all(ids.map((text) => notes.insertAs(ids, text)))
    expect(inserted.map(({ id }) => id).sort()).toEqual(ids)
    for (const { id, text } of inserted) expect(await notes.load(id)).toEqual({ id, text })
  })
})

describe('a write that fails', () => {
  test.each([
    ['the folder of the collection', 'notes'],
    ['the folder of the id', 'notes/ab'],
    ['the temporary folder', 'tmp'],
  ])('because %s became a file leaves nothing, and works again afterwards', async (_, broken) => {
    const notes = await openNotes()
    const folder = join(notes.path, broken)
    mkdirSync(dirname(folder), { recursive: true })
    rmSync(folder, { recursive: true, force: true })
    writeFileSync(folder, '')
    const before = filesIn(notes.path)
    expect(await notes.insertAs(['abc']).catch(({ kind }) => kind)).toBe('storage-unavailable')
    expect(filesIn(notes.path)).toEqual(before)
    expect(notes.peek('abc')).toBeUndefined()
    expect(notes.health.isGood()).toBe(false)
    rmSync(folder)
    if (broken === 'tmp') mkdirSync(folder)
    expect((await notes.insertAs(['abc'])).id).toBe('abc')
    expect(notes.health.isGood()).toBe(true)
    notes.close()
  })

  test('while erasing keeps the document', async () => {
    const notes = await openNotes()
    const note = await notes.insertAs(['abc'])
    renameSync(join(notes.path, 'tmp'), join(notes.path, 'moved'))
    writeFileSync(join(notes.path, 'tmp'), '')
    expect(await notes.erase('abc').catch(({ kind }) => kind)).toBe('storage-unavailable')
    expect(await notes.load('abc')).toEqual(note)
    rmSync(join(notes.path, 'tmp'))
    renameSync(join(notes.path, 'moved'), join(notes.path, 'tmp'))
    expect(await notes.erase('abc')).toBe(true)
    notes.close()
  })
})
