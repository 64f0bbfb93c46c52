import type { IndexFiles } from './index-files.ts'
import type { Listed } from './index-rebuild.ts'

/** What changes while an index is being made of the documents. */
export type Journal = {
  /** Whether an id was noted as added: then the documents need not tell of it. */
  has: (id: string) => boolean
  note: (listed: Listed, isRemoved: boolean) => void
  /** Makes the changes, those too that come meanwhile, until there is none. */
  apply: (files: IndexFiles) => Promise<void>
}

/** @param inFlight entries whose documents are being written, and may or may not be met */
export const createJournal = (inFlight: Iterable<Listed>): Journal => {
  const changes: (Listed & { isRemoved: boolean })[] = []
  const added = new Set<string>()

  const note: Journal['note'] = (listed, isRemoved) => {
    if (!isRemoved) {
      if (added.has(listed.entry.id)) return
      added.add(listed.entry.id)
    }
    changes.push({ ...listed, isRemoved })
  }
  for (const listed of inFlight) note(listed, false)

  return {
    has: (id) => added.has(id),
    note,
    apply: async (files) => {
      for (let change = changes.shift(); change; change = changes.shift()) {
        const { list, entry, isRemoved } = change
        // Not held: its document was gone before it could be met.
        if (isRemoved) await files.remove(list, entry)
        else await files.add(list, entry)
      }
    },
  }
}
