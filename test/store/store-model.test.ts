import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { newPath, openNotes } from '../support/store.ts'

type Notes = Awaited<ReturnType<typeof openNotes>>
/** `null` is an erased note. */
type Model = Map<string, string | null>
type Real = { notes: Notes }

const ids = ['aa2', 'aa3', 'ab2', 'bb2', 'bb3']
const anyId = fc.constantFrom(...ids)

const insert = (id: string, text: string): fc.AsyncCommand<Model, Real> => ({
  check: (model) => ids.some((other) => !model.has(other)),
  run: async (model, { notes }) => {
    // The wanted id first, then every other: the store must take the first that was never used.
    const candidates = [id, ...ids]
    const document = await notes.insertAs(candidates, text)
    const free = candidates.find((candidate) => !model.has(candidate)) as string
    expect(document).toEqual({ id: free, text })
    model.set(free, text)
  },
  toString: () => `insert(${id}, ${JSON.stringify(text)})`,
})

const erase = (id: string): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  run: async (model, { notes }) => {
    expect(await notes.erase(id)).toBe(typeof model.get(id) === 'string')
    if (model.has(id)) model.set(id, null)
  },
  toString: () => `erase(${id})`,
})

/** A change that erases, one that changes, or none. */
const update = (id: string, change: 'erase' | string | undefined): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  run: async (model, { notes }) => {
    const text = model.get(id)
    const before = typeof text === 'string' ? { id, text } : text === null ? 'gone' : undefined
    const made = change === undefined || change === 'erase' ? change : { id, text: change }
    expect(await notes.update(id, () => made)).toEqual(before as never)
    if (typeof text === 'string' && change !== undefined) model.set(id, change === 'erase' ? null : change)
  },
  toString: () => `update(${id}, ${JSON.stringify(change)})`,
})

const load = (id: string): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  run: async (model, { notes }) => {
    const text = model.get(id)
    const expected = typeof text === 'string' ? { id, text } : text === null ? 'gone' : undefined
    expect(await notes.load(id)).toEqual(expected as never)
    expect(notes.peek(id)).toEqual(typeof text === 'string' ? { id, text } : undefined)
  },
  toString: () => `load(${id})`,
})

/** Whatever was in memory is lost; nothing is flushed or finished. */
const crash = (): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  run: async (_, real) => {
    const { path } = real.notes
    real.notes.close()
    real.notes = await openNotes(path)
  },
  toString: () => 'crash()',
})

const anyCommands = fc.commands(
  [
    fc.tuple(anyId, fc.string({ unit: 'grapheme' })).map(([id, text]) => insert(id, text)),
    anyId.map(erase),
    anyId.map(load),
    fc
      .tuple(anyId, fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('erase', undefined)))
      .map(([id, change]) => update(id, change)),
    fc.constant(null).map(crash),
  ],
  { size: 'medium' },
)

describe('the store', () => {
  test('does what a map in memory would, through any sequence of commands and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(anyCommands, async (commands) => {
        const real = { notes: await openNotes(newPath()) }
        try {
          await fc.asyncModelRun(() => ({ model: new Map() as Model, real }), commands)
        } finally {
          real.notes.close()
        }
      }),
      { numRuns: 60 },
    )
  })
})
