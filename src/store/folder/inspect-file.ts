import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * One file of a data folder. An intact file has its contents in `text`, or in `bytes` if they are binary; else `problem` says
 * what is wrong.
 */
export type Inspected =
  | { path: string; text: string; bytes?: Uint8Array }
  | { path: string; problem: string; isForeign: boolean }

/** A file that no server writes. */
export const foreign = (path: string): Inspected => ({
  path,
  problem: 'does not belong here',
  isForeign: true,
})

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Reads a file; `undefined` if a running server has just deleted it. */
export const inspectFile = async (
  folder: string,
  path: string,
  problemOf: (text: string) => string | undefined,
): Promise<Inspected | undefined> => {
  try {
    const text = await readFile(join(folder, path), 'utf8')
    const problem = problemOf(text)
    return problem === undefined ? { path, text } : { path, problem, isForeign: false }
  } catch (error) {
    return isMissing(error) ? undefined : { path, problem: (error as Error).message, isForeign: false }
  }
}
