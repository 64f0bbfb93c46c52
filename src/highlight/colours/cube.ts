import type { Rgb } from '../ansi/ansi-style.ts'
import { contrast, hexOf, leastContrast } from './contrast.ts'

/** Each channel is rounded to one of these, for 125 colours in the classes `k…` and `r… g… b…`. */
export const levels = [0, 64, 128, 191, 255]

const stepOf = (channel: number) => Math.round((channel / 255) * (levels.length - 1))

/** A colour of the cube in three steps, each 0 to 4. */
export type Steps = readonly [number, number, number]
export const stepsOf = ([red, green, blue]: Rgb): Steps => [stepOf(red), stepOf(green), stepOf(blue)]

/** The number of a colour, 0 to 124. */
export const numberOf = ([red, green, blue]: Steps) => (red * 5 + green) * 5 + blue

/** Every colour of the cube as `#rrggbb`, in order. */
export const cube = levels.flatMap((red) =>
  levels.flatMap((green) => levels.map((blue) => hexOf([red, green, blue]))),
)

const distance = (a: Steps, b: Steps) => a.reduce((sum, step, at) => sum + (step - (b[at] as number)) ** 2, 0)
const stepsOfNumber = (number: number): Steps => [
  Math.floor(number / 25),
  Math.floor(number / 5) % 5,
  number % 5,
]

const readableOn = (background: number) =>
  cube.flatMap((colour, number) =>
    contrast(colour, cube[background] as string) >= leastContrast ? [number] : [],
  )

const known = new Map<number, number>()

/** The colour nearest to `wanted` that is readable on `background`; all are numbers of the cube. */
export const readableOnColour = (wanted: number, background: number) => {
  const key = wanted * cube.length + background
  const before = known.get(key)
  if (before !== undefined) return before
  const steps = stepsOfNumber(wanted)
  const [nearest = 0] = readableOn(background)
    .map((number) => [number, distance(steps, stepsOfNumber(number))] as const)
    .reduce((best, candidate) => (candidate[1] < best[1] ? candidate : best))
  known.set(key, nearest)
  return nearest
}

/** The more readable of black and white. */
export const plainOnColour = (background: number) => {
  const colour = cube[background] as string
  return contrast('#000000', colour) > contrast('#ffffff', colour) ? 0 : cube.length - 1
}
