import { numberOf, plainOnColour, readableOnColour, stepsOf } from '../colours/cube.ts'
import { ansiIndexes } from '../colours/theme.ts'
import type { Colour, Rgb, Style } from './ansi-style.ts'

/** The 16 colours as backgrounds, in the order of their codes: calmer than xterm's. */
const sixteen: readonly Rgb[] = [
  [0, 0, 0],
  [191, 0, 0],
  [0, 128, 0],
  [191, 128, 0],
  [0, 64, 191],
  [128, 0, 128],
  [0, 128, 128],
  [191, 191, 191],
  [128, 128, 128],
  [255, 64, 64],
  [64, 191, 64],
  [255, 191, 64],
  [64, 128, 255],
  [191, 64, 191],
  [64, 191, 191],
  [255, 255, 255],
]

const rgbOf = (colour: Colour): Rgb => (typeof colour === 'number' ? (sixteen[colour] as Rgb) : colour)
const numberOfColour = (colour: Colour) => numberOf(stepsOf(rgbOf(colour)))
const classOfNumber = (number: number) => `k${number.toString(36)}`

/** Half-way to grey, which is weaker on white and on black. */
const dimmed = (colour: Colour): Rgb => {
  const [red, green, blue] = rgbOf(colour)
  const half = (channel: number) => Math.round((channel + 128) / 2)
  return [half(red), half(green), half(blue)]
}

const onPaper = (colour: Colour | undefined, isDim: boolean) => {
  if (colour === undefined) return isDim ? ['q'] : []
  if (isDim) return [classOfNumber(numberOfColour(dimmed(colour)))]
  if (typeof colour !== 'number') return [classOfNumber(numberOfColour(colour))]
  return [`t${(ansiIndexes[colour] as number).toString(36)}`]
}

/** A background is the same in both themes, so its text is too. */
const onColour = (colour: Colour | undefined, background: Colour, isDim: boolean) => {
  const steps = stepsOf(rgbOf(background))
  const below = numberOf(steps)
  const wanted = colour !== undefined && isDim ? dimmed(colour) : colour
  const text = wanted === undefined ? plainOnColour(below) : readableOnColour(numberOfColour(wanted), below)
  const [red, green, blue] = steps
  return ['on', `r${red}`, `g${green}`, `b${blue}`, classOfNumber(text)]
}

const coloursOf = ({ foreground, background, isInverse = false, isDim = false }: Style) => {
  if (!isInverse)
    return background === undefined ? onPaper(foreground, isDim) : onColour(foreground, background, isDim)
  if (foreground !== undefined) return onColour(background, foreground, isDim)
  // Inverse text without a text colour: with a background its new background is white, as in most terminals.
  return background === undefined ? ['v'] : onColour(background, 15, isDim)
}

const known = new WeakMap<Style, string>()

/** The classes in `views/code.css` for a style, separated by spaces; empty for ordinary text. */
export const classesOfStyle = (style: Style): string => {
  const before = known.get(style)
  if (before !== undefined) return before
  const { isItalic, isBold, isUnderlined, isStruck } = style
  const looks = [isItalic && 'i', isBold && 'b', isUnderlined && 'u', isStruck && 's']
  const classes = [...coloursOf(style), ...looks.filter((look) => look !== false && look !== undefined)].join(
    ' ',
  )
  known.set(style, classes)
  return classes
}
