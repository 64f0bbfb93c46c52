export type Range = { first: number; last: number }

const rangeFrom = (from: string | undefined, to = from): Range | undefined => {
  const ends = [Number(from), Number(to)].sort((a, b) => a - b)
  return from === undefined ? undefined : { first: ends[0] as number, last: ends[1] as number }
}

export const parseRange = (hash: string) => {
  const [, from, to] = /^#L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(hash) ?? []
  return rangeFrom(from, to)
}

/** Parses what the user typed: `120` or `120-140`. */
export const toRange = (text: string) => {
  const [, from, to] = /^\s*(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?\s*$/.exec(text) ?? []
  return rangeFrom(from, to)
}

export const rangeHash = ({ first, last }: Range) => `#L${first}${first === last ? '' : `-L${last}`}`

export const numbersOf = ({ first, last }: Range) => (first === last ? `${first}` : `${first}–${last}`)

/** What "Copy link" adds to its words, in a style, because it is known before its button is. */
export const nameRange = (range: Range | undefined) =>
  document.documentElement.style.setProperty('--range', range ? `" to ${numbersOf(range)}"` : '""')
