import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { damaged } from '../errors.ts'
import { compileCheck } from '../schema/check.ts'
import { KeyFile, type StoredKey } from '../schema.ts'
import { plainJson } from './codec.ts'
import { cannotWrite, makeDataFolder } from './data-folder.ts'
import { DurableJSONFile } from './durable-json-file.ts'
import { waitForLock } from './lock.ts'

const check = compileCheck(KeyFile)

type Changed = readonly StoredKey[]

/** `keys.json`, written by the command line while a server reads it. */
export type KeyStore = {
  /** Changes whenever the file does; one `stat`, about 2 µs. Empty when there is no file. */
  version: () => string
  /** `undefined` when there is no file yet. @throws {AppError} `damaged` */
  read: () => Promise<readonly StoredKey[] | undefined>
  /** Changes the keys under a lock, so that no other command's change is lost. */
  update: (change: (keys: readonly StoredKey[]) => Changed | Promise<Changed>) => Promise<void>
}

/** How long one command waits for another that is changing the keys. */
const lockWaitMs = 30_000

export const openKeyStore = (folder: string): KeyStore => {
  const path = join(folder, 'keys.json')
  const file = new DurableJSONFile<KeyFile>(path, join(folder, 'tmp'), plainJson)

  const read = async () => {
    const data = await file.read()
    if (data === null) return undefined
    const problem = check.problem(data)
    if (problem) throw damaged(path, problem)
    return data.keys
  }

  return {
    version: () => {
      const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
      return stat ? `${stat.ino}-${stat.mtimeNs}-${stat.size}` : ''
    },
    read,
    update: async (change) => {
      await makeDataFolder(folder)
      const lock = await waitForLock(join(folder, 'keys.lock'), lockWaitMs).catch((error) => {
        throw cannotWrite(folder, error)
      })
      if (!lock) throw damaged(path, 'is being changed by another command; try again')
      try {
        const db = new Low<KeyFile>(file, { keys: [] })
        db.data = { keys: [...(await change((await read()) ?? []))] }
        await db.write()
      } finally {
        lock.release()
      }
    },
  }
}
