import { existsSync } from 'node:fs'
import { open, rename, unlink } from 'node:fs/promises'
import { reasonOf } from '../system-errors.ts'
import { Failure } from './failures.ts'

/** Writes to a temporary name first, so a file with the final name is complete. @throws {Failure} also if there is such a file */
export const toNewFile = async <T>(
  file: string,
  work: (append: (text: string) => Promise<void>) => Promise<T>,
) => {
  if (existsSync(file)) throw new Failure(`${file} exists already; choose another name`, 1)
  const partial = `${file}.partial`
  try {
    const handle = await open(partial, 'w', 0o600)
    const result = await work((text) => handle.appendFile(text)).finally(() => handle.close())
    await rename(partial, file)
    return result
  } catch (error) {
    await unlink(partial).catch(() => {})
    if (error instanceof Failure) throw error
    throw new Failure(`cannot write ${file}: ${reasonOf(error as Error)}`, 1)
  }
}
