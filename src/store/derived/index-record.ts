/** One entry of an index. */
export type IndexEntry = {
  /** Milliseconds since the epoch; never smaller than that of the entry before it. */
  stamp: number
  /** At most 13 characters. */
  id: string
}

/** Of one record. A power of two: no record straddles a page of memory, so a kill leaves it written or not. */
export const recordBytes = 32

const stampDigits = 13
const idCharacters = 13
const live = '+'
const removed = '-'

/** What a removed record has in place of its first byte. */
export const removedMark = Buffer.from(removed)

/** Compares as the entries do: by stamp, then by id. */
export const sortKey = ({ stamp, id }: IndexEntry) =>
  String(stamp).padStart(stampDigits, '0') + id.padEnd(idCharacters)

const sumOf = (key: string) => (Bun.hash.crc32(key) & 0xffff).toString(16).padStart(4, '0')

/** The record of a sort key: `+1700000000000abcdefghjk   1a2b` and a line end. */
export const encodeRecord = (key: string) => `${live}${key}${sumOf(key)}\n`

const shape = /^([+-])(\d{13}[0-9a-z]+ *)([0-9a-f]{4})\n$/

/** `undefined` for what is no record. */
export const decodeRecord = (block: Buffer, at: number): (IndexEntry & { isLive: boolean }) | undefined => {
  const [, state, key = '', sum] =
    shape.exec(block.toString('latin1', at * recordBytes, (at + 1) * recordBytes)) ?? []
  if (sum === undefined || sum !== sumOf(key)) return undefined
  return {
    stamp: Number(key.slice(0, stampDigits)),
    id: key.slice(stampDigits).trimEnd(),
    isLive: state === live,
  }
}

/** Why the text of a whole index file is none; `undefined` when it is one. */
export const indexProblem = (text: string) => {
  const bytes = Buffer.from(text)
  if (bytes.length % recordBytes !== 0) return 'is cut short'
  let last = 0
  for (let at = 0; at < bytes.length / recordBytes; at++) {
    const record = decodeRecord(bytes, at)
    if (!record) return `has a damaged record, number ${at + 1}`
    if (record.stamp < last) return `is out of order at record ${at + 1}`
    last = record.stamp
  }
  return undefined
}
