import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { checkedJson, plainJson } from '../../src/store/disk.ts'
import { decodeHead, documentJson } from '../../src/store/documents/documents.ts'
import { newPath, openNotes, refusalOf } from '../support/store.ts'
import { anyText } from '../support/text.ts'

/** A collection that read nothing yet, with two documents on disk. */
const twoNotes = async () => {
  const path = newPath()
  const filling = await openNotes(path)
  await filling.insertAs(['abc'])
  await filling.insertAs(['abd'])
  filling.close()
  return openNotes(path)
}

describe('a damaged document', () => {
  const others = { owner: 'ann', createdAt: 0 }
  const whole = checkedJson.encode({ id: 'abc', ...others, text: 'text' })
  test.each([
    ['is emptied', '', 'is empty'],
    ['is cut short', whole.slice(0, -4), 'is cut short or no document of this program'],
    [
      'has no checksum where it should be',
      whole.replace(/[0-9a-f]{8}/, 'checksum'),
      'is cut short or no document of this program',
    ],
    ['has a changed letter', whole.replace('text"}', 'texT"}'), 'does not match its checksum'],
    [
      'is JSON without a checksum',
      '{"id":"abc","text":"text"}',
      'is cut short or no document of this program',
    ],
    ['holds null', checkedJson.encode(null), 'holds null'],
    ['holds another type', checkedJson.encode(['abc']), 'The value must be an object'],
    ['lacks a field', checkedJson.encode({ id: 'abc', ...others }), 'Field "text" is required'],
    ['holds another id', checkedJson.encode({ id: 'abd', ...others, text: 'text' }), 'holds another id'],
  ])('that %s is named, stays as it is, and harms no other', async (_, content, why) => {
    const notes = await twoNotes()
    const file = notes.fileOf('abc')
    writeFileSync(file, content)
    for (const _again of [1, 2])
      expect(await refusalOf(notes.load('abc'))).toEqual({ kind: 'damaged', message: `${file}: ${why}` })
    expect(notes.peek('abc')).toBeUndefined()
    expect((await notes.insertAs(['abc', 'abe'])).id).toBe('abe')
    expect(readFileSync(file, 'utf8')).toBe(content)
    expect(await notes.load('abd')).toEqual({ id: 'abd', text: 'text' })
  })

  test('that cannot be read is named', async () => {
    const notes = await twoNotes()
    const file = notes.fileOf('abc')
    rmSync(file)
    mkdirSync(file)
    expect(await refusalOf(notes.load('abc'))).toEqual({
      kind: 'damaged',
      message: `${file}: cannot be read`,
    })
  })

  test('is whole again when its file is put back', async () => {
    const notes = await twoNotes()
    const file = notes.fileOf('abc')
    renameSync(file, `${file}.bak`)
    writeFileSync(file, '')
    expect((await refusalOf(notes.load('abc'))).kind).toBe('damaged')
    renameSync(`${file}.bak`, file)
    expect(await notes.load('abc')).toEqual({ id: 'abc', text: 'text' })
  })
})

describe('the checksum of a document', () => {
  test('lets every document through as it was', () => {
    const documents = fc.record({ id: anyText, createdAt: fc.integer(), lines: fc.array(anyText) })
    fc.assert(
      fc.property(documents, (document) => {
        expect(checkedJson.decode(checkedJson.encode(document))).toEqual(document)
        expect(plainJson.decode(plainJson.encode(document))).toEqual(document)
      }),
    )
  })

  test('finds every single flipped bit', () => {
    const bytes = Buffer.from(checkedJson.encode({ id: 'abc', text: 'Grüße 😀\n\0' }))
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(() => checkedJson.decode(flipped.toString('utf8')), `bit ${bit}`).toThrow()
    }
  })

  test('finds every cut', () => {
    const text = checkedJson.encode({ id: 'abc', text: '}}}}' })
    for (let length = 0; length < text.length; length++)
      expect(() => checkedJson.decode(text.slice(0, length)), `${length}`).toThrow()
  })
})

const crc = (text: string) => Bun.hash.crc32(text).toString(16).padStart(8, '0')
const note = { id: 'abc', text: 'Grüße\n', title: 'a "quote"' }
const headText = '{"id":"abc","title":"a \\"quote\\"","bytes":8'
const start = (document: object) => Buffer.from(documentJson.encode(document))

const notes = fc.record({ id: anyText, text: anyText, title: anyText, uses: fc.integer() })

describe('a document with a text', () => {
  test('has it last, behind its size and a checksum of all that stands before it', () => {
    const document = `${headText},"headCrc32":"${crc(headText)}","text":"Grüße\\n"}`
    expect(documentJson.encode(note)).toBe(`{"crc32":"${crc(document)}","document":${document}}`)
  })

  test('comes back as it was', () => {
    fc.assert(
      fc.property(notes, (document) => {
        expect(documentJson.decode(documentJson.encode(document))).toEqual(document)
      }),
    )
  })
})

describe('the head of a document', () => {
  test('is read from all that stands before the text, whatever the words hold', () => {
    const marks = fc.constantFrom('","text":"', '","headCrc32":"', '","document":{', '\\', '"')
    const words = fc.array(fc.oneof(marks, anyText)).map((some) => some.join(''))
    fc.assert(
      fc.property(fc.record({ id: words, text: words, title: words }), ({ id, text, title }) => {
        const bytes = start({ id, text, title })
        const head = { id, title, bytes: Buffer.byteLength(text) }
        expect(decodeHead(bytes)).toEqual(head)
        const textAt = bytes.length - Buffer.byteLength(JSON.stringify(text)) - '}}'.length + 1
        expect(decodeHead(bytes.subarray(0, textAt))).toEqual(head)
        expect(decodeHead(bytes.subarray(0, textAt - 1))).toBeUndefined()
      }),
    )
  })

  test('is never taken for another one where a single bit is flipped', () => {
    const bytes = start(note)
    const head = decodeHead(bytes)
    // Behind the checksum of the whole, which a head does without.
    for (let bit = 8 * '{"crc32":"xxxxxxxx'.length; bit < 8 * bytes.indexOf('Grüße'); bit++) {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(decodeHead(flipped), `bit ${bit}`).toBeUndefined()
    }
    expect(head).toMatchObject({ id: 'abc', bytes: 8 })
  })
})

test('a document without a text is written as any other', () => {
  for (const document of [{ id: 'abc', url: 'http://nas/' }, { id: 'abc', text: 1 }, ['abc'], null])
    expect(documentJson.encode(document)).toBe(checkedJson.encode(document))
})
