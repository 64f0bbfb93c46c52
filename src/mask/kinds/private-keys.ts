import type { Finder, Span } from '../finders.ts'

/** Longer lists of lines hold no key: an RSA key of 16,384 bits has 13 KB. */
const longestBlock = 20_000

const head = /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
/** What is between two lines of a key, also in a quoted mail, in code, and in a string of JSON. */
const gap = String.raw`(?:\s|\\[nr]|["'+,>#|])`
const body = new RegExp(
  `(?:${gap}{1,12}(?:[A-Z][\\w-]{2,20}: [^\\n]{1,80}|[A-Za-z0-9+/=]{24,}(?![\\w ]))){1,400}`,
  'y',
)
/** The last lines may be short. */
const foot = new RegExp(
  `(?:${gap}|[A-Za-z0-9+/=]){0,100}-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----`,
  'y',
)

const endOf = (pattern: RegExp, text: string, from: number) => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Whole blocks in PEM, of OpenSSH and of PGP, also without their end; not the first line alone, as in sources. */
export const pemKeys: Finder = function* (text) {
  for (const { 0: line, index } of text.matchAll(head)) {
    const cut = endOf(body, text, index + line.length)
    if (cut !== undefined) yield [index, endOf(foot, text, cut) ?? cut]
  }
}

const privateLines = /^Private-Lines: (\d{1,3})\r?\n/gm

/** The private lines of a key file of PuTTY. */
export const puttyKeys: Finder = function* (text) {
  let to = 0
  for (const { 0: line, 1: count, index } of text.matchAll(privateLines)) {
    const from = index + line.length
    if (index < to) continue
    to = from
    for (let left = Number(count); left > 0 && to < text.length; left--) {
      const end = text.indexOf('\n', to)
      to = end < 0 ? text.length : end + 1
    }
    if (to > from && to - from < longestBlock) yield [from, text[to - 1] === '\n' ? to - 1 : to] as Span
  }
}
