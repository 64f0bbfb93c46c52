/** A run of characters with the same looks, as shiki gives it. */
export type Token = { content: string; color?: string; fontStyle?: number }

const special = /[&<>\r\0]/
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // An HTML parser would turn a bare CR into LF and drop NUL.
  '\r': '&#13;',
  '\0': '␀',
}

/** Text as the content of an element; every character comes back out of the parsed page, except NUL. */
export const escapeText = (text: string) =>
  special.test(text) ? text.replace(/[&<>\r\0]/g, (character) => entities[character] as string) : text

const lineEnd = /\r?\n/g

/** Lines without their ends, and the ends: `ends[n]` follows `lines[n]`. */
export const splitLines = (text: string) => ({
  lines: text.split(lineEnd),
  ends: [...text.matchAll(lineEnd)].map(([end]) => end),
})

/** How many lines a reader sees: a line end at the very end begins no further one. */
export const countLines = (text: string) => {
  const { length } = splitLines(text).lines
  return length > 1 && text.endsWith('\n') ? length - 1 : length
}

/** Lines that a browser lays out together, or not at all while they are out of sight. */
const linesPerGroup = 100

/**
 * One list per group: `start` gives a group its line numbers, which therefore are no text and are not copied.
 * End tags and quotes that HTML does not ask for are left out: they were a fifth of the page.
 */
const wrapLines = (htmlLines: readonly string[], ends: readonly string[]) => {
  const isEndedByNewline = htmlLines.length > 1 && htmlLines.at(-1) === ''
  const items = (isEndedByNewline ? htmlLines.slice(0, -1) : htmlLines).map(
    (html, at) => `<li id=L${at + 1}>${html}${escapeText(ends[at] ?? '')}`,
  )
  const groups: string[] = []
  for (let at = 0; at < items.length; at += linesPerGroup)
    groups.push(`<ol start=${at + 1}>${items.slice(at, at + linesPerGroup).join('')}</ol>`)
  return groups.join('')
}

/** The rendering that needs no grammar and cannot fail. */
export const renderPlain = (text: string) => {
  const { lines, ends } = splitLines(text)
  return wrapLines(lines.map(escapeText), ends)
}

// shiki's font style bits: italic 1, bold 2, underline 4, strikethrough 8.
const styleClasses = ['i', 'b', 'u', 's']
const classesOfStyle = (style: number) => styleClasses.filter((_, bit) => style & (1 << bit))

/** @param classOfColour short class name of a colour of the merged theme; empty for ordinary text */
export const renderTokens = (
  text: string,
  tokenLines: readonly (readonly Token[])[],
  classOfColour: (colour: string) => string,
) => {
  const renderToken = ({ content, color, fontStyle = 0 }: Token) => {
    const colourClass = color ? classOfColour(color) : ''
    if (!colourClass && fontStyle <= 0) return escapeText(content)
    const classes = fontStyle > 0 ? [colourClass, ...classesOfStyle(fontStyle)].join(' ').trim() : colourClass
    return `<span class=${classes.includes(' ') ? `"${classes}"` : classes}>${escapeText(content)}</span>`
  }
  return wrapLines(
    tokenLines.map((tokens) => tokens.map(renderToken).join('')),
    splitLines(text).ends,
  )
}
