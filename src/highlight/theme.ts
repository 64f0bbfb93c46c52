import type { ThemeRegistration } from 'shiki/core'
import dark from 'shiki/themes/github-dark-default.mjs'
import light from 'shiki/themes/github-light-default.mjs'
import type { Colour, Rgb, Style } from './ansi.ts'
import { contrast, hexOf, leastContrast } from './contrast.ts'

/** One colour of the merged theme in both palettes. */
export type Shade = { light: string; dark: string }

const ansiNames = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White']
const ansiKeys = ['ansi', 'ansiBright'].flatMap((brightness) =>
  ansiNames.map((name) => `terminal.${brightness}${name}`),
)

const indexes = new Map<string, number>()

/** Every colour of the merged theme; tokens of class `tN` have `palette[N]`. Number 0 is ordinary text. */
export const palette: Shade[] = []

/** Grammars have no colours of their own, so indexes can be written as colours. */
const firstColour = 0xf1a500

/** The index of a pair of colours, written as a colour, because shiki returns a colour for each token. */
const indexColour = (shade: Shade) => {
  const key = `${shade.light}/${shade.dark}`.toLowerCase()
  const index = indexes.get(key) ?? palette.push(shade) - 1
  indexes.set(key, index)
  return `#${(firstColour + index).toString(16)}`
}

/** The index in a colour of the merged theme; `undefined` for any other colour. @param colour `#rrggbb[aa]` */
export const indexOfColour = (colour: string) => {
  const index = Number.parseInt(colour.slice(1, 7), 16) - firstColour
  return index >= 0 && index < palette.length ? index : undefined
}

const foreground = (theme: ThemeRegistration) => theme.colors?.['editor.foreground'] ?? '#808080'
const ordinary = indexColour({ light: foreground(light), dark: foreground(dark) })

type Rule = NonNullable<ThemeRegistration['tokenColors']>[number]

/** Both themes come from one list of rules, so the n-th rules have the same scopes; a test checks this. */
const mergeRule = (lightRule: Rule, darkRule: Rule | undefined): Rule => {
  const { foreground: lightColour, fontStyle } = lightRule.settings
  const darkColour = darkRule?.settings.foreground
  if (lightColour === undefined || darkColour === undefined)
    return { ...lightRule, settings: fontStyle === undefined ? {} : { fontStyle } }
  const colour = indexColour({ light: lightColour, dark: darkColour })
  return { ...lightRule, settings: { foreground: colour, ...(fontStyle === undefined ? {} : { fontStyle }) } }
}

const tokenColors = (light.tokenColors ?? []).map((rule, at) => mergeRule(rule, dark.tokenColors?.[at]))

const ansiColours = ansiKeys.map((key) => {
  const shade = { light: light.colors?.[key] ?? '#808080', dark: dark.colors?.[key] ?? '#808080' }
  return indexColour(shade)
})

/** A theme whose colours are indexes of `palette`, so a text is tokenised once for light and dark. */
export const mergedTheme: ThemeRegistration = {
  name: 'shortcrust',
  type: 'light',
  fg: ordinary,
  bg: '#ffffff',
  colors: { 'editor.foreground': ordinary, 'editor.background': '#ffffff' },
  tokenColors,
}

/** Indexes in `palette` of the 16 terminal colours, in the order of their codes. */
export const ansiIndexes = ansiColours.map((colour) => indexOfColour(colour) ?? 0)

/** Each channel is rounded to one of these, for 125 colours in the classes `k…` and `r… g… b…`. */
export const levels = [0, 64, 128, 191, 255]

const stepOf = (channel: number) => Math.round((channel / 255) * (levels.length - 1))

/** A colour of the cube in three steps, each 0 to 4. */
export type Steps = readonly [number, number, number]
export const stepsOf = ([red, green, blue]: Rgb): Steps => [stepOf(red), stepOf(green), stepOf(blue)]

/** The number of a colour, 0 to 124. */
export const stepNumber = ([red, green, blue]: Steps) => (red * 5 + green) * 5 + blue

/** Every colour of the cube as `#rrggbb`, in order. */
export const cube = levels.flatMap((red) =>
  levels.flatMap((green) => levels.map((blue) => hexOf([red, green, blue]))),
)

const distance = (a: Steps, b: Steps) => a.reduce((sum, step, at) => sum + (step - (b[at] as number)) ** 2, 0)
const stepsOfNumber = (number: number): Steps => [
  Math.floor(number / 25),
  Math.floor(number / 5) % 5,
  number % 5,
]

const readableOn = (background: number) =>
  cube.flatMap((colour, number) =>
    contrast(colour, cube[background] as string) >= leastContrast ? [number] : [],
  )

const nearestReadable = new Map<number, number>()

/** The colour nearest to `wanted` that is readable on `background`; all are numbers of the cube. */
export const readableOnColour = (wanted: number, background: number) => {
  const key = wanted * cube.length + background
  const before = nearestReadable.get(key)
  if (before !== undefined) return before
  const steps = stepsOfNumber(wanted)
  const [nearest = 0] = readableOn(background)
    .map((number) => [number, distance(steps, stepsOfNumber(number))] as const)
    .reduce((best, candidate) => (candidate[1] < best[1] ? candidate : best))
  nearestReadable.set(key, nearest)
  return nearest
}

/** The more readable of black and white. */
export const plainOnColour = (background: number) => {
  const colour = cube[background] as string
  return contrast('#000000', colour) > contrast('#ffffff', colour) ? 0 : cube.length - 1
}

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
const numberOfColour = (colour: Colour) => stepNumber(stepsOf(rgbOf(colour)))
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
  const below = stepNumber(steps)
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

const classesByStyle = new WeakMap<Style, string>()

/** The classes in `views/code.css` and `views/terminal.css` for a style, separated by spaces; empty for ordinary text. */
export const classesOfStyle = (style: Style): string => {
  const before = classesByStyle.get(style)
  if (before !== undefined) return before
  const { isItalic, isBold, isUnderlined, isStruck } = style
  const looks = [isItalic && 'i', isBold && 'b', isUnderlined && 'u', isStruck && 's']
  const classes = [...coloursOf(style), ...looks.filter((look) => look !== false && look !== undefined)].join(
    ' ',
  )
  classesByStyle.set(style, classes)
  return classes
}

// shiki's bits.
const fontStyles = ['i', 'b', 'u', 's']

/** The same for a token of a grammar. */
export const classesOfToken = ({ color, fontStyle = 0 }: { color?: string; fontStyle?: number }): string => {
  const index = color === undefined ? 0 : (indexOfColour(color) ?? 0)
  const classes = index === 0 ? [] : [`t${index.toString(36)}`]
  // -1 is not set.
  return [...classes, ...fontStyles.filter((_, bit) => fontStyle > 0 && fontStyle & (1 << bit))].join(' ')
}
