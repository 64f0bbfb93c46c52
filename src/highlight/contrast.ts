/** Red, green and blue of `#rrggbb`. */
export const channelsOf = (colour: string) =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number]

export const hexOf = (channels: readonly number[]) =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

/** WCAG 2.2 level AA for text. */
export const leastContrast = 4.5

/** Relative luminance, WCAG 2.2. */
const luminance = (colour: string) => {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG contrast ratio, 1 to 21. */
export const contrast = (a: string, b: string) => {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

const mix = (from: string, to: string, share: number) => {
  const end = channelsOf(to)
  return hexOf(
    channelsOf(from).map((channel, at) => Math.round(channel + ((end[at] as number) - channel) * share)),
  )
}

/** The colour itself, or the nearest one towards `extreme`, black or white, that is readable on all backgrounds. */
export const readableOn = (colour: string, backgrounds: readonly string[], extreme: string) => {
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(colour, extreme, share)
    if (backgrounds.every((background) => contrast(candidate, background) >= leastContrast)) return candidate
  }
  return extreme
}
