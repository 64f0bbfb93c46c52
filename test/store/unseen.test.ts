import { describe, expect, test } from 'bun:test'
import { readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { existsNow } from '../../src/store/disk.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { openDated } from '../support/dated.ts'
import { temporaryFolder } from '../support/process.ts'
import { newPath, openNotes, refusalOf } from '../support/store.ts'

/** A name that leads to itself: something is there, and to look at it fails (ELOOP), as on a broken disk (EIO). */
const loopAt = (path: string) => symlinkSync(path, path)

describe('what nobody could look at', () => {
  test('is not taken for a name that is free, unlike what is missing', async () => {
    const folder = temporaryFolder()
    loopAt(join(folder, 'loop'))
    writeFileSync(join(folder, 'file'), '')
    for (const [name, isThere] of [
      ['file', true],
      ['none', false],
      ['none/below', false],
      ['file/below', false],
    ] as const) {
      expect([name, existsNow(join(folder, name))]).toEqual([name, isThere])
    }
    expect(() => existsNow(join(folder, 'loop'))).toThrow('ELOOP')
  })

  test('is never overwritten by a new item', async () => {
    const notes = await openNotes()
    await notes.insertAs(['abd'])
    const file = notes.fileOf('abc')
    loopAt(file)
    expect((await refusalOf(notes.insertAs(['abc']))).kind).toBe('storage-unavailable')
    expect(readlinkSync(file)).toBe(file)
    rmSync(file)
    expect((await notes.insertAs(['abc'])).id).toBe('abc')
    notes.close()
  })

  test('is no reason to say that there never was or is no item', async () => {
    const notes = await openNotes()
    await notes.insertAs(['abd'])
    const tombstone = notes.fileOf('abc').replace(/json$/, 'gone')
    loopAt(tombstone)
    expect(await refusalOf(notes.load('abc'))).toEqual({
      kind: 'damaged',
      message: `${tombstone}: cannot be read`,
    })
    loopAt(notes.fileOf('abe'))
    expect((await refusalOf(notes.erase('abe'))).kind).toBe('storage-unavailable')
    notes.close()
  })

  test('does not make an index that is trusted: lists are made when it can be seen', async () => {
    const dated = await openDated()
    for (const id of ['na', 'nb']) await dated.add(id, 1000)
    await dated.stop()
    rmSync(dated.file)
    const [notes, kept] = [join(dated.path, 'notes'), join(dated.path, '../kept')]
    renameSync(notes, kept)
    loopAt(notes)
    const again = await openDated({ path: dated.path })
    expect((await refusalOf(again.all())).kind).toBe('storage-unavailable')
    rmSync(notes)
    renameSync(kept, notes)
    expect(await again.all()).toEqual(['nb', 'na'])
    await again.stop()
  })

  test('is no place to put damaged counts aside', async () => {
    const path = newPath()
    const folder = await openDataFolder(path, 'a test', () => {})
    const counts = folder.counts(() => {})
    writeFileSync(join(path, 'counts.sqlite'), 'damaged')
    loopAt(join(path, 'counts.sqlite.1.damaged'))
    expect(() => counts.get('link', ['abc'])).toThrow('ELOOP')
    folder.close()
  })
})
