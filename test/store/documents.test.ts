import { describe, expect, test } from 'bun:test'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compileCheck } from '../../src/items/field.ts'
import { makeFolder } from '../../src/store/disk.ts'
import { openDocuments } from '../../src/store/documents/documents.ts'
import { filesIn, type Note, newPath, openNotes, refusalOf, StoredNote } from '../support/store.ts'

type Notes = Awaited<ReturnType<typeof openNotes>>

/** A folder whose server has read nothing yet, with these documents on disk. */
const notesWith = async (texts: Record<string, string>) => {
  const path = newPath()
  const filling = await openNotes(path)
  for (const [id, text] of Object.entries(texts)) await filling.insertAs([id], text)
  filling.close()
  return openNotes(path)
}

const filesWith = (path: string, text: string) =>
  filesIn(path).filter((file) => readFileSync(file).includes(text))

/** Runs `work` while nothing can be written. */
const withoutTemporaryFolder = async ({ path }: Notes, work: () => Promise<void>) => {
  renameSync(join(path, 'tmp'), join(path, 'moved'))
  writeFileSync(join(path, 'tmp'), '')
  await work()
  rmSync(join(path, 'tmp'))
  renameSync(join(path, 'moved'), join(path, 'tmp'))
}

describe('a document', () => {
  test('that was erased is gone, and nothing of it is left in memory or on disk', async () => {
    const notes = await openNotes()
    await notes.insertAs(['abc'], 'a-secret-text')
    expect(await Promise.all([1, 2, 3].map(() => notes.erase('abc')))).toEqual([true, false, false])
    expect(notes.peek('abc')).toBeUndefined()
    expect(await notes.load('abc')).toBe('gone')
    expect(await notes.erase('abc')).toBe(false)
    expect(filesWith(notes.path, 'a-secret-text')).toEqual([])
  })
})

describe('an id', () => {
  test('is given to one of many that ask for it at the same time', async () => {
    const notes = await openNotes()
    const ids = ['ab1', 'ab2', 'ab3', 'ab4']
    const inserted = await Promise.all(ids.map((text) => notes.insertAs(ids, text)))
    expect(inserted.map(({ id }) => id).sort()).toEqual(ids)
    for (const { id, text } of inserted) expect(await notes.load(id)).toEqual({ id, text })
  })
})

/** What a counter holds; the last use erases it. */
const use = ({ text, ...note }: Note): Note | 'erase' =>
  text === '1' ? 'erase' : { ...note, text: String(Number(text) - 1) }

const openCounter = async (text: string) => {
  const notes = await openNotes()
  await notes.insertAs(['abc'], text)
  return notes
}

