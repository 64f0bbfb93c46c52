import { changeStyle, ordinaryStyle, type Style } from './ansi-style.ts'

/** Characters in one style, as a terminal shows them. */
export type Run = { content: string; style: Style }

// ECMA-48: CSI sequences, among them SGR (with m at the end) for colours; OSC and other strings; two-byte escapes.
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const colours = /^\x1b\[([0-9;:]*)m$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these move the cursor back, or erase
const overwriting = /[\r\x08]|\x1b\[[02]?K/
/** Combines with the character before it, in the same cell. */
const joined = /^[\p{M}\u200d]$/u

/** One line of the screen. Text is written at the cursor, over older text. */
type Line = {
  write: (text: string, style: Style) => void
  /** Applies `\r`, backspace, or an erasing sequence. */
  control: (sequence: string) => void
  runs: () => Run[]
}

/** Most lines are only written from left to right. */
const createPlainLine = (): Line => {
  const runs: Run[] = []
  return { write: (content, style) => runs.push({ content, style }), control: () => {}, runs: () => runs }
}

/**
 * A line with a cursor, such as a progress bar. Each control takes constant time, however long the line is, because strangers
 * write the text.
 */
const createCellLine = (): Line => {
  const cells: Run[] = []
  let cursor = 0
  return {
    write: (text, style) => {
      for (const content of text) {
        const before = cells[cursor - 1]
        if (before && joined.test(content))
          cells[cursor - 1] = { ...before, content: before.content + content }
        else cells[cursor++] = { content, style }
      }
    },
    control: (sequence) => {
      if (sequence === '\r') cursor = 0
      if (sequence === '\b') cursor = Math.max(0, cursor - 1)
      if (!sequence.endsWith('K')) return
      // The sequence for erasing a whole line usually comes with a \r, so the cursor goes to the start.
      if (sequence.includes('2')) cursor = 0
      cells.length = cursor
    },
    runs: () => {
      const runs: Run[] = []
      for (const { content, style } of cells) {
        const last = runs.at(-1)
        if (last?.style === style) last.content += content
        else runs.push({ content, style })
      }
      return runs
    },
  }
}

/** Shows the lines of a text in order. The style carries over from one line to the next. */
export const createScreen = () => {
  let style = ordinaryStyle

  /** @param text one line, without its end */
  const show = (text: string): Run[] => {
    const line = overwriting.test(text) ? createCellLine() : createPlainLine()
    let from = 0
    for (const match of text.matchAll(controls)) {
      if (match.index > from) line.write(text.slice(from, match.index), style)
      from = match.index + match[0].length
      const parameters = colours.exec(match[0])?.[1]
      if (parameters === undefined) line.control(match[0])
      else style = changeStyle(style, parameters)
    }
    if (from < text.length) line.write(text.slice(from), style)
    return line.runs()
  }

  return { show, isOrdinary: () => style === ordinaryStyle }
}

/** The lines of a text as a terminal shows them in the end: with colours, and with the last state of progress bars. */
export const terminalLines = (text: string): Run[][] => text.split(/\r?\n/).map(createScreen().show)

/** The same without colours, and with the original line ends. */
export const terminalText = (text: string) => {
  const { show } = createScreen()
  return text
    .split(/(\r?\n)/)
    .map((part, at) =>
      at % 2
        ? part
        : show(part)
            .map(({ content }) => content)
            .join(''),
    )
    .join('')
}
