// ECMA-48: CSI sequences, of which SGR (ending in m) are the colours; OSC and the other strings; two-byte escapes.
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/** Colours of a terminal stay, every other control sequence goes. */
export const keepColours = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  text.replace(controls, (sequence) => (/^\x1b\[[0-9;:]*m$/.test(sequence) ? sequence : ''))

/** No control sequence stays. */
export const dropControls = (text: string) => text.replace(controls, '')

type Rgb = readonly [number, number, number]

/** The sixteen colours of xterm, in the order of their codes. */
const xterm: readonly Rgb[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
]

/** Which of the sixteen colours is nearest to one of the 256-colour or RGB sequences. @param colour `#rrggbb` */
export const nearestOfSixteen = (colour: string) => {
  const rgb = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const distances = xterm.map((candidate) =>
    candidate.reduce((sum, channel, at) => sum + (channel - (rgb[at] ?? 0)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}
