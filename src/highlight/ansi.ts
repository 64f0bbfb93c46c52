/** Characters in one style, as a terminal shows them. */
export type Run = { content: string; style: Style }

// ECMA-48: CSI sequences, among them SGR (with m at the end) for colours; OSC and other strings; two-byte escapes.
const controlSequences =
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
    for (const match of text.matchAll(controlSequences)) {
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

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number]
/** One of the 16 colours by number, or any colour. */
export type Colour = number | Rgb

/** The style of characters in a terminal. Characters with the same style share one object. */
export type Style = Readonly<{
  foreground?: Colour | undefined
  background?: Colour | undefined
  isBold?: boolean
  isDim?: boolean
  isItalic?: boolean
  isUnderlined?: boolean
  isInverse?: boolean
  isStruck?: boolean
}>

export const ordinaryStyle: Style = {}

const cubeLevels = [0, 95, 135, 175, 215, 255]
const byteOf = (text: string | undefined) => Math.min(255, Number(text) || 0)

/** A colour of the 256: 16 named ones, a cube of 216, 24 greys. */
const indexedColour = (index: number): Colour => {
  if (index < 16) return index
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return [grey, grey, grey]
  }
  const level = (step: number) => cubeLevels[Math.floor((index - 16) / step) % 6] as number
  return [level(36), level(6), level(1)]
}

/** Parses `5;N` or `2;R;G;B`. @returns the colour, if valid, and how many parameters it took */
const readColour = (parameters: readonly string[]): [Colour | undefined, number] => {
  const [kind, ...values] = parameters
  if (kind === '5') return [indexedColour(byteOf(values[0])), 2]
  if (kind === '2') return [[byteOf(values[0]), byteOf(values[1]), byteOf(values[2])], 4]
  return [undefined, 1]
}

/** Parses `38:5:N` and `38:2:R:G:B`, also with an empty colour space before the values, as in the standard. */
const readSubparameters = ([kind = '', ...values]: readonly string[]) =>
  readColour([kind, ...(kind === '2' && values.length > 3 ? values.slice(1) : values)])[0]

const simple: Readonly<Record<number, Style>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  9: { isStruck: true },
  21: { isUnderlined: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  29: { isStruck: false },
  39: { foreground: undefined },
  49: { background: undefined },
}

const changeOf = (code: number): Style => {
  if (code >= 30 && code <= 37) return { foreground: code - 30 }
  if (code >= 90 && code <= 97) return { foreground: code - 82 }
  if (code >= 40 && code <= 47) return { background: code - 40 }
  if (code >= 100 && code <= 107) return { background: code - 92 }
  return simple[code] ?? {}
}

/** Ignores 58, the colour of underlines. */
const coloured = (code: number, colour: Colour | undefined): Style => {
  if (colour === undefined || code === 58) return {}
  return code === 38 ? { foreground: colour } : { background: colour }
}

/** The style after `CSI … m` with these parameters; unknown ones change nothing. */
export const changeStyle = (style: Style, parameters: string): Style => {
  const parts = parameters.split(';')
  let changed = style
  for (let at = 0; at < parts.length; at++) {
    const [first = '', ...rest] = (parts[at] ?? '').split(':')
    const code = Number(first)
    if (code === 0) changed = ordinaryStyle
    else if (code !== 38 && code !== 48 && code !== 58)
      changed = { ...changed, ...(code === 4 && rest[0] === '0' ? simple[24] : changeOf(code)) }
    else if (rest.length) changed = { ...changed, ...coloured(code, readSubparameters(rest)) }
    else {
      const [colour, taken] = readColour(parts.slice(at + 1, at + 5))
      changed = { ...changed, ...coloured(code, colour) }
      at += taken
    }
  }
  return changed
}
