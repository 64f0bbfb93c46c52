import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { AppError } from '../../src/errors.ts'
import { createIds } from '../../src/items/ids.ts'
import { aliasFor, normaliseAlias } from '../../src/services/options.ts'

const kinds = ['paste', 'link'] as const

const refusal = (raw: string) => {
  try {
    return aliasFor(raw)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.kind).toBe('invalid')
    expect(error.message).toStartWith('Field "alias"')
    return error
  }
}

describe.each(kinds)('an alias of a %s', (kind) => {
  test.each([
    ['a', 'one character'],
    ['7', 'a digit'],
    ['-', 'a hyphen alone'],
    ['_', 'an underscore alone'],
    ['a'.repeat(64), '64 characters'],
    ['my-notes_2026', 'every kind of character'],
    ['--help', 'what looks like a flag'],
    ['raw-', 'a reserved word and more'],
  ])('may be %j: %s', (raw) => {
    expect(aliasFor(raw)).toBe(raw)
    expect(normaliseAlias(raw)).toBe(raw)
  })

  test('is kept in small letters, however it is written', () => {
    expect(aliasFor('My-Notes')).toBe('my-notes')
    expect(normaliseAlias('MY-NOTES')).toBe('my-notes')
  })

  test.each([
    ['', 'nothing'],
    ['a'.repeat(65), '65 characters'],
    ['a b', 'white space'],
    [' ab', 'white space before it'],
    ['ab\n', 'a line end'],
    ['.', 'a dot'],
    ['..', 'two dots'],
    ['a.txt', 'an ending'],
    ['a/b', 'a slash'],
    ['a\\b', 'a backslash'],
    ['a%2db', 'a percent sign'],
    ['a+', 'the sign of a preview'],
    ['é-notes', 'a letter with an accent'],
    ['ｎotes-', 'a full-width letter'],
    ['\u212a-notes', 'the Kelvin sign, which becomes a k'],
    ['\u0130-notes', 'a dotted capital I'],
    ['😀-', 'an emoji'],
    ['a\0', 'NUL'],
    ['\ud800', 'a lone surrogate'],
  ])('may not be %j: %s', (raw) => {
    expect(refusal(raw)).toMatchObject({ message: expect.stringContaining('1 to 64') })
    expect(normaliseAlias(raw)).toBeUndefined()
  })

  test.each(['raw', 'RAW', 'qr', 'assets', 'api', 'docs', 'delete', 'new', 'con', 'NUL', 'com1', 'lpt9'])(
    'may not be %j, which is reserved',
    (raw) => {
      expect(refusal(raw)).toMatchObject({ message: expect.stringContaining('reserved') })
    },
  )

  test('may have the shape of an id', () => {
    const id = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes))).itemId[kind]()
    expect(aliasFor(id.toUpperCase())).toBe(id)
    expect(normaliseAlias(id)).toBe(id)
  })

  test('that is not asked for is none', () => {
    expect(aliasFor(undefined)).toBeUndefined()
  })

  test('is found again by whatever was accepted', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aZ09-_lk.% é'), maxLength: 70 }), (raw) => {
        const accepted = refusal(raw)
        if (accepted instanceof AppError) return
        expect(accepted).toMatch(/^[a-z0-9_-]{1,64}$/)
        expect(normaliseAlias(accepted as string)).toBe(accepted as string)
      }),
    )
  })
})
