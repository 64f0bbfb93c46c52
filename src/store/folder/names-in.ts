import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from './presence.ts'

/** The names in a folder; none where there is no folder. @throws the error of the system call */
export const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** The folder of a document: the first two characters of its id, so that 961 folders hold a million documents. */
export const shardOf = (id: string) => id.slice(0, 2)

/** The ids of the documents in a collection's folder, as their files are named; reads none of them. */
export async function* documentIds(folder: string): AsyncGenerator<string> {
  for (const shard of await namesIn(folder))
    for (const name of await namesIn(join(folder, shard)))
      if (name.endsWith('.json')) yield name.slice(0, -'.json'.length)
}
