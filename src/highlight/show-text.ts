/** Known invisible characters: a short label and a name. */
const named: Readonly<Record<number, readonly [label: string, name: string]>> = {
  9: ['TAB', 'tab'],
  10: ['LF', 'line feed'],
  13: ['CR', 'carriage return'],
  27: ['ESC', 'escape'],
  127: ['DEL', 'delete'],
  133: ['NEL', 'next line'],
  173: ['SHY', 'soft hyphen'],
  1564: ['ALM', 'Arabic letter mark'],
  8203: ['ZWSP', 'zero width space'],
  8204: ['ZWNJ', 'zero width non-joiner'],
  8205: ['ZWJ', 'zero width joiner'],
  8206: ['LRM', 'left-to-right mark'],
  8207: ['RLM', 'right-to-left mark'],
  8232: ['LS', 'line separator'],
  8233: ['PS', 'paragraph separator'],
  8234: ['LRE', 'left-to-right embedding'],
  8235: ['RLE', 'right-to-left embedding'],
  8236: ['PDF', 'pop directional formatting'],
  8237: ['LRO', 'left-to-right override'],
  8238: ['RLO', 'right-to-left override'],
  8288: ['WJ', 'word joiner'],
  8294: ['LRI', 'left-to-right isolate'],
  8295: ['RLI', 'right-to-left isolate'],
  8296: ['FSI', 'first strong isolate'],
  8297: ['PDI', 'pop directional isolate'],
  65279: ['BOM', 'byte order mark'],
}

/**
 * Invisible characters, and those that reorder the text around them (CVE-2021-42574): control characters except tab, line
 * ends and NUL, soft hyphen, joiners, direction marks, fillers, tags, and the no-break space.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/

const emojiBefore = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u
const emojiAfter = /^\p{Extended_Pictographic}/u
/** The flags of England, Scotland and Wales are a black flag and tag characters. */
const flagBefore = /\u{1f3f4}[\u{e0020}-\u{e007e}]*$/u
/** Scripts in which the two joiners join letters or keep them apart. */
const joiningScript =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]$/u

/** True if the character works as intended, so a mark would spoil a word or an emoji. */
const isNeeded = (character: string, text: string, at: number) => {
  if (character.length === 2) return flagBefore.test(text.slice(Math.max(0, at - 16), at))
  if (character !== '\u200c' && character !== '\u200d') return false
  const before = text.slice(Math.max(0, at - 2), at)
  if (joiningScript.test(before)) return true
  return character === '\u200d' && emojiBefore.test(before) && emojiAfter.test(text.slice(at + 1, at + 3))
}

/**
 * The HTML of an invisible character: the character, so it can be copied, in a mark that CSS draws and screen readers read.
 * @param at its position in the text
 */
const markOf = (character: string, text: string, at: number) => {
  if (isNeeded(character, text, at)) return character
  const code = character.codePointAt(0) as number
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  // Already looks like a space, and French uses it a lot.
  if (code === 0xa0) return `<span class=n title="${point} no-break space">${character}</span>`
  const [label, name] = named[code] ?? [
    point.slice(2),
    code < 0xa0 ? 'control character' : 'invisible character',
  ]
  const content = character === '\r' ? '&#13;' : character
  return `<span class=x role=img title="${point} ${name}" data-x=${label}>${content}</span>`
}

const everyInvisible = new RegExp(invisible, 'g')

/** For places where marks are impossible, such as a window's title: uses replacement characters. */
export const replaceInvisible = (text: string) =>
  text.replace(everyInvisible, (character, at: number) => {
    if (character === '\xa0' || isNeeded(character, text, at)) return character
    return '\ufffd'
  })

const special = /[&<>\r\0]/
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // HTML parsers turn a bare CR into LF and drop NUL.
  '\r': '&#13;',
  '\0': '␀',
}

/** Escapes text as the content of an element. Every character survives except NUL. */
export const escapeText = (text: string) =>
  special.test(text) ? text.replace(/[&<>\r\0]/g, (character) => entities[character] as string) : text

const shownOtherwise = new RegExp(`${special.source}|${invisible.source}`)
const everyShownOtherwise = new RegExp(shownOtherwise, 'g')

/** The same for text that people read: marks invisible characters and those that reorder text. */
export const showText = (text: string) =>
  shownOtherwise.test(text)
    ? text.replace(everyShownOtherwise, (character, at: number) => {
        const isLoneReturn = character === '\r' && text[at + 1] !== '\n'
        return (isLoneReturn ? undefined : entities[character]) ?? markOf(character, text, at)
      })
    : text

/** HTML in the style of these classes, separated by spaces. */
export const spanOf = (classes: string, html: string) =>
  classes ? `<span class=${classes.includes(' ') ? `"${classes}"` : classes}>${html}</span>` : html

/** Counts line ends in a loop: splitting 1 MB into lines blocks the server for 6 ms. */
export const countLineEnds = (text: string) => {
  let ends = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends++
  return ends
}

/** The number of lines that a reader sees: the line end at the end of the text starts no new line. */
export const countLines = (text: string) => Math.max(1, countLineEnds(text) + (text.endsWith('\n') ? 0 : 1))

/** The end of a piece, moved by one if it would split a surrogate pair. */
export const pieceEnd = (text: string, start: number, chars: number) => {
  const end = start + chars
  const unit = text.charCodeAt(end - 1)
  return unit >= 0xd800 && unit < 0xdc00 ? end + 1 : end
}

/** Splits a text into pieces of about `chars` UTF-16 units. */
export function* piecesOf(text: string, chars: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start, chars)
    yield text.slice(start, end)
    start = end
  }
}
