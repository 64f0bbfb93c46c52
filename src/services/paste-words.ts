import type { StoredPaste } from '../schema.ts'
import type { Listed } from './own-items.ts'

/** Longest words beside the text of a paste, in bytes of UTF-8. */
export const maxWordBytes = { title: 1024, description: 8192 }

const encoder = new TextEncoder()
const ellipsis = '…'

/** At most so many bytes of UTF-8, with an ellipsis where something was cut off. Keeps nothing of the text in memory. */
export const cutTo = (maxBytes: number, text: string) => {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const buffer = Buffer.alloc(maxBytes - Buffer.byteLength(ellipsis))
  // Writes whole characters only.
  const { written } = encoder.encodeInto(text, buffer)
  return buffer.toString('utf8', 0, written) + ellipsis
}

/** As a list shows it: former versions took words of any length. */
export const shortened = (paste: Listed<StoredPaste>): Listed<StoredPaste> => ({
  ...paste,
  title: cutTo(maxWordBytes.title, paste.title),
  description: cutTo(maxWordBytes.description, paste.description),
})