describe('a change', () => {
  test('waits for the one before it: every one of many counts', async () => {
    const notes = await openCounter('50')
    const before = await Promise.all(Array.from({ length: 40 }, () => notes.update('abc', use)))
    const seen = before.map((note) => Number((note as Note).text))
    expect(seen).toEqual(Array.from({ length: 40 }, (_, at) => 50 - at))
    expect(await notes.load('abc')).toEqual({ id: 'abc', text: '10' })
  })

  test.each(['1', '3'])(
    'of 200 that want one of %s: as many succeed, in memory and from disk',
    async (text) => {
      for (const notes of [await openCounter(text), await notesWith({ abc: text })]) {
        const answers = await Promise.all(Array.from({ length: 200 }, () => notes.update('abc', use)))
        expect(answers.filter((answer) => answer !== 'gone')).toHaveLength(Number(text))
        expect(await notes.load('abc')).toBe('gone')
        notes.close()
      }
    },
  )

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
    expect((await refusalOf(notes.insertAs(['abc']))).kind).toBe('storage-unavailable')
    expect(filesIn(notes.path)).toEqual(before)
    expect(notes.peek('abc')).toBeUndefined()
    expect(notes.health.isGood()).toBe(false)
    rmSync(folder)
    if (broken === 'tmp') mkdirSync(folder)
    expect((await notes.insertAs(['abc'])).id).toBe('abc')
    expect(notes.health.isGood()).toBe(true)
    notes.close()
  })

  test.each(['2', '1'])('leaves a document that holds %s, and nothing of it is answered', async (text) => {
    const notes = await openCounter(text)
    const bytes = readFileSync(notes.fileOf('abc'))
    await withoutTemporaryFolder(notes, async () => {
      for (const act of [() => notes.update('abc', use), () => notes.erase('abc')])
        expect(await refusalOf(act())).toMatchObject({ kind: 'storage-unavailable' })
      expect(notes.health.isGood()).toBe(false)
      expect(readFileSync(notes.fileOf('abc'))).toEqual(bytes)
      expect(await notes.load('abc')).toEqual({ id: 'abc', text })
    })
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

describe('those who load one document at the same time', () => {
  test('share one reading of it', async () => {
    const { store } = await notesWith({ abc: 'text' })
    const loaded = await Promise.all(Array.from({ length: 60 }, () => store.load('abc')))
    expect(loaded[0]).toMatchObject({ id: 'abc', text: 'text' })
    expect(new Set([...loaded, store.peek('abc')]).size).toBe(1)
  })

  test('are all told of a damage, and the next one reads it again', async () => {
    const notes = await notesWith({ abc: 'text' })
    const file = notes.fileOf('abc')
    const whole = await Bun.file(file).text()
    await Bun.write(file, '')
    const answers = await Promise.allSettled([1, 2, 3].map(() => notes.load('abc')))
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await Bun.write(file, whole)
    expect(await notes.load('abc')).toEqual({ id: 'abc', text: 'text' })
  })
})

describe('who asks after an acknowledged', () => {
  const former = { id: 'abc', text: 'former' }

  /** A reading of a document in memory that began at a pipe, and goes on as long as the test wants. */
  const slowLoad = async () => {
    const notes = await openCounter('former')
    const [file, kept, pipe] = [notes.fileOf('abc'), join(notes.path, 'kept'), join(notes.path, 'pipe')]
    renameSync(file, kept)
    expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0)
    linkSync(pipe, file)
    const slow = notes.load('abc')
    // A pipe can be opened to write once somebody reads it: an erasure that was faster would leave nothing to read.
    const writer = await open(pipe, 'a')
    const letThrough = async () => {
      await writer.write(readFileSync(kept))
      await writer.close()
    }
    return { notes, slow, letThrough }
  }

  test('change is given the new document, also while somebody still reads the former one', async () => {
    const { notes, slow, letThrough } = await slowLoad()
    await notes.update('abc', (note) => ({ ...note, text: 'new' }))
    expect(await notes.load('abc')).toEqual({ id: 'abc', text: 'new' })
    await letThrough()
    expect(await slow).toEqual(former)
    expect(notes.peek('abc')).toEqual({ id: 'abc', text: 'new' })
  })

  test('erasure is told that it is gone, also while somebody still reads it', async () => {
    const { notes, slow, letThrough } = await slowLoad()
    expect(await notes.erase('abc')).toBe(true)
    expect(await notes.load('abc')).toBe('gone')
    await letThrough()
    expect(await slow).toEqual(former)
    expect(notes.peek('abc')).toBeUndefined()
  })
})

describe('a write whose last sync fails', () => {
  /** Documents for which that happens, and for which `meanwhile` runs while one is being written. */
  const openFailing = async () => {
    const path = newPath()
    const folders = { folder: join(path, 'notes'), temporaryFolder: join(path, 'tmp') }
    await makeFolder(folders.temporaryFolder)
    let meanwhile: (() => Promise<unknown>) | undefined
    const notes = openDocuments<StoredNote>({
      ...{ ...folders, check: compileCheck(StoredNote), cacheBytes: 100_000_000 },
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
    for (const id of ['abc', 'abd']) expect(await notes.reserve(id)).toBe(true)
    return {
      notes,
      failWith: (work: () => Promise<unknown>) => {
        meanwhile = work
      },
    }
  }
  const note = (id: string, text: string) => ({ id, text, owner: 'ann', createdAt: 0 })

  test('leaves nothing in memory of what was loaded meanwhile: the file may be the new one', async () => {
    const { notes, failWith } = await openFailing()
    await notes.create(note('abc', 'former'))
    let loading: Promise<unknown> | undefined
    failWith(async () => {
      loading = notes.load('abc')
    })
    const next = note('abc', 'new')
    expect((await refusalOf(notes.write(next))).kind).toBe('storage-unavailable')
    expect(await loading).toEqual(next)
    expect(notes.peek('abc')).toBeUndefined()
    expect(await notes.load('abc')).toEqual(next)
  })

  test('leaves nothing of a creation either', async () => {
    const { notes, failWith } = await openFailing()
    await notes.create(note('abd', 'first'))
    let loading: Promise<unknown> | undefined
    failWith(async () => {
      loading = notes.load('abc')
    })
    expect((await refusalOf(notes.create(note('abc', 'former')))).kind).toBe('storage-unavailable')
    await loading
    expect(notes.peek('abc')).toBeUndefined()
    expect(await notes.load('abc')).toBeUndefined()
  })
})

describe('a pass over all documents, from which the index is built', () => {
  const long = 'x'.repeat(300_000)
  const more = { owner: 'ann', createdAt: 0 }
  /** What the rows say, by id. */
  const heads = async (notes: Notes) => {
    const rows = await Array.fromAsync(notes.all())
    return Object.fromEntries(rows.map(({ id, head, isErasing }) => [id, [JSON.parse(head), isErasing]]))
  }

  test('gives all but the text, with its size and name, and which are half erased; it leaves out the damaged', async () => {
    const notes = await notesWith({
      abc: long,
      abd: 'Grüße',
      abe: 'y',
      abf: 'z',
      abg: 'z',
      abh: long,
      abi: long,
    })
    writeFileSync(notes.fileOf('abe'), '')
    writeFileSync(notes.fileOf('abf'), readFileSync(notes.fileOf('abg')))
    writeFileSync(notes.fileOf('abd').replace('.json', '.gone'), '')
    writeFileSync(notes.fileOf('abh'), readFileSync(notes.fileOf('abi')))
    const damaged = readFileSync(notes.fileOf('abi'), 'utf8').replace('"bytes":', '"bytez":')
    writeFileSync(notes.fileOf('abi'), damaged)
    expect(await heads(notes)).toEqual({
      abc: [{ ...more, id: 'abc', bytes: long.length, name: 'x'.repeat(80) }, false],
      abd: [{ ...more, id: 'abd', bytes: 7, name: 'Grüße' }, true],
      abg: [{ ...more, id: 'abg', bytes: 1, name: 'z' }, false],
    })
    expect(notes.peek('abc')).toBeUndefined()
  })

  test('reads no large text: what is damaged there is found by who opens it', async () => {
    const notes = await notesWith({ abc: long })
    const file = notes.fileOf('abc')
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill('y', bytes.length - 1000, bytes.length - 10))
    expect(await heads(notes)).toEqual({
      abc: [{ ...more, id: 'abc', bytes: long.length, name: 'x'.repeat(80) }, false],
    })
    expect((await refusalOf(notes.load('abc'))).message).toBe(`${file}: does not match its checksum`)
  })

  test('reads the whole document where the other fields are long', async () => {
    const notes = await notesWith({ abc: 'x' })
    const words = 'w'.repeat(70_000)
    await notes.update('abc', (note) => ({ ...note, words }))
    expect(await heads(notes)).toEqual({ abc: [{ ...more, id: 'abc', bytes: 1, name: 'x', words }, false] })
  })
})
