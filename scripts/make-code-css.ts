// Writes the two palettes of the highlighter, for every paste and for terminal text: `bun scripts/make-code-css.ts`.
import { readableOn } from '../src/highlight/contrast.ts'
import { cube, levels, palette, type Shade } from '../src/highlight/theme.ts'

type Backgrounds = Readonly<Record<keyof Shade, readonly string[]>>
/** Of ordinary and marked lines: `--paper` and `--mark` of `views/style.css`. */
const papers: Backgrounds = { light: ['#ffffff', '#fff6dc'], dark: ['#0d1117', '#2a2412'] }
/** Those, and what a comparison adds and removes: `--added` and `--removed` of `views/diff-rows.css`. */
const everywhere: Backgrounds = {
  light: [...papers.light, '#dcedff', '#ffe6da'],
  dark: [...papers.dark, '#10304f', '#47220f'],
}

const both = ({ light, dark }: Shade, on = papers) =>
  `light-dark(${readableOn(light, on.light, '#000000')}, ${readableOn(dark, on.dark, '#ffffff')})`

/** One line per rule, because there are 170. */
const rule = (selector: string, declarations: readonly string[]) =>
  `${selector} { ${declarations.join('; ')} }`

/** The colours of grammars and the 16 of terminals; ordinary text, number 0, needs no class. */
const themeRules = () =>
  palette.map((shade, at) => rule(`.t${at.toString(36)}`, [`color: ${both(shade, everywhere)}`])).slice(1)

/** All other terminal colours, rounded. `--k` is not adjusted for contrast with the page, for text with a background. */
const cubeRules = () =>
  cube.map((colour, at) =>
    rule(`.k${at.toString(36)}`, [`--k: ${colour}`, `color: ${both({ light: colour, dark: colour })}`]),
  )

/** A background combines three channels: 15 rules instead of 125. */
const channelRules = () =>
  ['r', 'g', 'b'].flatMap((channel) =>
    levels.map((level, step) => rule(`.${channel}${step}`, [`--${channel}: ${level}`])),
  )

/** Dim text, text with a background, and inverse text. Without their backgrounds on paper, white text would be invisible. */
const otherRules = () => [
  rule('.q', [`color: ${both({ light: '#6e7781', dark: '#8b949e' })}`]),
  rule('.on', [
    'background: rgb(var(--r) var(--g) var(--b))',
    'color: var(--k)',
    'print-color-adjust: exact',
  ]),
  rule('.v', ['background: var(--ink)', 'color: var(--paper)', 'print-color-adjust: exact']),
]

const made =
  '/* Made by scripts/make-code-css.ts from the themes github-light-default and github-dark-default. */'

export const palettes = () => ({
  'code.css': `${[made, ...themeRules()].join('\n')}\n`,
  'terminal.css': `${[made, ...cubeRules(), ...channelRules(), ...otherRules()].join('\n')}\n`,
})

if (import.meta.main)
  for (const [name, css] of Object.entries(palettes()))
    await Bun.write(new URL(`../views/${name}`, import.meta.url), css)
