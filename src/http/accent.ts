import { readableOn } from '../highlight/contrast.ts'

/** What the accent is read on: `--paper`, `--wash` and `--mark` of `views/style.css`. */
export const accentBackgrounds = {
  light: ['#ffffff', '#f6f4ef', '#fff6dc'],
  dark: ['#0d1117', '#161b22', '#2a2412'],
}

/** No colour is readable in both themes, so each gets the shade that is nearest to it. */
const shadesOf = (accent: string) => ({
  light: readableOn(accent, accentBackgrounds.light, '#000000'),
  dark: readableOn(accent, accentBackgrounds.dark, '#ffffff'),
})

/** Rules that come after those of all pages. The paper's colour is as readable on the accent as the accent on paper. */
export const accentStyle = (accent: string) => {
  const { light, dark } = shadesOf(accent)
  return `:root{--accent:light-dark(${light},${dark});--accent-ink:var(--paper)}`
}

/** The icon in the accent's shades. */
export const accentIcon = (accent: string, icon: string) => {
  const { light, dark } = shadesOf(accent)
  return icon.replaceAll('#8a4b08', light).replaceAll('#e8a75c', dark)
}
