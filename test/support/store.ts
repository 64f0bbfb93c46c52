import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Static } from 'typebox'
import Type from 'typebox'
import { AppError } from '../../src/errors.ts'
import { compileCheck } from '../../src/items/check.ts'
import { createDocumentFiles, type Documents, openDocuments } from '../../src/store/documents/documents.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { temporaryFolder } from './process.ts'

export const Note = Type.Object({ id: Type.String(), text: Type.String() })
export type Note = Static<typeof Note>

export const newPath = () => join(temporaryFolder(), 'data')

/** Stores under the first of these ids that is free. */
export const insertAs = async (documents: Documents<Note>, ids: readonly string[], text = 'text') => {
  for (const id of ids) {
    if (!(await documents.reserve(id))) continue
    const note = { id, text }
    await documents.create(note).finally(() => documents.release(id))
    return note
  }
  throw new Error('no id is left')
}

/** A change as a service makes it: again, where somebody was faster. @returns what was there before */
export const updateAt = async (
  documents: Documents<Note>,
  id: string,
  change: (note: Note) => Note | 'erase' | undefined,
): Promise<Note | 'gone' | undefined> => {
  const note = documents.peek(id) ?? (await documents.load(id))
  if (typeof note !== 'object') return note
  const changed = change(note)
  if (changed === undefined) return note
  const isDone = await (changed === 'erase' ? documents.erase(id, note) : documents.replace(note, changed))
  return isDone ? note : updateAt(documents, id, change)
}

/** A data folder with one kind of documents, `notes`, whose ids are given by the test. */
export const openNotes = async (path = newPath()) => {
  const folder = await openDataFolder(path, 'a test', () => {})
  const folders = { folder: join(path, 'notes'), temporaryFolder: join(path, 'tmp') }
  const files = createDocumentFiles({ ...folders, check: compileCheck(Note) })
  const documents = openDocuments({ files, cacheBytes: 1_000_000, health: folder.health })
  return {
    ...documents,
    all: files.all,
    path,
    close: folder.close,
    health: folder.health,
    fileOf: (id: string) => join(path, 'notes', id.slice(0, 2), `${id}.json`),
    insertAs: (ids: readonly string[], text?: string) => insertAs(documents, ids, text),
    update: (id: string, change: Parameters<typeof updateAt>[2]) => updateAt(documents, id, change),
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
