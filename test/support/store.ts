import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Static } from 'typebox'
import Type from 'typebox'
import { AppError } from '../../src/errors.ts'
import { compileCheck } from '../../src/items/field.ts'
import { inMemory } from '../../src/store/derived/derived-file.ts'
import { openItemIndex } from '../../src/store/derived/item-index.ts'
import { openItemStore } from '../../src/store/documents/item-store.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { temporaryFolder } from './process.ts'

export const StoredNote = Type.Object({
  ...{ id: Type.String(), owner: Type.String(), createdAt: Type.Integer(), text: Type.String() },
})
export type StoredNote = Static<typeof StoredNote>
export type Note = Pick<StoredNote, 'id' | 'text'>

export const newPath = () => join(temporaryFolder(), 'data')

const fixed = { owner: 'ann', createdAt: 0 }
const noteOf = <R>(note: StoredNote | R): Note | R => {
  if (typeof note !== 'object' || note === null || !('text' in note)) return note as R
  const { owner: _, createdAt: __, ...others } = note
  return others
}

/** A data folder with items of one kind, `notes`, whose ids are given by the test. Their index is in memory. */
export const openNotes = async (path = newPath()) => {
  const folder = await openDataFolder(path, 'a test', () => {})
  const { health } = folder
  const temporaryFolder = join(path, 'tmp')
  const none = () => {}
  const ids: string[] = []
  let inserting = 0
  const { store, indexed } = openItemStore<StoredNote>({
    ...{
      folder: join(path, 'notes'),
      temporaryFolder,
      health,
      kind: 'notes',
      check: compileCheck(StoredNote),
    },
    aliases: join(path, 'aliases/notes'),
    index: openItemIndex({
      ...{ file: inMemory, boot: '', kinds: new Map(), report: none, onSettled: none, onRemoved: none },
    }),
    newId: () => {
      const id = ids.shift()
      if (id === undefined) throw new Error('no id is left')
      return id
    },
    ...{ cacheBytes: 1_000_000, now: () => 0, onDamage: none, isId: () => true },
  })

  /** A change as a service makes it: again, where somebody was faster. @returns what was there before */
  const update = async (
    id: string,
    change: (note: Note) => Note | 'erase' | undefined,
  ): Promise<Note | 'gone' | undefined> => {
    const note = store.peek(id) ?? (await store.load(id))
    if (typeof note !== 'object') return note
    const changed = change(noteOf(note))
    if (changed === undefined) return noteOf(note)
    const isDone = await (changed === 'erase'
      ? store.erase(note, true)
      : store.replace(note, { ...fixed, ...changed }))
    return isDone ? noteOf(note) : update(id, change)
  }

  return {
    ...{ path, store, health, update, all: indexed.all, close: folder.close },
    peek: (id: string) => noteOf(store.peek(id)),
    load: async (id: string) => noteOf(await store.load(id)),
    erase: (id: string) => store.erase({ ...fixed, id, text: '' }),
    fileOf: (id: string) => join(path, 'notes', id.slice(0, 2), `${id}.json`),
    /** Stores under the first of these ids that is free. */
    insertAs: async (candidates: readonly string[], text = 'text') => {
      ids.push(...candidates)
      inserting++
      try {
        return noteOf(await store.create({ ...fixed, text })) as Note
      } finally {
        if (--inserting === 0) ids.length = 0
      }
    },
  }
}

/** The paths of every file below a folder. */
export const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()

/** What an `AppError` says. @throws when the promise was not refused with one */
export const refusalOf = async (promise: Promise<unknown>) => {
  const error = await promise.catch((reason) => reason)
  if (!(error instanceof AppError)) throw new Error('this was not refused', { cause: error })
  return { kind: error.kind, message: error.message }
}
