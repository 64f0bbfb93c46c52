/** A text as a person reads it: without colours, and with line ends where an escape stands for one. */
export type Reading = {
  text: string
  /** The index in the original text of a character of this one. */
  placeOf: (at: number) => number
  /** True if an escape is the letters that write it. */
  isAsWritten: boolean
}

const raw = String.raw
/** What begins a sequence of a terminal: the character, or how JSON, shells, syslog and `cat -v` write it. */
const start = raw`(?:\u001b|\u241b|\\{1,2}(?:u001[bB]|x1[bB]|033|e)|#033|\^\[)`
const part = raw`(?![\\]|u001b|x1b|033|e\[)[^"'<>|#^[\r\n\\\u001b]{0,100}`
const sequences = new RegExp(
  [
    // In `C:\Users\nina`, nothing is an escape. The parts of a path have the same marks between them.
    raw`(?<path>\b[A-Za-z]:(?<mark>\\{1,4})${part}(?:\k<mark>${part}){0,20})`,
    // Colours, also without their first character, and lines erased to their end, as grep does.
    raw`(?<style>(?:${start}\[|\u009b)[\d;:]{0,40}[mK]|\[\d{1,3}(?:[;:]\d{1,3}){0,8}m)`,
    // Moves of the cursor, tabs, and what is around titles and links: their text is looked at as well.
    raw`(?<gap>(?:${start}\[|\u009b)[0-?]{0,40}[ -/]{0,4}[@-~]|${start}\]\d{0,4};|\u001b[ -/]{0,2}[0-~])`,
    raw`(?<line>\\{1,2}(?:[nr]|u000[aAdD]|x0[aAdD]))`,
    raw`(?<control>\\{1,2}(?:t|u00[01][\da-fA-F]|x[01][\da-fA-F]))`,
    // `\/`, as PHP writes JSON.
    raw`\\{1,2}(?=/)`,
  ].join('|'),
  'g',
)

const isWordAt = (text: string, at: number) => /\w/.test(text[at] ?? '')

/** What is read in place of a sequence. */
const signOf = ({ style, line, gap, control }: Record<string, string | undefined>, styleAs: '' | ' ') => {
  if (style !== undefined) return styleAs
  if (line !== undefined) return '\n'
  return gap !== undefined || control !== undefined ? ' ' : ''
}

/**
 * Reads a text with `styleAs` in place of each colour, and with what a backslash and letters stand for, or with these as
 * they are. `isJoined` is true if words around a colour became one, `isEscaped` if there were such letters.
 */
const readAs = (text: string, styleAs: '' | ' ', isAsWritten = false) => {
  const places = new Uint32Array(text.length + 1)
  const pieces: string[] = []
  let [end, count, isJoined, isEscaped] = [0, 0, false, false]
  const copyTo = (to: number) => {
    pieces.push(text.slice(end, to))
    for (; end < to; end++) places[count++] = end
  }
  for (const { 0: found, index, groups = {} } of text.matchAll(sequences)) {
    const isEscape = groups.style === undefined && groups.gap === undefined
    if (groups.path !== undefined || (isEscape && isAsWritten)) continue
    copyTo(index)
    end = index + found.length
    isEscaped ||= isEscape
    isJoined ||= groups.style !== undefined && isWordAt(text, end)
    const sign = signOf(groups, styleAs)
    if (sign === '') continue
    pieces.push(sign)
    places[count++] = end - 1
  }
  copyTo(text.length)
  const reading: Reading = { text: pieces.join(''), placeOf: (at) => places[at] ?? text.length, isAsWritten }
  return { reading, isJoined, isEscaped }
}

/**
 * How a text may be read; an earlier reading counts more. A colour may stand inside of a value, as the marks of
 * `grep --color` do, or be all there is between two words. An escape may end a line, or be a backslash and an n of a
 * password: the last reading has it as it is written.
 */
export const readingsOf = (text: string): readonly Reading[] => {
  if (text.search(sequences) < 0) return [{ text, placeOf: (at) => at, isAsWritten: true }]
  const { reading, isJoined, isEscaped } = readAs(text, '')
  const others = [...(isJoined ? [readAs(text, ' ')] : []), ...(isEscaped ? [readAs(text, '', true)] : [])]
  return [reading, ...others.map((other) => other.reading)]
}
