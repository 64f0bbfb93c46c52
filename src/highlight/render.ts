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

/** How many lines a reader sees: a line end at the very end begins no further one. */
export const countLines = (text: string) => {
  let lines = 1
  // A loop, for a list of the lines of 1 MB holds everybody up for 6 ms.
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines > 1 && text.endsWith('\n') ? lines - 1 : lines
}

/** Lines that a browser lays out together, or not at all while they are out of sight. */
const linesPerGroup = 100

/**
 * Collects lines, each with its end, in one list per group: `start` gives a group its line numbers, which therefore are
 * no text and are not copied. End tags and quotes that HTML does not ask for are left out: they were a fifth of the page.
 */
export const createLines = () => {
  let parts: string[] = []
  let count = 0
  return {
    add: (html: string) => {
      if (count % linesPerGroup === 0) parts.push(`${count ? '</ol>' : ''}<ol start=${count + 1}>`)
      parts.push(`<li id=L${++count}>`, html)
    },
    /** What was collected since it was last asked for. */
    take: () => {
      const html = parts.join('')
      parts = []
      return html
    },
  }
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
  const ends = [...text.matchAll(/\r?\n/g)].map(([end]) => escapeText(end))
  const lines = createLines()
  for (const [at, tokens] of tokenLines.entries()) {
    const html = tokens.map(renderToken).join('')
    // A line end at the very end begins no further line.
    if (html !== '' || at === 0 || at < ends.length) lines.add(html + (ends[at] ?? ''))
  }
  return `${lines.take()}</ol>`
}
