import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { unusableFolder } from '../../errors.ts'

/** A server stamps the folder it first starts in. */
const stamp = 'shortcrust.json'

/** A folder that `keys add --create` made has only keys until then. */
const keyFile = 'keys.json'

/** The absolute path of a data folder that is there: a command that does not start a server makes none by mistake. */
const folderWith = (marks: readonly string[], folder: string, advice: string) => {
  const path = resolve(folder)
  // Throws where it may not look: another user's folder is not none.
  if (marks.some((name) => statSync(join(path, name), { throwIfNoEntry: false }))) return path
  throw unusableFolder(`there is no data folder at ${path}; ${advice}`)
}

const nameIt = 'name it with --data or SHORTCRUST_DATA'

/** For what needs more than keys. @throws {AppError} `unusable-folder`, which says where it looked */
export const stampedFolder = (folder: string) => folderWith([stamp], folder, nameIt)

/** @throws {AppError} `unusable-folder`, which says where it looked */
export const folderOfKeys = (folder: string, advice = nameIt) => folderWith([stamp, keyFile], folder, advice)
