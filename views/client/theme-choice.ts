import { read, write } from './storage.ts'

const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const storedTheme = (): Theme => themes.find((theme) => theme === read('theme')) ?? 'auto'

export const applyTheme = (theme: Theme) => {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export const chooseTheme = (theme: Theme) => {
  write('theme', theme === 'auto' ? undefined : theme)
  applyTheme(theme)
}

/** auto → light → dark → auto */
export const nextTheme = () => themes[(themes.indexOf(storedTheme()) + 1) % themes.length] as Theme
