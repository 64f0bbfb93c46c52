import { decodeRecord, type IndexEntry, recordBytes, sortKey } from './index-record.ts'

/** Records of an open index, oldest first. */
export type Records = {
  count: number
  /** @throws {AppError} `damaged` */
  read: (first: number, count: number) => Promise<Buffer>
  /** What a damaged record leads to. */
  refuse: (problem: string) => Error
}

/** Records read at once: 8 KiB. */
const blockRecords = 256

const recordAt = ({ refuse }: Records, block: Buffer, first: number, at: number) => {
  const record = decodeRecord(block, at)
  if (!record) throw refuse(`record ${first + at + 1} is damaged`)
  return record
}

/** The stamp of one record. */
export const stampAt = async (records: Records, position: number) =>
  recordAt(records, await records.read(position, 1), position, 0).stamp

/** Number of the first record whose stamp is not smaller; the last block is searched in memory. */
const lowerBound = async (records: Records, stamp: number) => {
  let [low, high] = [0, records.count]
  while (high - low > blockRecords) {
    const middle = (low + high) >> 1
    if ((await stampAt(records, middle)) < stamp) low = middle + 1
    else high = middle
  }
  if (low === high) return low
  const [first, block] = [low, await records.read(low, high - low)]
  while (low < high && recordAt(records, block, first, low - first).stamp < stamp) low++
  return low
}

/** Living entries, newest first; fewer than `count` only where there are no more. */
export const pageOf = async (records: Records, count: number, before: IndexEntry | undefined) => {
  const found: IndexEntry[] = []
  const startKey = before && sortKey(before)
  // Entries of one millisecond stand by id, as they do when the index is made anew: so a cursor outlives that.
  let group: IndexEntry[] = []
  const flush = () => {
    const older = group.filter((entry) => startKey === undefined || sortKey(entry) < startKey)
    found.push(...older.sort((a, b) => (a.id < b.id ? 1 : -1)))
    group = []
  }
  let end = before ? await lowerBound(records, before.stamp + 1) : records.count
  while (end > 0 && found.length < count) {
    const first = Math.max(0, end - blockRecords)
    const block = await records.read(first, end - first)
    for (let at = end - first - 1; at >= 0 && found.length < count; at--) {
      const { stamp, id, isLive } = recordAt(records, block, first, at)
      if (group[0] && group[0].stamp !== stamp) flush()
      if (isLive) group.push({ stamp, id })
    }
    end = first
  }
  flush()
  return found.slice(0, count)
}

/** Number of the record of an entry: a clock that went back made its stamp larger, never smaller. */
export const positionOf = async (records: Records, { stamp, id }: IndexEntry) => {
  for (let first = await lowerBound(records, stamp); first < records.count; first += blockRecords) {
    const block = await records.read(first, Math.min(blockRecords, records.count - first))
    for (let at = 0; at < block.length / recordBytes; at++)
      if (recordAt(records, block, first, at).id === id) return first + at
  }
  return undefined
}
