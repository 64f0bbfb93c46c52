import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { indexName, readIndexCopy } from '../derived/index-file.ts'
import { bootId } from '../derived/item-index.ts'
import { shardOf } from '../disk.ts'
import { isLocked } from './lock.ts'

/** The result of comparing the index with the documents. */
export type IndexFindings =
  /** `none`: there is no index, or the next start rebuilds it. `in use`: a server has locked it. */
  | { state: 'none' | 'in use' }
  /** Documents missing in the index, and the number of rows without a document, which a crash may leave and are harmless. */
  | { state: 'compared'; unlisted: readonly string[]; leftovers: number }

const pathOf = (kind: string, id: string) => `${kind}/${shardOf(id)}/${id}.json`

/**
 * Compares the index with the documents of a folder.
 * @param documents their relative paths
 * @throws SQLite's error for a damaged index
 */
export const inspectIndex = async (
  folder: string,
  documents: ReadonlySet<string>,
): Promise<IndexFindings> => {
  const [file, lock] = [join(folder, indexName), join(folder, 'lock')]
  if (!existsSync(file)) return { state: 'none' }
  if (isLocked(lock)) return { state: 'in use' }
  const rows = await readIndexCopy(folder, bootId(), (database) =>
    database.query<{ kind: string; id: string }, []>('SELECT kind, id FROM items').all(),
  )
  // A server started meanwhile, so the copy may be inconsistent.
  if (isLocked(lock)) return { state: 'in use' }
  if (!rows) return { state: 'none' }
  const listed = new Set(rows.map(({ kind, id }) => pathOf(kind, id)))
  const isThere = (path: string) => existsSync(join(folder, path))
  return {
    state: 'compared',
    unlisted: [...documents].filter((path) => !listed.has(path) && isThere(path)).sort(),
    leftovers: [...listed].filter((path) => !documents.has(path) && !isThere(path)).length,
  }
}
