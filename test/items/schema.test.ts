import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileCheck } from '../../src/items/field.ts'
import { LinkBody, StoredLink } from '../../src/items/link.ts'
import { PasteBody, StoredPaste } from '../../src/items/paste.ts'
import { FormatStamp, KeyFile } from '../../src/items/schema.ts'
import { anyText } from '../support/text.ts'

const checks = { PasteBody, LinkBody, StoredPaste, StoredLink, KeyFile, FormatStamp }
const hash = 'a'.repeat(64)

const paste = { text: 'x', title: '', description: '', language: 'text' }
const key = { name: 'default', createdAt: 1, sha256: hash }
const stored = { id: 'abc', createdAt: 1, owner: 'default', deletionHash: hash }
const valid = {
  PasteBody: paste,
  LinkBody: { url: '' },
  StoredPaste: { ...stored, ...paste },
  StoredLink: { ...stored, url: 'http://nas/' },
  KeyFile: { keys: [key, key] },
  FormatStamp: { product: 'shortcrust', format: 2 },
}
type Name = keyof typeof checks

/** What the check says about a valid value of which some fields were replaced. */
const problemOf = (name: Name, fields: object = {}) => {
  const value: object = { ...valid[name], ...fields }
  // As in JSON, a field that is undefined is none.
  return compileCheck(checks[name]).problem(JSON.parse(JSON.stringify(value)))
}

describe('a value that fits its schema', () => {
  test.each(Object.keys(checks) as Name[])('has no problem: %s', (name) => {
    expect(problemOf(name)).toBeUndefined()
    expect(problemOf(name, { another: 1 })).toBeUndefined()
    expect(compileCheck(checks[name]).isValid(valid[name])).toBe(true)
  })

  test('may be any string that can be stored as UTF-8', () => {
    fc.assert(
      fc.property(
        anyText.filter((text) => text !== ''),
        (text) => {
          expect(
            problemOf('PasteBody', { text, title: text, description: text, language: text }),
          ).toBeUndefined()
        },
      ),
    )
  })
})

describe('a problem', () => {
  test('names every field that is missing', () => {
    expect(problemOf('PasteBody', { language: undefined })).toBe('Field "language" is required')
    expect(problemOf('PasteBody', { text: undefined, title: undefined })).toBe(
      'Fields "text", "title" are required',
    )
    expect(problemOf('KeyFile', { keys: [key, { ...key, name: undefined }], name: 1 })).toBe(
      'Field "keys.1.name" is required',
    )
    expect(problemOf('KeyFile', { keys: [{ name: 'a' }] })).toBe(
      'Fields "keys.0.createdAt", "keys.0.sha256" are required',
    )
  })

  test('names the missing fields first, then one field at a time', () => {
    const problem = problemOf('PasteBody', { text: 1, language: undefined })
    expect(problem).toBe('Field "language" is required')
    expect(problemOf('PasteBody', { text: 1, title: 2 })).toBe('Field "text" must be a string')
  })

  test('says which type a field must have', () => {
    for (const title of [1, 1.5, true, null, [], ['a'], {}])
      expect(problemOf('PasteBody', { title })).toBe('Field "title" must be a string')
    expect(problemOf('KeyFile', { keys: {} })).toBe('Field "keys" must be an array')
    expect(problemOf('KeyFile', { keys: [1] })).toBe('Field "keys.0" must be an object')
    expect(problemOf('FormatStamp', { format: 1.5 })).toBe('Field "format" must be an integer')
    expect(problemOf('StoredPaste', { createdAt: '1' })).toBe('Field "createdAt" must be an integer')
  })

  test('says which words a field may hold', () => {
    expect(problemOf('KeyFile', { keys: [{ ...key, only: 'all' }] })).toBe(
      'Field "keys.0.only" must be one of paste, shorten',
    )
  })

  test('says how far a number may go', () => {
    const rateOf = (requests: number, seconds: number) => ({
      keys: [{ ...key, rate: { requests, seconds } }],
    })
    for (const [requests, seconds] of [
      [1, 1],
      [999_999, 359_996_400],
    ] as const)
      expect(problemOf('KeyFile', rateOf(requests, seconds))).toBeUndefined()
    for (const [requests, seconds, says] of [
      [0, 1, /^Field "keys\.0\.rate\.requests" must be at least 1$/],
      [1_000_000, 1, /^Field "keys\.0\.rate\.requests" must be at most 999999$/],
      [1, 0, /^Field "keys\.0\.rate\.seconds" must be at least 1$/],
      [1, 1.5, /^Field "keys\.0\.rate\.seconds" must be an integer$/],
    ] as const)
      expect(problemOf('KeyFile', rateOf(requests, seconds))).toMatch(says)
  })

  test('says that a text must not be empty', () => {
    expect(problemOf('PasteBody', { text: '' })).toBe('Field "text" must not be empty')
    expect(problemOf('PasteBody', { title: '', description: '' })).toBeUndefined()
  })

  test('says that a lone surrogate cannot be stored, in every field of a paste', () => {
    for (const field of ['text', 'title', 'description', 'language'])
      for (const value of ['\ud800', 'a\udc00b', '\ude00\ud83d'])
        expect(problemOf('PasteBody', { [field]: value })).toBe(
          `Field "${field}" must not contain a lone surrogate`,
        )
  })

  test('says which pattern or constant a stored field must match', () => {
    expect(problemOf('StoredLink', { url: 'javascript:1' })).toBe(
      'Field "url" must match pattern "^https?://"',
    )
    expect(problemOf('StoredPaste', { deletionHash: 'ABC' })).toBe(
      'Field "deletionHash" must match pattern "^[0-9a-f]{64}$"',
    )
    expect(problemOf('FormatStamp', { product: 'other' })).toBe('Field "product" must be equal to constant')
  })

  test('says that a document must be an object', () => {
    for (const name of Object.keys(checks) as Name[])
      for (const value of [null, 1, 'text', [], [valid[name]]])
        expect(compileCheck(checks[name]).problem(value), name).toBe('The value must be an object')
  })

  test('names the field that is wrong, and never its value', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^Zq7[!-~]{0,20}$/), (secret) => {
        for (const name of Object.keys(checks) as Name[])
          for (const field of Object.keys(valid[name]))
            for (const value of [secret, [secret], { [secret]: secret }, `${secret}\ud800`]) {
              const problem = problemOf(name, { [field]: value })
              if (problem === undefined) continue
              expect(problem.replace('.0', '')).toStartWith(`Field "${field}" must`)
              expect(problem).not.toContain('Zq7')
            }
      }),
      { numRuns: 20 },
    )
  })

  test('exists exactly where the value is not valid', () => {
    const anything = fc.record({ text: fc.anything(), title: fc.anything() }, { requiredKeys: [] })
    fc.assert(
      fc.property(anything, (fields) => {
        const check = compileCheck(PasteBody)
        const value = { ...paste, ...fields }
        expect(check.problem(value) === undefined).toBe(check.isValid(value))
      }),
    )
  })
})
