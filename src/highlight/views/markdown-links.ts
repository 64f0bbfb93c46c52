import { replaceInvisible } from '../show-text.ts'

/** Escapes an attribute's value, with its quotes. Invisible characters have no marks there. */
export const quoted = (text: string) =>
  `"${replaceInvisible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('\0', '␀')
    .replaceAll('\r', '&#13;')}"`

/** Begins what the preview names itself, so no heading takes the name of a part of the page. */
export const idPrefix = 'md-'

const safeDecode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Addresses that a preview links to. Without `//`, a browser would read `https:x` relative to the page. */
const isOutward = (address: string) =>
  /^mailto:[^\s]/i.test(address) || (/^https?:\/\//i.test(address) && URL.canParse(address))

/** The attributes of a link, or `undefined` if the address may not be linked to. @param address as the library encodes it */
export const linkAttributes = (address: string): string | undefined => {
  if (/^#./.test(address))
    return `href=${quoted(`#${idPrefix}${encodeURIComponent(safeDecode(address.slice(1)))}`)}`
  return isOutward(address) ? `href=${quoted(address)} rel="noopener noreferrer nofollow"` : undefined
}
