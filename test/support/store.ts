import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { AppError } from '../../src/errors.ts'
import { compileCheck } from '../../src/items/check.ts'
import { openDataFolder } from '../../src/store/folder/data-folder.ts'
import { temporaryFolder } from './process.ts'

export const Note = Type.Object({ id: Type.String(), text: Type.String() })
export type Note = Static<typeof Note>

export const newPath = () => join(temporaryFolder(), 'data')

/** A data folder with one collection, `notes`, whose ids are given by the test. */
export const openNotes = async (path = newPath()) => {
  const folder = await openDataFolder(path, 'a test', () => {})
  const collection = folder.collection('notes', compileCheck(Note), 1_000_000)
  return {
    ...collection,
    path,
    close: folder.close,
    health: folder.health,
    fileOf: (id: string) => join(path, 'notes', id.slice(0, 2), `${id}.json`),
    /** Inserts under the first of these ids that is free. */
    insertAs: (ids: readonly string[], text = 'text') => {
      const left = [...ids]
      const nextId = () => {
        const id = left.shift()
        if (id === undefined) throw new Error('no id is left')
        return id
      }
      return collection.insert(nextId, (id) => ({ id, text }))
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
