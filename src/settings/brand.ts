/** A line of text with at most one link in it. */
export type Footer = { before: string; link?: { address: string; words: string }; after: string }

// As in `values.ts`, each parser throws an `Error` whose message says what is expected.

/** Control characters, those that hide or turn text, and line ends. What joins emoji and Persian letters may stay. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u

/** A character that leaves ink by itself; U+2800, the Braille cell without dots, is a symbol to Unicode. */
const ink = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u

const parseLine = (raw: string, mostChars: number, expected: string) => {
  const text = raw.trim()
  const chars = [...text].length
  if (chars > mostChars || unseen.test(text) || !ink.test(text)) throw new Error(expected)
  return text
}

export const parseName = (raw: string) =>
  raw === '' ? undefined : parseLine(raw, 40, '1 to 40 visible characters')

/** A name, `#` and digits, or a function: Bun takes a colour with anything after it. */
const colourShape = /^(?:[a-z]+|#[\da-f]{3,8}|[a-z]+\([^()]*\))$/

const accentExpected =
  'an opaque colour: a name such as teal, #0b6e99, rgb(), hsl(), hwb(), ' +
  'or lab(), lch(), oklab(), oklch() with the lightness in percent'

/** A colour of CSS that is opaque and depends on nothing else, as `#rrggbb`. Bun knows no `color()`. */
export const parseAccent = (raw: string) => {
  if (raw === '') return undefined
  // Bun knows names in small letters only.
  const typed = raw.toLowerCase()
  const colour = Bun.color(typed, 'hex')
  if (!colourShape.test(typed) || colour === null || Bun.color(typed, '{rgba}')?.a !== 1)
    throw new Error(accentExpected)
  return colour
}

/** Without what ends a sentence after it. */
const addressShape = /\b(?:https?:\/\/|mailto:)[^\s<>"]*[^\s<>"'.,;:!?)\]]/giu

const footerExpected = 'one line of at most 200 visible characters, with at most one complete address in it'

const linkTo = (typed: string) => {
  const url = URL.parse(typed)
  const isMail = url?.protocol === 'mailto:'
  if (!url || url.username || url.password || (isMail && !/^[^@]+@[^@]+$/.test(url.pathname)))
    throw new Error(footerExpected)
  return { address: url.href, words: typed.replace(/^(https?:\/\/|mailto:)/i, '').replace(/\/$/, '') }
}

/** An address in the text is its link, shown without `https://`. There is no markup. */
export const parseFooter = (raw: string): Footer | undefined => {
  if (raw === '') return undefined
  const text = parseLine(raw, 200, footerExpected)
  const [found, ...more] = text.matchAll(addressShape)
  if (more.length) throw new Error(footerExpected)
  if (!found) return { before: text, after: '' }
  const [typed] = found
  return {
    before: text.slice(0, found.index),
    link: linkTo(typed),
    after: text.slice(found.index + typed.length),
  }
}
