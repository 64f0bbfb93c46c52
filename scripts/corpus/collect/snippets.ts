/** A random number from 0 to 1 after another one, the same each time (mulberry32). */
export const createRandom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let value = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
  return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
}

const [fewest, most] = [5, 200]

/** Cuts this many random snippets of 5 to 200 lines out of a text; short ones are as likely as long ones. */
export const snippetsOf = (text: string, hash: string, count: number) => {
  const lines = text.split('\n')
  const random = createRandom(Number.parseInt(hash, 16))
  const snippets: string[] = []
  for (let at = 0; at < count && lines.length > fewest + 1; at++) {
    const longest = Math.min(most, lines.length - 1)
    const size = Math.floor(fewest * (longest / fewest) ** random())
    const start = Math.floor(random() * (lines.length - size))
    const snippet = lines.slice(start, start + size).join('\n')
    // Empty lines and braces are no text of any language.
    if (snippet.replace(/\s+/g, '').length >= 40) snippets.push(snippet)
  }
  return snippets
}
