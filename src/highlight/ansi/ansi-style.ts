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
