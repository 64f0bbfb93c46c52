import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readParts } from '../../src/http/forms.ts'
import { refusalOf } from '../support/store.ts'

const type = 'multipart/form-data; boundary=XyZ'
const field = (name: string, value: string, more = '') =>
  `--XyZ\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const end = '--XyZ--\r\n'

/** The body, cut at these places. */
async function* cut(body: string, places: readonly number[]) {
  const bytes = new TextEncoder().encode(body)
  const ends = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b)
  for (const [at, start] of [0, ...ends].entries()) yield bytes.slice(start, ends[at])
}

const read = async (body: string, places: readonly number[] = [], maxBytes = 1000) => {
  const fields: [string, string][] = []
  for await (const part of readParts(cut(body, places), type, maxBytes))
    fields.push([part.fileName ?? part.name, new TextDecoder().decode(part.bytes())])
  return fields
}

describe('a form in multipart', () => {
  test('gives the same fields wherever its bytes are cut', async () => {
    const value = fc.stringMatching(/^[ab\r\n-]{0,30}$/)
    const body = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), value), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(body, fc.array(fc.nat(400), { maxLength: 40 }), async (fields, places) => {
        const text = fields.map(([name, value]) => field(name, value)).join('') + end
        expect(await read(text, places)).toEqual(fields)
      }),
    )
  })

  test('is read to its last boundary, whatever follows it', async () => {
    const text = field('a', '1') + end
    const after = text.length - 2
    expect(await read(`${text}epilogue\r\n`, [after, after + 1, after + 3])).toEqual([['a', '1']])
  })

  test('is read from the first boundary that begins a line, wherever its bytes are cut', async () => {
    const preamble = fc.stringMatching(/^[a\r\n -]{0,30}(\r?\n)?$/)
    await fc.assert(
      fc.asyncProperty(preamble, fc.array(fc.nat(200), { maxLength: 40 }), async (ignored, places) => {
        const body = `${ignored.replace(/[^\n]$/, '$&\n')}${field('a', '1')}${end}`
        expect(await read(body, places)).toEqual([['a', '1']])
        expect(await read(`see --XyZ here\r\n${body}`, places)).toEqual([['a', '1']])
      }),
    )
  })

  test('may begin with 8 KiB that are ignored, and not with one byte more', async () => {
    const ignored = (bytes: number) => `${'-'.repeat(bytes - 2)}\r\n`
    const places = Array.from({ length: 9000 }, (_, at) => at)
    for (const cuts of [[], places])
      expect(await read(ignored(8192) + field('a', '1') + end, cuts)).toEqual([['a', '1']])
    expect(await refusalOf(read(ignored(8193) + field('a', '1') + end))).toMatchObject({ kind: 'malformed' })
  })

  test('that has no boundary is read no further than a preamble may be', async () => {
    let bytes = 0
    async function* endless() {
      for (;;) {
        bytes += 100
        yield new Uint8Array(100)
      }
    }
    const reading = (async () => {
      for await (const _ of readParts(endless(), type, 1e9));
    })()
    expect(await refusalOf(reading)).toMatchObject({ kind: 'malformed' })
    expect(bytes).toBeLessThan(8500)
  })

  test('gives a field before the next ones have come', async () => {
    const seen: string[] = []
    async function* slow() {
      yield new TextEncoder().encode(`${field('key', 'secret')}--XyZ\r\n`)
      expect(seen).toEqual(['key'])
      yield new TextEncoder().encode(`Content-Disposition: form-data; name="text"\r\n\r\nlong\r\n${end}`)
    }
    for await (const { name } of readParts(slow(), type, 1000)) seen.push(name)
    expect(seen).toEqual(['key', 'text'])
  })

  test('may have 20 fields, and not one more', async () => {
    const fields = (count: number) => field('a', '').repeat(count) + end
    expect(await read(fields(20))).toHaveLength(20)
    expect(await refusalOf(read(fields(21)))).toEqual({
      kind: 'invalid',
      message: 'A form has at most 20 fields',
    })
  })

  test('is read no further than the field that is too many', async () => {
    let chunks = 0
    async function* endless() {
      for (;;) {
        chunks++
        yield new TextEncoder().encode(field(`a${chunks}`, ''))
      }
    }
    const reading = (async () => {
      for await (const _ of readParts(endless(), type, 1e9));
    })()
    expect(await refusalOf(reading)).toMatchObject({ kind: 'invalid' })
    expect(chunks).toBeLessThan(25)
  })

  test('is too large where its fields are', async () => {
    expect(await refusalOf(read(field('a', 'x'.repeat(1001)) + end))).toMatchObject({ kind: 'too-large' })
  })

  test.each([
    ['without its end', field('a', '1')],
    ['without a boundary', 'rubbish'],
    ['that is empty', ''],
    ['with a field that has no name', `--XyZ\r\nContent-Disposition: form-data\r\n\r\n1\r\n${end}`],
    ['with headers of 9 KB', `--XyZ\r\nA: ${'a'.repeat(9000)}\r\n\r\n1\r\n${end}`],
  ])('%s is refused', async (_, body) => {
    expect(await refusalOf(read(body))).toEqual({ kind: 'malformed', message: 'The form cannot be read' })
  })

  test.each([
    'multipart/form-data',
    `multipart/form-data; boundary=${'a'.repeat(71)}`,
    'multipart/form-data; boundary=ä',
  ])('of the type %s is refused', async (type) => {
    const reading = (async () => {
      for await (const _ of readParts(cut(end, []), type, 1000));
    })()
    expect(await refusalOf(reading)).toMatchObject({ kind: 'malformed' })
  })
})
