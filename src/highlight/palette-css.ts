import { palette, type Shade } from './theme.ts'

/** The pages' code backgrounds, as in `views/style.css`. */
const backgrounds: Shade = { light: '#ffffff', dark: '#0d1117' }
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
    if (contrast(candidate, backgrounds[mode]) >= leastContrast) return candidate
  }
  return extremes[mode]
}

const rules = (mode: keyof Shade, indent: string) =>
  palette.map((shade, at) => `${indent}--t${at.toString(36)}: ${readable(shade[mode], mode)};`).join('\n')

/** One variable and one class per colour of the merged theme. */
export const paletteCss =
  () => `/* Made by scripts/make-code-css.ts from the themes github-light-default and github-dark-default. */
:root {
${rules('light', '  ')}
}

@media (prefers-color-scheme: dark) {
  :root {
${rules('dark', '    ')}
  }
}

${palette.map((_, at) => `.t${at.toString(36)} {\n  color: var(--t${at.toString(36)});\n}`).join('\n\n')}
`
