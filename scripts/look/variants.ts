/** How a page is opened. Light and dark are taken of one opening. */
export type Opening = { width: number; height: number; isScripted: boolean }

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

const sizes = [
  { width: 1280, height: 720 },
  { width: 360, height: 640 },
]

export const openings: readonly Opening[] = [true, false].flatMap((isScripted) =>
  sizes.map((size) => ({ ...size, isScripted })),
)

/** `1280-light`, `360-dark-plain` */
export const variantName = ({ width, isScripted }: Opening, theme: Theme) =>
  `${width}-${theme}${isScripted ? '' : '-plain'}`

/** For people: `1280 px, light, no JavaScript` */
export const variantText = ({ width, isScripted }: Opening, theme: Theme) =>
  `${width} px, ${theme}${isScripted ? '' : ', no JavaScript'}`
