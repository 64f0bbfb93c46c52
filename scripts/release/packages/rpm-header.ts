/** A value of a header: its type is that of the format, rpm-format(7) names them. */
export type HeaderEntry =
  | { tag: number; type: 'int16' | 'int32'; values: readonly number[] }
  | { tag: number; type: 'string' | 'i18n'; values: readonly [string] }
  | { tag: number; type: 'strings'; values: readonly string[] }
  | { tag: number; type: 'bytes'; values: Uint8Array }

const typeNumbers = { int16: 3, int32: 4, string: 6, bytes: 7, strings: 8, i18n: 9 }
const widths: Partial<Record<HeaderEntry['type'], number>> = { int16: 2, int32: 4 }
const entryBytes = 16

const contentOf = ({ type, values }: HeaderEntry): Buffer => {
  if (type === 'bytes') return Buffer.from(values)
  if (type !== 'int16' && type !== 'int32')
    return Buffer.from(values.map((value) => `${value}\0`).join(''), 'utf8')
  const width = widths[type] ?? 0
  const content = Buffer.alloc(values.length * width)
  values.forEach((value, at) => {
    content.writeUIntBE(value, at * width, width)
  })
  return content
}

const indexEntry = (tag: number, type: number, offset: number, count: number) => {
  const bytes = Buffer.alloc(entryBytes)
  bytes.writeUInt32BE(tag, 0)
  bytes.writeUInt32BE(type, 4)
  bytes.writeInt32BE(offset, 8)
  bytes.writeUInt32BE(count, 12)
  return bytes
}

/** A header of a package. `region` is the tag that stands around all others: what is inside can be signed. */
export const packHeader = (region: 62 | 63, entries: readonly HeaderEntry[]) => {
  const sorted = entries.toSorted((a, b) => a.tag - b.tag)
  const store: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    store.push(part)
    length += part.length
  }
  const index = sorted.map((entry) => {
    const width = widths[entry.type] ?? 1
    add(Buffer.alloc((width - (length % width)) % width))
    const at = indexEntry(entry.tag, typeNumbers[entry.type], length, entry.values.length)
    add(contentOf(entry))
    return at
  })
  // The region ends with an entry of its own, which points back to the beginning of the index.
  const first = indexEntry(region, typeNumbers.bytes, length, entryBytes)
  add(indexEntry(region, typeNumbers.bytes, -entryBytes * (index.length + 1), entryBytes))
  const start = Buffer.from('8eade80100000000', 'hex')
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32BE(index.length + 1, 0)
  sizes.writeUInt32BE(length, 4)
  return Buffer.concat([start, sizes, first, ...index, ...store])
}
