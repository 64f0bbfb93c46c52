import { join, resolve } from 'node:path'
import { unusableFolder } from '../../errors.ts'
import { existsNow } from '../../store/disk.ts'

/** A server writes this stamp when it first starts in a folder. */
const stamp = 'shortcrust.json'

/** Before that, a folder from `keys add --create` has only keys. */
const keyFile = 'keys.json'

/** The absolute path of an existing data folder. Only starting a server creates one, so a wrong path is an error. */
const folderWith = (marks: readonly string[], folder: string, advice: string) => {
  const path = resolve(folder)
  // Throws without permission to look: another user's folder is not a missing one.
  if (marks.some((name) => existsNow(join(path, name)))) return path
  throw unusableFolder(`there is no data folder at ${path}; ${advice}`)
}

const nameIt = 'name it with --data or SHORTCRUST_DATA'

/** For commands that need more than keys. @throws {AppError} `unusable-folder`, with the path */
export const stampedFolder = (folder: string, advice = nameIt) => folderWith([stamp], folder, advice)

/** @throws {AppError} `unusable-folder`, with the path */
export const folderOfKeys = (folder: string, advice = nameIt) => folderWith([stamp, keyFile], folder, advice)
