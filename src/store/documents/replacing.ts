import { storageFailure } from '../../errors.ts'
import { type Changeable, versionOf } from '../../items/versions.ts'
import type { Health } from '../disk.ts'
import type { createMutex, DocumentFiles } from './document-files.ts'

const numbersOf = ({ earlier = [] }: Changeable) => new Set(earlier.map(({ version }) => version))

export type Replacing<T> = {
  /**
   * Replaces a document, unless `former` is no longer the newest version. If `next` names it as an earlier version, it is
   * kept in a file of its own; a version that `next` no longer names is removed.
   * @throws {AppError} storage errors. The document is then unchanged, or perhaps replaced if only the last fsync failed
   */
  replace: (former: T, next: T) => Promise<boolean>
  /** An earlier version; `undefined` if it is not kept. @throws {AppError} `damaged` */
  loadEarlier: (id: string, version: number) => Promise<T | undefined>
  /** Removes all earlier versions; `false` if `former` is no longer the newest. @throws {AppError} storage errors */
  removeEarlier: (former: T) => Promise<boolean>
}

type ReplacingParts<T extends Changeable> = {
  files: DocumentFiles<T>
  health: Health
  mutex: ReturnType<typeof createMutex>
  isNewest: (former: T) => Promise<boolean>
  write: (document: T) => Promise<void>
}

/** Replaces documents, and keeps their earlier versions. */
export const createReplacing = <T extends Changeable>({
  files,
  health,
  mutex,
  isNewest,
  write,
}: ReplacingParts<T>): Replacing<T> => {
  /** Writes `next`, which must name the earlier versions that stay. */
  const writeNext = async (former: T, next: T) => {
    const [before, after] = [numbersOf(former), numbersOf(next)]
    if (after.has(versionOf(former))) await health.watch(files.writeEarlier(former, versionOf(former)))
    await write(next)
    return [...before].some((version) => !after.has(version)) ? after : undefined
  }

  const ifNewest = (former: T, act: () => Promise<unknown>) =>
    mutex(former.id, async () => {
      if (!(await isNewest(former))) return false
      await act()
      return true
    })

  return {
    replace: (former, next) =>
      ifNewest(former, async () => {
        const left = await writeNext(former, next)
        // The change is on disk. A file that stays behind is removed with the next version or with the document.
        if (left) await files.removeEarlier(next.id, left).catch(() => {})
      }),

    loadEarlier: (id, version) => files.readEarlier(id, version),

    removeEarlier: (former) =>
      ifNewest(former, async () => {
        const { earlier = [], ...next } = former
        if (earlier.length > 0) await write(next as T)
        await health.watch(files.removeEarlier(former.id, new Set())).catch((error) => {
          throw storageFailure(error)
        })
      }),
  }
}
