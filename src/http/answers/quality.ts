/** No client sends a longer header; a stranger's may have 16 KB. */
const judgedChars = 1000

const weight = /^\s*q\s*=\s*([01](?:\.\d*)?)\s*$/i

const weightOf = (parameters: readonly string[]) => {
  const written = parameters
    .map((parameter) => weight.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  return written === undefined ? 1 : Math.min(1, Number(written))
}

/**
 * What a header such as `Accept` names, in lower case, and how much the client wants it: from 0, which refuses it, to 1
 * (RFC 9110, 12.4.2).
 */
export const qualitiesOf = (header: string): ReadonlyMap<string, number> => {
  const items = header.slice(0, judgedChars).split(',')
  // The last one may have lost its weight.
  if (header.length > judgedChars) items.pop()
  const entries = items.map((item) => {
    const [name = '', ...parameters] = item.split(';')
    return [name.trim().toLowerCase(), weightOf(parameters)] as const
  })
  return new Map(entries)
}

/** The one that is wanted most, of those that are named and not refused; the first of several. */
export const mostWanted = <T extends string>(
  names: readonly T[],
  qualities: ReadonlyMap<string, number>,
): T | undefined => {
  let best: T | undefined
  let bestQuality = 0
  for (const name of names) {
    const quality = qualities.get(name) ?? 0
    if (quality <= bestQuality) continue
    best = name
    bestQuality = quality
  }
  return best
}
