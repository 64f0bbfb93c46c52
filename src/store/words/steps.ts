import { AppError } from '../../errors.ts'
import type { Report } from '../derived/item-index.ts'
import type { Row, RowKey } from '../store.ts'
import { type Link, startWorker } from './link.ts'
import type { ItemKey, Put } from './protocol.ts'

/** How often each of some items was used. */
export type UsesOf = (kind: string, ids: readonly string[]) => readonly number[]

export type FinderParts = {
  /** The data folder. */
  folder: string
  boot: string
  report: Report
  /** Rows of the index in order; waits while it is being built. @throws {AppError} storage errors */
  rowsAfter: (after: RowKey, count: number) => Promise<readonly Row[]>
  uses: UsesOf
  start?: () => Link
}

/** Items per message: 1 ms of this thread, and 100 ms of the worker. */
const rowsAtOnce = 500

export const firstRow: RowKey = { kind: '', owner: '', createdAt: 0, id: '' }

/** Adds what the counts say now. */
const withUses = <T extends ItemKey>(items: readonly T[], usesOf: UsesOf): (T & { uses: number })[] =>
  [...Map.groupBy(items, ({ kind }) => kind)].flatMap(([kind, ofKind]) => {
    const uses = usesOf(
      kind,
      ofKind.map(({ id }) => id),
    )
    return ofKind.map((item, at) => ({ ...item, uses: uses[at] ?? 0 }))
  })

const takeSome = <T>(changes: Map<string, T>) => {
  const taken = [...changes.entries().take(rowsAtOnce)]
  for (const [name] of taken) changes.delete(name)
  return taken.map(([, change]) => change)
}

/** Changes that the worker does not know yet, by item; the last one counts. */
export const createWaiting = (usesOf: UsesOf) => {
  const changes = new Map<string, Row | ItemKey>()
  const used = new Map<string, ItemKey>()
  return {
    size: () => changes.size + used.size,
    add: (change: Row | ItemKey) => {
      changes.set(`${change.kind}/${change.id}`, change)
    },
    addUsed: (item: ItemKey) => {
      used.set(`${item.kind}/${item.id}`, item)
    },
    clear: () => {
      changes.clear()
      used.clear()
    },
    take: (): Put => {
      const all = takeSome(changes)
      return {
        rows: withUses(
          all.filter((change) => 'version' in change),
          usesOf,
        ),
        removed: all.filter((change) => !('version' in change)),
        used: withUses(takeSome(used), usesOf),
      }
    },
  }
}

type Waiting = ReturnType<typeof createWaiting>

/** What is known of the words. */
export type Progress = {
  link: Promise<Link> | undefined
  /** False while words may be missing. */
  isComplete: boolean
  /** The last row that was compared with the words; `undefined` if none is to be. */
  comparedTo: RowKey | undefined
  isChecked: boolean
  /** True from a failure until something works again, so it is reported once. */
  isFailing: boolean
}

/** True for errors after which the words are still right, such as a full disk. */
const isPassing = (error: Error) => {
  const { code = '' } = error as NodeJS.ErrnoException
  return error instanceof AppError || /^E[A-Z]|^SQLITE_(FULL|IOERR|READONLY|BUSY|CANTOPEN)/.test(code)
}

/** Opens the words once. Those of another process, perhaps one that was killed, are compared with the index. */
const createOpening = (
  { folder, boot, report, start = startWorker }: FinderParts,
  progress: Progress,
  distrust: () => void,
) => {
  const tellPlace = (isOnDisk: boolean) => {
    if (!isOnDisk) report('error', 'the words are kept in memory')
  }
  const open = async () => {
    const link = start()
    distrust()
    const { isComplete, isOnDisk, damage } = await link.call('open', { folder, boot })
    progress.isComplete = isComplete
    if (damage !== undefined && isOnDisk) report('error', 'the words are damaged', { cause: damage })
    tellPlace(isOnDisk)
    return link
  }
  return {
    tellPlace,
    opened: () => {
      progress.link ??= open().catch((error) => {
        progress.link = undefined
        throw error
      })
      return progress.link
    },
  }
}

/** What the worker is given to do, one message after the other. */
export const createSteps = (parts: FinderParts, waiting: Waiting, progress: Progress) => {
  const { report, rowsAfter, uses } = parts

  /** Everything is compared again from its beginning. */
  const distrust = () => {
    progress.isComplete = false
    progress.comparedTo = firstRow
  }
  const { opened, tellPlace } = createOpening(parts, progress, distrust)

  const compareSome = async (link: Link, from: RowKey) => {
    if (from === firstRow) await link.call('beginComparison', undefined)
    const rows = await rowsAfter(from, rowsAtOnce)
    await link.call('put', { rows: withUses(rows, uses), removed: [], used: [] })
    // Too much changed meanwhile, so it begins again.
    if (progress.comparedTo !== from) return
    progress.comparedTo = rows.at(-1)
    if (rows.length === rowsAtOnce) return
    const { added, items } = await link.call('endComparison', undefined)
    progress.comparedTo = undefined
    progress.isComplete = true
    if (added > 0) report('info', 'the words are built', { items, added })
  }

  return {
    opened,
    distrust,
    isIdle: () => waiting.size() === 0 && progress.comparedTo === undefined && progress.isChecked,

    next: async () => {
      const link = await opened()
      if (waiting.size() > 0) await link.call('put', waiting.take())
      else if (progress.comparedTo) await compareSome(link, progress.comparedTo)
      else {
        await link.call('check', undefined)
        progress.isChecked = true
      }
      progress.isFailing = false
    },

    /** @returns true if the work can go on at once */
    recover: async (error: Error) => {
      distrust()
      const link = await progress.link
      if (!link || link.hasEnded() || isPassing(error)) {
        if (link?.hasEnded()) progress.link = undefined
        if (!progress.isFailing)
          report('error', 'words cannot be written', { cause: String(error.cause ?? error) })
        progress.isFailing = true
        return false
      }
      report('error', 'the words are damaged', { cause: error.message })
      tellPlace(await link.call('renew', undefined))
      return true
    },
  }
}
