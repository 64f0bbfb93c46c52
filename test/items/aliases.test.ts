import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { AppError, storageFailure } from '../../src/errors.ts'
import { createIds } from '../../src/items/ids.ts'
import type { StoredAlias } from '../../src/items/schema.ts'
import { aliasFor, createClaim, normaliseAlias } from '../../src/services/aliases.ts'
import { refusalOf } from '../support/store.ts'

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
    const id = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes))).itemId(kind)
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

/** A claim over records and items that are maps. */
const setUp = () => {
  const records = new Map<string, StoredAlias>()
  const alive = new Set<string>()
  const ids = new Set<string>()
  const turns = new Map<string, Promise<unknown>>()
  const log: string[] = []
  let failWith: Error | undefined
  const claim = createClaim({
    store: {
      peek: (alias) => records.get(alias),
      isTaken: (alias) => records.has(alias),
      load: async (alias) => records.get(alias),
      write: async (record, isFirst) => {
        expect(isFirst).toBe(!records.has(record.alias))
        if (failWith) throw failWith
        log.push(`record ${record.id}`)
        records.set(record.alias, record)
      },
      inTurn: (alias, work) => {
        const turn = (turns.get(alias) ?? Promise.resolve()).then(work, work)
        turns.set(alias, turn)
        return turn
      },
    },
    isAlive: async (id) => alive.has(id),
    withFreeId: async (alias, work) => (ids.has(alias) ? undefined : work()),
    erase: async ({ id }: { id: string }) => {
      log.push(`erase ${id}`)
      return alive.delete(id)
    },
  })
  const take = (id: string, owner: string, alias = 'notes') =>
    claim(alias, owner, async () => {
      log.push(`item ${id}`)
      alive.add(id)
      return { item: { id } }
    })
  return {
    take,
    alive,
    ids,
    records,
    log,
    failWrites: (error: Error | undefined) => {
      failWith = error
    },
  }
}

describe('a name', () => {
  const taken = {
    kind: 'conflict' as const,
    message: 'Field "alias": the name "notes" is taken; choose another',
  }

  test('is written after its item', async () => {
    const { take, log, records } = setUp()
    expect(await take('one', 'ann')).toEqual({ item: { id: 'one' } })
    expect(log).toEqual(['item one', 'record one'])
    expect(records.get('notes')).toEqual({ alias: 'notes', id: 'one', owner: 'ann' })
  })

  test('that leads to an item is refused to everybody, and nothing is made', async () => {
    const { take, log } = setUp()
    await take('one', 'ann')
    expect(await refusalOf(take('two', 'ann'))).toEqual(taken)
    expect(await refusalOf(take('two', 'ben'))).toEqual(taken)
    expect(log).toEqual(['item one', 'record one'])
  })

  test('that is an id is refused in the same words, and nothing is made', async () => {
    const { take, ids, log } = setUp()
    ids.add('notes')
    expect(await refusalOf(take('one', 'ann'))).toEqual(taken)
    expect(log).toEqual([])
  })

  test('whose item is gone is for its owner alone, and others see no difference', async () => {
    const { take, alive, records } = setUp()
    await take('one', 'ann')
    alive.clear()
    expect(await refusalOf(take('two', 'ben'))).toEqual(taken)
    await take('three', 'ann')
    expect(records.get('notes')).toEqual({ alias: 'notes', id: 'three', owner: 'ann' })
    expect(await refusalOf(take('four', 'ann'))).toEqual(taken)
  })

  test('that many want at once is given to one', async () => {
    const { take, alive } = setUp()
    const all = await Promise.allSettled(
      Array.from({ length: 100 }, (_, at) => take(`item-${at}`, `key-${at}`)),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect([...alive]).toEqual(['item-0'])
  })

  test('that cannot be written leaves no item and is free for the next', async () => {
    const { take, alive, failWrites } = setUp()
    failWrites(storageFailure(new Error('a broken disk')))
    const [first, second] = [take('one', 'ann'), take('two', 'ben')]
    expect((await refusalOf(first)).kind).toBe('storage-unavailable')
    expect((await refusalOf(second)).kind).toBe('storage-unavailable')
    expect([...alive]).toEqual([])
    failWrites(undefined)
    await take('three', 'cid')
    expect([...alive]).toEqual(['three'])
  })
})
