import { read, write } from './storage.ts'

const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const storedTheme = (): Theme => themes.find((theme) => theme === read('theme')) ?? 'auto'

export const applyTheme = (theme: Theme) => {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

/** auto → light → dark → auto. @returns the new theme */
export const nextTheme = (): Theme => {
  const theme = themes[(themes.indexOf(storedTheme()) + 1) % themes.length] as Theme
  write('theme', theme === 'auto' ? undefined : theme)
  applyTheme(theme)
  return theme
}
