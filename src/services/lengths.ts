import { invalid } from '../errors.ts'
import { sentRows, type Table } from '../items/field.ts'

/** The fields whose texts have a greatest length. */
const boundedOf = (table: Table) =>
  sentRows(table).flatMap(([name, { maxBytes }]) => (maxBytes === undefined ? [] : [{ name, maxBytes }]))

/** @throws {AppError} `invalid` for a text that is too long to be listed */
export const checkLengths = (table: Table, body: object) => {
  for (const { name, maxBytes } of boundedOf(table)) {
    const value = (body as Record<string, unknown>)[name]
    if (typeof value === 'string' && Buffer.byteLength(value) > maxBytes)
      throw invalid(
        `Field "${name}" is longer than ${maxBytes / 1024} KiB (${maxBytes} bytes of UTF-8); shorten it`,
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

/** An item as a list shows it: former versions took texts of any length. */
export const createShortener = (table: Table) => {
  const bounded = boundedOf(table)
  return <T extends object>(item: T): T => {
    const shortened = { ...item } as Record<string, unknown>
    for (const { name, maxBytes } of bounded)
      if (typeof shortened[name] === 'string') shortened[name] = cutTo(maxBytes, shortened[name])
    return shortened as T
  }
}
