import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { checkedJson } from '../../src/store/documents/json-file.ts'
import { newPath, openNotes, refusalOf } from '../support/store.ts'

const long = 'x'.repeat(300_000)

/** A collection that read nothing yet, with these documents on disk. */
const notesWith = async (texts: Record<string, string>) => {
  const path = newPath()
  const filling = await openNotes(path)
  for (const [id, text] of Object.entries(texts)) await filling.insertAs([id], text)
  filling.close()
  return openNotes(path)
}

describe('the head of a stored document', () => {
  test.each([
    ['short', 'Grüße', 7],
    ['long', long, long.length],
  ])('of a %s one is all but the text, with its size, and stays out of memory', async (_, text, bytes) => {
    const notes = await notesWith({ abc: text })
    expect(await notes.loadHead('abc')).toEqual({ id: 'abc', bytes })
    expect(notes.peek('abc')).toBeUndefined()
    expect(await notes.load('abc')).toEqual({ id: 'abc', text })
  })

  test('is read without the text: what is damaged further behind is found by who reads it', async () => {
    const notes = await notesWith({ abc: long })
    const file = notes.fileOf('abc')
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill('y', bytes.length - 1000, bytes.length - 10))
    expect(await notes.loadHead('abc')).toEqual({ id: 'abc', bytes: long.length })
    expect((await refusalOf(notes.load('abc'))).message).toBe(`${file}: does not match its checksum`)
  })

  test.each(['x', long])('that is damaged is refused as the whole document is', async (text) => {
    const notes = await notesWith({ abc: text })
    const file = notes.fileOf('abc')
    const whole = readFileSync(file, 'utf8')
    for (const damaged of [whole.replace('"bytes":', '"bytez":'), whole.slice(0, 60), '', 'null']) {
      writeFileSync(file, damaged)
      expect(await refusalOf(notes.loadHead('abc'))).toEqual(await refusalOf(notes.load('abc')))
    }
  })

  test.each(['x', long])('of another id, or of what does not fit the schema, is refused', async (text) => {
    const notes = await notesWith({ abc: text, abd: text })
    writeFileSync(notes.fileOf('abc'), readFileSync(notes.fileOf('abd')))
    expect((await refusalOf(notes.loadHead('abc'))).message).toEndWith('abc.json: holds another id')
  })

  test('of a long one that an older version wrote is the same', async () => {
    const notes = await notesWith({ abc: 'x' })
    const older = { id: 'abc', text: `${long}é`, more: 'words' }
    writeFileSync(notes.fileOf('abc'), checkedJson.encode(older))
    expect(await notes.loadHead('abc')).toEqual({ id: 'abc', more: 'words', bytes: long.length + 2 } as never)
    writeFileSync(notes.fileOf('abc'), checkedJson.encode(older).replace('words', 'wordz'))
    expect((await refusalOf(notes.loadHead('abc'))).kind).toBe('damaged')
  })

  test('with words of more than 64 KiB, of an older version too, is the same', async () => {
    const notes = await notesWith({ abc: 'x' })
    const { update, loadHead, fileOf } = notes
    const more = 'w'.repeat(70_000)
    await update('abc', (note) => ({ ...note, more }))
    expect(readFileSync(fileOf('abc'), 'utf8')).toContain('"headCrc32"')
    expect(await loadHead('abc')).toEqual({ id: 'abc', bytes: 1, more } as never)
  })

  test('is gone where the document was erased, and undefined where there never was one', async () => {
    const notes = await notesWith({ abc: 'x' })
    const erasing = notes.erase('abc')
    expect(await notes.loadHead('abc')).toBe('gone')
    await erasing
    expect(await notes.loadHead('abc')).toBe('gone')
    expect(await notes.loadHead('abd')).toBeUndefined()
  })

  test('follows every change of the document', async () => {
    const notes = await notesWith({ abc: long })
    await notes.update('abc', (note) => ({ ...note, text: `${long}!` }))
    expect(await notes.loadHead('abc')).toEqual({ id: 'abc', bytes: long.length + 1 })
  })

  test('is what a pass over all documents gives, without the damaged ones; it says which are half erased', async () => {
    const notes = await notesWith({ abc: long, abd: 'x', abe: 'y' })
    writeFileSync(notes.fileOf('abe'), '')
    writeFileSync(notes.fileOf('abd').replace('.json', '.gone'), '')
    const found = await Array.fromAsync(notes.all())
    expect(found.sort((a, b) => a.head.id.localeCompare(b.head.id))).toEqual([
      { head: { id: 'abc', bytes: long.length }, isErasing: false },
      { head: { id: 'abd', bytes: 1 }, isErasing: true },
    ])
  })
})
