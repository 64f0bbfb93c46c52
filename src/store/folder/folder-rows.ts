import { join } from 'node:path'
import { type Row, readIndexCopy, rowsIn } from '../derived/index-file.ts'
import { bootId } from '../derived/item-index.ts'
import { createDocumentFiles, rowOf, type StoredItem } from '../documents/documents.ts'
import type { CollectionRules } from './inspect.ts'

type Summing = { add: (row: Row) => void }

export type FolderRowsParts<S extends Summing> = {
  folder: string
  rules: CollectionRules
  /** Makes an empty sum. */
  create: () => S
  /** Called for each document that is read. */
  onDocument: () => void
}

/** A damaged index is no reason to stop: the documents know the same. */
const sumOfIndex = async <S extends Summing>({ folder, create }: FolderRowsParts<S>) => {
  try {
    return await readIndexCopy(folder, bootId(), (database) => {
      const sum = create()
      for (const row of rowsIn(database)) sum.add(row)
      return sum
    })
  } catch {
    return undefined
  }
}

/**
 * Sums up the items of a folder, also of a running server: from a copy of its index, which is `whole`, or from every
 * document if there is none that can be trusted (`none`).
 */
export const sumOfFolder = async <S extends Summing>(
  parts: FolderRowsParts<S>,
): Promise<{ sum: S; index: 'whole' | 'none' }> => {
  const known = await sumOfIndex(parts)
  if (known) return { sum: known, index: 'whole' }
  const { folder, rules, create, onDocument } = parts
  const sum = create()
  for (const [kind, { check }] of Object.entries(rules)) {
    const files = createDocumentFiles({ folder: join(folder, kind), temporaryFolder: '', check })
    for await (const { head, isErasing } of files.all()) {
      onDocument()
      if (!isErasing) sum.add(rowOf(kind, head as object as StoredItem))
    }
  }
  return { sum, index: 'none' }
}
