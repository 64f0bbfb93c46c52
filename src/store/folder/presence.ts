import { statSync } from 'node:fs'
import { access } from 'node:fs/promises'

const codes: readonly unknown[] = ['ENOENT', 'ENOTDIR']

/** True for an error that says there is nothing of that name; any other says that nobody could look. */
export const isMissing = (error: unknown) => codes.includes((error as NodeJS.ErrnoException).code)

/** False only where there is nothing of that name. @throws the error of a look that failed: something may be there */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error) => {
      if (isMissing(error)) return false
      throw error
    },
  )

/** As `exists`, at once. */
export const existsNow = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
