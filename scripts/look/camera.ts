import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Theatre } from './stage.ts'
import type { Opening, State } from './state.ts'

const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

const sizes = [
  { width: 1280, height: 720 },
  { width: 360, height: 640 },
]

const openings: readonly Opening[] = [true, false].flatMap((isScripted) =>
  sizes.map((size) => ({ ...size, isScripted })),
)

/** `1280-light`, `360-dark-plain` */
const variantName = ({ width, isScripted }: Opening, theme: Theme) =>
  `${width}-${theme}${isScripted ? '' : '-plain'}`

/** For people: `1280 px, light, no JavaScript` */
const variantText = ({ width, isScripted }: Opening, theme: Theme) =>
  `${width} px, ${theme}${isScripted ? '' : ', no JavaScript'}`

/** A state that is opened once, for a light and a dark picture. */
export type Job = { state: State; opening: Opening }

/** One picture, or why there is none. */
export type Picture = { state: string; variant: string; file: string; height: number }
export type Shot = { pictures: readonly Picture[]; problems: readonly string[] }

export const jobsOf = (states: readonly State[]): Job[] =>
  states.flatMap((state) =>
    openings
      .filter(({ isScripted }) => (isScripted ? !state.isPlain : !state.needsScript))
      .map((opening) => ({ state, opening })),
  )

/** Pixels of a page below which nothing new is to be seen. */
const tallest = 3000

/** What is in the window; of a long page also what lies below it. */
const clipOf = async (page: Page, { width, height }: Opening, isLong: boolean) => {
  if (!isLong) return { height }
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight')
  const shown = Math.min(Math.max(whole, height), tallest)
  return { height: shown, fullPage: true, clip: { x: 0, y: 0, width, height: shown } }
}

/** Leads a tab into a state and takes its pictures. A state that cannot be reached is a problem, not the end. */
export const shoot = async (theatre: Theatre, folder: string, { state, opening }: Job): Promise<Shot> => {
  const { stage, problems, close } = await theatre.openStage(opening)
  const pictures: Picture[] = []
  try {
    await state.show(stage)
    const { height, ...options } = await clipOf(stage.page, opening, state.isLong ?? false)
    for (const theme of themes) {
      await stage.page.emulateMedia({ colorScheme: theme })
      const file = `pictures/${state.name}/${variantName(opening, theme)}.png`
      await stage.page.screenshot({ path: join(folder, file), ...options })
      pictures.push({ state: state.name, variant: variantText(opening, theme), file, height })
    }
  } catch (error) {
    problems.push((error as Error).message.split('\n')[0] as string)
  }
  await close()
  return { pictures, problems: problems.map((text) => `${state.name} (${opening.width} px): ${text}`) }
}
