import { open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './durable-json-file.ts'

/** Suffix of what is left of a deleted document: an empty file, so that its id stays taken. */
export const tombstoneSuffix = '.gone'

const emptyFile = async (path: string) => {
  const handle = await open(path, 'r+')
  try {
    await handle.truncate(0)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Where a document stands between being removed and being erased. */
export const waitingPath = (temporaryFolder: string, collection: string, id: string) =>
  join(temporaryFolder, `${collection}-${id}${tombstoneSuffix}`)

/**
 * Removes a document by renames and a cut alone, so that it also works on a full disk. After the first rename
 * is synced there is no way back: a crash, or a fault, leaves the document waiting in the temporary folder,
 * and the next start finishes the work.
 */
export const eraseFile = async (file: string, tombstone: string, waiting: string) => {
  await rename(file, waiting)
  try {
    await syncFolder(dirname(waiting))
    await syncFolder(dirname(file))
  } catch (error) {
    await rename(waiting, file).catch(() => {})
    throw error
  }
  await finishErasure(waiting, tombstone)
}

const finishErasure = async (waiting: string, tombstone: string) => {
  await emptyFile(waiting)
  await rename(waiting, tombstone)
  await syncFolder(dirname(tombstone))
}

/** At start: finishes interrupted deletions and removes half-written documents. Costs nothing per document. */
export const sweepTemporaryFolder = async (temporaryFolder: string, dataFolder: string) => {
  for (const name of await readdir(temporaryFolder)) {
    const path = join(temporaryFolder, name)
    const [collection, id] = basename(name, tombstoneSuffix).split('-') as [string, string]
    if (name.endsWith(tombstoneSuffix))
      await finishErasure(path, join(dataFolder, collection, id.slice(0, 2), id + tombstoneSuffix))
    else await unlink(path)
  }
}
