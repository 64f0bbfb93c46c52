import { wordPattern } from '../items/text/text-part.ts'
import { countLines, createLines, type Lines } from './lines.ts'
import { hitsIn, markedHtml } from './marks.ts'
import { escapeText, showText, spanOf } from './show-text.ts'

/** Characters in one style, from shiki or with the names of classes. */
export type Token = { content: string; color?: string; fontStyle?: number; classes?: string }

// shiki's font style bits: italic 1, bold 2, underline 4, strikethrough 8.
const styleClasses = ['i', 'b', 'u', 's']
const classesOfStyle = (style: number) => styleClasses.filter((_, bit) => style & (1 << bit))

/** @param classOfColour returns the short class name of a colour in the merged theme; empty for ordinary text */
const createClassesOf =
  (classOfColour: (colour: string) => string) =>
  ({ color, fontStyle = 0, classes }: Token) => {
    if (classes !== undefined) return classes
    const colourClass = color ? classOfColour(color) : ''
    return fontStyle > 0 ? [colourClass, ...classesOfStyle(fontStyle)].join(' ').trim() : colourClass
  }

/** Returns the HTML of a token. @param classOfColour as above */
export const createTokenHtml = (classOfColour: (colour: string) => string) => {
  const classesOf = createClassesOf(classOfColour)
  return (token: Token) => spanOf(classesOf(token), showText(token.content))
}

/** The classes of a line, and its HTML if its tokens are not shown. */
export type TokensLook = { classes: string; html?: string }

type TokensOptions = {
  maxBytes?: number
  /** Only the lines that contain it, which are searched as they are shown. */
  grep?: string | undefined
  /** How a line looks, from 0. */
  lookOf?: ((line: number) => TokensLook) | undefined
}

/** @param classOfColour as above */
export const renderTokens = (
  text: string,
  tokenLines: readonly (readonly Token[])[],
  classOfColour: (colour: string) => string,
  { maxBytes, grep, lookOf }: TokensOptions = {},
): Lines => {
  const classesOf = createClassesOf(classOfColour)
  const htmlOf = createTokenHtml(classOfColour)
  const renderLine = (tokens: readonly Token[]) => tokens.map(htmlOf).join('')
  const pattern = grep === undefined ? undefined : wordPattern(grep)
  const renderHit = (tokens: readonly Token[]) => {
    const hits = pattern ? hitsIn(tokens.map(({ content }) => content).join(''), pattern) : []
    return hits.length ? markedHtml(tokens, hits, classesOf) : undefined
  }
  const ends = [...text.matchAll(/\r?\n/g)].map(([end]) => escapeText(end))
  const lines = createLines(maxBytes)
  let kept = 0
  let isFull = false
  for (const [at, tokens] of tokenLines.entries()) {
    // A line end at the end of the text starts no new line.
    const isLine = at === 0 || at < ends.length || tokens.some(({ content }) => content !== '')
    const { classes = '', html: own } = lookOf?.(at) ?? {}
    const html = pattern ? renderHit(tokens) : (own ?? renderLine(tokens))
    if (!isLine || html === undefined) continue
    kept++
    isFull ||= !lines.add(html + (ends[at] ?? ''), { number: at + 1, classes })
    if (isFull && !pattern) break
  }
  const end = lines.end()
  return {
    html: [`${lines.take()}${end}`],
    ...lines.shown(),
    total: countLines(text),
    ...(pattern && { kept }),
  }
}
