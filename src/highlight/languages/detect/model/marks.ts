/** Shapes of what is no word: end of a line, its indentation, a number, any character beyond ASCII. */
const [lineEnd, indented, tabbed, digits, foreign] = [10, 1, 2, 3, 4]
/** Shapes of words: `name`, `Name`, `NAME`. */
const [lower, capital, upper] = [5, 6, 7]

/** Kinds of marks, so equal characters of different kinds differ. */
const [wordKind, firstKind, pairKind, twoKind, threeKind] = [0x51, 0xa3, 0x1f7, 0x3d5, 0x7b1]

/** Kind of each character of ASCII: 0 sign, 1 letter, 2 digit, 3 blank, 4 end of a line. */
const kinds = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_') kinds[char.charCodeAt(0)] = 1
for (const char of '0123456789') kinds[char.charCodeAt(0)] = 2
for (const char of ' \t\r') kinds[char.charCodeAt(0)] = 3
kinds[lineEnd] = 4

/** 5 beyond ASCII. */
const kindOf = (code: number) => (code < 128 ? (kinds[code] as number) : 5)

const isUpper = (code: number) => code >= 65 && code <= 90

const mix = (a: number, b: number) => Math.imul(a ^ b, 0x01000193) ^ (a >>> 15)

/** Longer words are names, which no language has in common with another text. */
const longestWord = 20

/**
 * Reads a text once and reports its marks as hashes: each word, the first word of each line, two words after one another,
 * and two and three shapes after one another, such as `name` `(` `)`.
 */
export const eachMark = (text: string, report: (mark: number) => void) => {
  // The shapes before, the word before if one blank is between, and whether the line has no word yet.
  let [before, last, former, isFirst] = [lineEnd, lineEnd, 0, true]
  const shape = (code: number) => {
    report(mix(mix(twoKind, last), code))
    report(mix(mix(mix(threeKind, before), last), code))
    before = last
    last = code
  }
  const length = text.length
  for (let at = 0; at < length; ) {
    const code = text.charCodeAt(at)
    const kind = kindOf(code)
    let end = at + 1
    if (kind === 1) {
      let hash = mix(wordKind, code)
      for (; end < length; end++) {
        const next = text.charCodeAt(end)
        if (next > 127 || (kinds[next] !== 1 && kinds[next] !== 2)) break
        hash = mix(hash, next)
      }
      shape(!isUpper(code) ? lower : end - at > 1 && isUpper(text.charCodeAt(end - 1)) ? upper : capital)
      if (end - at <= longestWord) {
        report(hash)
        if (isFirst) report(mix(firstKind, hash))
        if (former !== 0) report(mix(mix(pairKind, former), hash))
        former = text.charCodeAt(end) === 32 ? hash : 0
      } else former = 0
      isFirst = false
    } else if (kind === 4) {
      shape(lineEnd)
      isFirst = true
      former = 0
    } else if (kind === 0) {
      shape(code)
      former = 0
    } else {
      while (end < length && kindOf(text.charCodeAt(end)) === kind) end++
      if (kind === 2) shape(digits)
      else if (kind === 5) shape(foreign)
      else if (last === lineEnd) shape(code === 9 ? tabbed : indented)
      else if (code !== 13) shape(32)
      if (kind !== 3) former = 0
    }
    at = end
  }
}
