import { changeStyle, ordinaryStyle, type Style } from './ansi-style.ts'

/** A run of characters in one style, as a terminal would show it. */
export type Run = { content: string; style: Style }

// ECMA-48: CSI sequences, of which SGR (ending in m) are the colours; OSC and the other strings; two-byte escapes.
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const colours = /^\x1b\[([0-9;:]*)m$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these move the cursor back, or erase
const overwriting = /[\r\x08]|\x1b\[[02]?K/
/** What stands in the cell of the character before it. */
const joined = /^[\p{M}\u200d]$/u

/** One line on the screen: text goes where the cursor stands, over what is there. */
type Line = {
  write: (text: string, style: Style) => void
  /** `\r`, backspace, and the sequences that erase. */
  control: (sequence: string) => void
  runs: () => Run[]
}

/** Most lines are only written on, from left to right. */
const createPlainLine = (): Line => {
  const runs: Run[] = []
  return { write: (content, style) => runs.push({ content, style }), control: () => {}, runs: () => runs }
}

/**
 * A line with a cursor, such as one of a progress bar. Each control takes the same short time, however long the line:
 * a text is somebody else's.
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
      // What erases the whole line stands beside a \r as a rule: the cursor goes to the beginning.
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

/** Lines that share one style, which goes on over the line ends. */
const createScreen = () => {
  let style = ordinaryStyle

  /** @param text of a line, without its end */
  return (text: string): Run[] => {
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
}

/** The lines of a text as a terminal would leave them: colours, and of a progress bar the last state. */
export const terminalLines = (text: string): Run[][] => text.split(/\r?\n/).map(createScreen())

/** The same without colours; the line ends are those of the text. */
export const terminalText = (text: string) => {
  const show = createScreen()
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
