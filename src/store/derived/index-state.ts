import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compileCheck } from '../../items/check.ts'
import { IndexState } from '../../items/schema.ts'
import { writeDurably } from '../documents/durable-json-file.ts'

const check = compileCheck(IndexState)

/** Where an index says whether it can be trusted. */
export const indexStateName = 'state.json'

/** Which boot of the machine this is; empty where the system does not tell. */
export const bootId = () => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

/** Another one for a copy, whose files may come from different moments. */
const folderId = async (folder: string) => {
  const { ino, birthtimeMs } = await stat(folder)
  return `${ino}-${birthtimeMs}`
}

/** Why the text of a state is none; `undefined` when it is one. */
export const stateProblem = (text: string) => {
  try {
    return check.problem(JSON.parse(text))
  } catch {
    return 'is not JSON'
  }
}

/**
 * What an index was when it was last sure to be whole; `undefined` when it cannot be trusted: there is no state, the
 * folder is a copy, or the machine may have lost power, and with it what was appended and not synced.
 */
export const readIndexState = async (folder: string, boot: string): Promise<IndexState | undefined> => {
  try {
    const state: unknown = JSON.parse(await readFile(join(folder, indexStateName), 'utf8'))
    if (!check.isValid(state) || state.folder !== (await folderId(folder))) return undefined
    return state.isClean || (boot !== '' && state.boot === boot) ? state : undefined
  } catch {
    return undefined
  }
}

/** Writes the state durably. */
export const writeIndexState = async (
  folder: string,
  state: Omit<IndexState, 'folder'>,
  temporaryFolder: string,
) => {
  const text = `${JSON.stringify({ ...state, folder: await folderId(folder) })}\n`
  await writeDurably(join(folder, indexStateName), text, temporaryFolder)
}
