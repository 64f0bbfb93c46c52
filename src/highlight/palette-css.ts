import { palette, type Shade } from './theme.ts'

/** What code stands on, ordinary and marked lines: `--paper` and `--mark` of `views/style.css`. */
const backgrounds = { light: ['#ffffff', '#fff6dc'], dark: ['#0d1117', '#2a2412'] }
const extremes: Shade = { light: '#000000', dark: '#ffffff' }
/** WCAG 2.2 level AA for text. */
const leastContrast = 4.5

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** Relative luminance, WCAG 2.2. */
const luminance = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG contrast ratio, 1 to 21. */
export const contrast = (a: string, b: string) => {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

const mix = (from: string, to: string, share: number) => {
  const end = channels(to)
  const mixed = channels(from).map((channel, at) =>
    Math.round(channel + ((end[at] as number) - channel) * share),
  )
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** The colour itself, or the nearest one towards black or white that can be read on the background. */
export const readable = (colour: string, mode: keyof Shade) => {
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(colour, extremes[mode], share)
    if (backgrounds[mode].every((background) => contrast(candidate, background) >= leastContrast))
      return candidate
  }
  return extremes[mode]
}

/** One class per colour of the merged theme; ordinary text, number 0, has none. */
export const paletteCss =
  () => `/* Made by scripts/make-code-css.ts from the themes github-light-default and github-dark-default. */
${palette
  .map(({ light, dark }, at) => ({ at, light: readable(light, 'light'), dark: readable(dark, 'dark') }))
  .slice(1)
  .map(({ at, light, dark }) => `.t${at.toString(36)} {\n  color: light-dark(${light}, ${dark});\n}`)
  .join('\n\n')}
`
