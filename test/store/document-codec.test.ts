import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkedJson } from '../../src/store/disk.ts'
import { decodeHead, documentJson } from '../../src/store/documents/documents.ts'
import { anyText } from '../support/text.ts'

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
