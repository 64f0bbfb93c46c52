import { describe, expect, test } from 'bun:test'
import { linkSync, renameSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileCheck } from '../../src/items/check.ts'
import { makeFolder } from '../../src/store/disk.ts'
import { createDocumentFiles, openDocuments } from '../../src/store/documents/documents.ts'
import { insertAs, Note, newPath, openNotes, updateAt } from '../support/store.ts'

const former = { id: 'abc', text: 'former' }

/** Puts a pipe in a file's place, so that who reads it waits until the test lets the file's bytes through. */
const holdBack = async (file: string, path: string) => {
  const [kept, pipe] = [join(path, 'kept'), join(path, 'pipe')]
  renameSync(file, kept)
  expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0)
  linkSync(pipe, file)
  return async () => appendFile(pipe, await Bun.file(kept).bytes())
}

describe('those who load one document at the same time', () => {
  test('share one reading of it, from disk and of one that never was', async () => {
    const path = newPath()
    const filling = await openNotes(path)
    await filling.insertAs(['abc'])
    filling.close()
    const notes = await openNotes(path)
    const loaded = await Promise.all(Array.from({ length: 60 }, () => notes.load('abc')))
    expect(loaded[0]).toEqual({ id: 'abc', text: 'text' })
    expect(new Set(loaded).size).toBe(1)
    expect(notes.peek('abc')).toBe(loaded[0] as Note)
    notes.close()
  })

  test('are all told of a damage, and the next one reads it again', async () => {
    const notes = await openNotes()
    await notes.insertAs(['abc'])
    const file = notes.fileOf('abc')
    const whole = await Bun.file(file).text()
    await Bun.write(file, '')
    const answers = await Promise.allSettled([1, 2, 3].map(() => notes.load('abc')))
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await Bun.write(file, whole)
    expect(await notes.load('abc')).toEqual({ id: 'abc', text: 'text' })
    notes.close()
  })
})

describe('who asks after an acknowledged', () => {
  /** A reading of a document in memory that began, and goes on as long as the test wants. */
  const slowLoad = async () => {
    const notes = await openNotes()
    await notes.insertAs(['abc'], 'former')
    const letThrough = await holdBack(notes.fileOf('abc'), notes.path)
    const slow = notes.load('abc')
    return { notes, slow, letThrough }
  }

  test('change is given the new document, also while somebody still reads the former one', async () => {
    const { notes, slow, letThrough } = await slowLoad()
    await notes.update('abc', (note) => ({ ...note, text: 'new' }))
    expect(await notes.load('abc')).toEqual({ id: 'abc', text: 'new' })
    await letThrough()
    expect(await slow).toEqual(former)
    expect(notes.peek('abc')).toEqual({ id: 'abc', text: 'new' })
    notes.close()
  })

  test('erasure is told that it is gone, also while somebody still reads it', async () => {
    const { notes, slow, letThrough } = await slowLoad()
    expect(await notes.erase('abc')).toBe(true)
    expect(await notes.load('abc')).toBe('gone')
    await letThrough()
    expect(await slow).toEqual(former)
    expect(notes.peek('abc')).toBeUndefined()
    notes.close()
  })
})

test('an erasure hides its document from the moment it begins, in memory and on disk', async () => {
  const notes = await openNotes()
  await notes.insertAs(['abc'])
  const erasing = notes.erase('abc')
  expect(notes.peek('abc')).toBeUndefined()
  expect(await notes.load('abc')).toBe('gone')
  await erasing
  notes.close()
})

describe('a change whose last sync fails', () => {
  /** A collection in which that happens, and in which `meanwhile` runs while the change is being written. */
  const openFailing = async () => {
    const path = newPath()
    const folders = { folder: join(path, 'notes'), temporaryFolder: join(path, 'tmp') }
    await makeFolder(folders.temporaryFolder)
    let meanwhile: (() => Promise<unknown>) | undefined
    const notes = openDocuments<Note>({
      files: createDocumentFiles({ ...folders, check: compileCheck(Note) }),
      cacheBytes: 100_000_000,
      health: {
        isGood: () => true,
        close: () => {},
        watch: async (write) => {
          await meanwhile?.()
          const result = await write
          if (meanwhile) throw new Error('the folder could not be synced')
          return result
        },
      },
    })
    return {
      notes,
      failWith: (work: () => Promise<unknown>) => {
        meanwhile = work
      },
    }
  }

  test('leaves nothing in memory of what was loaded meanwhile: the file may be the new one', async () => {
    const { notes, failWith } = await openFailing()
    await insertAs(notes, ['abc'], 'former')
    failWith(() => notes.load('abc'))
    // Large, so that the former one is loaded before it is in place.
    const text = 'new'.repeat(3_000_000)
    await expect(updateAt(notes, 'abc', (note) => ({ ...note, text }))).rejects.toThrow('could not be synced')
    expect(notes.peek('abc')).toBeUndefined()
    expect((await notes.load('abc')) as Note).toEqual({ id: 'abc', text })
  })

  test('leaves nothing of a creation either', async () => {
    const { notes, failWith } = await openFailing()
    await insertAs(notes, ['abd'], 'first')
    // In place before it fails.
    const seen = (): Promise<unknown> => notes.load('abc').then((note) => note ?? seen())
    failWith(seen)
    const creating = insertAs(notes, ['abc'], 'former')
    await expect(creating).rejects.toMatchObject({ kind: 'storage-unavailable' })
    expect(notes.peek('abc')).toBeUndefined()
    expect(await notes.load('abc')).toBeUndefined()
  })
})
