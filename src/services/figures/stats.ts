import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Figures } from '../../items/owner/stats.ts'
import type { RowKey } from '../../store/derived/index-file.ts'
import type { ItemIndex } from '../../store/derived/item-index.ts'
import { type KeyLimits, requireAdmin } from '../access/keys.ts'
import { createFigures } from './figures.ts'

export type StatsParts = {
  index: Pick<ItemIndex, 'rowsAfter' | 'state'>
  /** Free space of the disk; `undefined` if the system does not say. */
  space: () => Promise<Figures['disk']>
  /** Milliseconds since the epoch. */
  now: () => number
}

/** What the owner of the server sees of the whole. */
export type Stats = {
  /** @throws {AppError} `forbidden` without an admin key */
  read: (limits: KeyLimits) => Promise<Figures>
}

/** Rows that are summed up per turn: about 1 ms, in which no request is answered. */
const rowsAtOnce = 200

export const createStats = ({ index, space, now }: StatsParts): Stats => {
  let running: Promise<Figures> | undefined

  const compute = async (): Promise<Figures> => {
    const figures = createFigures(now())
    let last: RowKey = { kind: '', owner: '', createdAt: 0, id: '' }
    for (let isMore = true; isMore; await nextTurn()) {
      const rows = index.rowsAfter(last, rowsAtOnce)
      rows.forEach(figures.add)
      last = rows.at(-1) ?? last
      isMore = rows.length === rowsAtOnce
    }
    const disk = await space()
    return { ...figures.result(), ...(disk && { disk }), index: index.state() }
  }

  /** One run at a time: callers that come meanwhile share it. */
  const computeOnce = () => {
    running ??= compute().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    read: async (limits) => {
      requireAdmin(limits, 'read the figures of this server')
      return computeOnce()
    },
  }
}
