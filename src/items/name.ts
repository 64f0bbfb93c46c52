/** What says how a paste is called. */
export type Named = { title: string; text: string; readsLeft?: number | undefined }

/** What a paste is called that has neither a title nor a line to show. */
export const untitled = 'Untitled paste'

/** Characters after the leading white space of a text that its name may depend on. */
export const nameReach = 500

/** Colours and styles of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const styling = /\x1b\[[\d;:]*m/g

const firstLine = (text: string) => {
  const start = text.search(/\S/)
  const plain = start === -1 ? '' : text.slice(start, start + nameReach).replace(styling, '')
  return /\S.{0,79}/u.exec(plain)?.[0].trimEnd() ?? ''
}

/**
 * What people call a paste: its title, or its first line that is not blank, at most 80 characters of it. The text of a paste
 * that burns after reading gives no name.
 */
export const pasteName = ({ title, text, readsLeft }: Named) =>
  title.trim() === '' ? (readsLeft === undefined && firstLine(text)) || untitled : title
