import { createFigures } from '../../services/figures/figures.ts'
import { collections } from '../../services/items.ts'
import { sumOfFolder } from '../../store/folder/folder-rows.ts'
import { plural } from '../lines.ts'
import type { Terminal } from '../terminal.ts'

/** Sums up the items of a data folder, also of a running server. */
export const figuresOfFolder = async (folder: string, { now, progress }: Terminal) => {
  let read = 0
  const found = await sumOfFolder({
    folder,
    rules: collections,
    create: () => createFigures(now()),
    onDocument: () => progress(`read ${plural(++read, 'document')}`),
  })
  progress('')
  return found
}
