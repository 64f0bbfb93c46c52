import type { ThemeRegistration } from 'shiki/core'
import dark from 'shiki/themes/github-dark-default.mjs'
import light from 'shiki/themes/github-light-default.mjs'

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
