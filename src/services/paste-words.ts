import { invalid } from '../errors.ts'
import type { StoredPaste } from '../items/schema.ts'
import { wordBytes } from '../items/words.ts'
import type { Listed } from './own-items.ts'

/** @throws {AppError} `invalid` for a title or description that is too long to be listed */
export const checkWords = (body: { title?: unknown; description?: unknown }) => {
  for (const field of ['title', 'description'] as const) {
    const [value, maxBytes] = [body[field], wordBytes[field]]
    if (typeof value === 'string' && Buffer.byteLength(value) > maxBytes)
      throw invalid(
        `Field "${field}" is longer than ${maxBytes / 1024} KiB (${maxBytes} bytes of UTF-8); shorten it`,
      )
  }
}

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
  title: cutTo(wordBytes.title, paste.title),
  description: cutTo(wordBytes.description, paste.description),
})
