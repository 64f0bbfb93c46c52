import type { Finder, Span } from './finders.ts'

/** Longer blocks are no keys: an RSA key of 16,384 bits has 13 KB. */
const longestBlock = 20_000

const head = /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
const foot = /-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
/** Lines of a block that was cut off. The line ends may be those of a string of JSON. */
const body =
  /(?:(?:\s|\\[nr]|["'+,]){1,12}(?:[A-Z][\w-]{2,20}: [^\n]{1,80}|[A-Za-z0-9+/=]{24,}(?![\w ]))){1,400}/y

/** Where the line `-----END …` after a line `-----BEGIN …` ends. */
const endOf = (text: string, from: number, footAt: number) => {
  if (footAt < 0 || footAt - from > longestBlock) return undefined
  foot.lastIndex = footAt
  return foot.test(text) ? foot.lastIndex : undefined
}

/** Whole blocks in PEM, of OpenSSH and of PGP, also without their end; not the first line alone, as in sources. */
export const pemKeys: Finder = function* (text) {
  let footAt = 0
  let after = 0
  for (const { 0: line, index } of text.matchAll(head)) {
    if (index < after) continue
    const from = index + line.length
    // Found once for all heads before it, so many heads without an end cost one search.
    if (footAt >= 0 && footAt < from) footAt = text.indexOf('-----END ', from)
    body.lastIndex = from
    const cut = body.test(text) ? body.lastIndex : from
    const end = cut === from ? undefined : (endOf(text, from, footAt) ?? cut)
    if (end === undefined) continue
    after = end
    yield [index, end]
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
