import { versionOf } from '../../items/versions.ts'
import type { Row } from '../derived/index-file.ts'
import type { StoredItem } from './documents.ts'

/** Size of the text or address of an item; a head says it of a paste. */
const bytesOf = (item: StoredItem) => {
  const { text, url = '', bytes } = item as { text?: string; url?: string; bytes?: number }
  return bytes || Buffer.byteLength(text ?? url)
}

/** The row of an item, from its document or the head of it. */
export const rowOf = (kind: string, item: StoredItem): Row => {
  const { id, owner, createdAt, expiresAt, earlier = [] } = item
  return {
    ...{ kind, owner, createdAt, id, expiresAt, version: versionOf(item), bytes: bytesOf(item) },
    kept: earlier.length,
    keptBytes: earlier.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
