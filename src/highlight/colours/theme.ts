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

/** Every colour of the merged theme; a token of class `tN` has `palette[N]`. Number 0 is ordinary text. */
export const palette: Shade[] = []

/** A grammar has no colours of its own, so any colour may stand for an index. */
const firstColour = 0xf1a500

/** The index of a pair of colours, written as if it were a colour: shiki hands it back with each token. */
const indexColour = (shade: Shade) => {
  const key = `${shade.light}/${shade.dark}`.toLowerCase()
  const index = indexes.get(key) ?? palette.push(shade) - 1
  indexes.set(key, index)
  return `#${(firstColour + index).toString(16)}`
}

/** The index behind a colour of the merged theme; `undefined` for any other colour. @param colour `#rrggbb[aa]` */
export const indexOfColour = (colour: string) => {
  const index = Number.parseInt(colour.slice(1, 7), 16) - firstColour
  return index >= 0 && index < palette.length ? index : undefined
}

const foreground = (theme: ThemeRegistration) => theme.colors?.['editor.foreground'] ?? '#808080'
const ordinary = indexColour({ light: foreground(light), dark: foreground(dark) })

type Rule = NonNullable<ThemeRegistration['tokenColors']>[number]

/** Both themes are made from one list of rules, so the n-th rules name the same scopes; a test holds them to it. */
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

/** A theme whose colours are indexes into `palette`: one tokenisation then serves light and dark. */
export const mergedTheme: ThemeRegistration = {
  name: 'shortcrust',
  type: 'light',
  fg: ordinary,
  bg: '#ffffff',
  colors: { 'editor.foreground': ordinary, 'editor.background': '#ffffff' },
  tokenColors,
}

/** `palette` indexes of the sixteen colours of a terminal, in the order of their codes. */
export const ansiIndexes = ansiColours.map((colour) => indexOfColour(colour) ?? 0)
