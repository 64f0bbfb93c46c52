import fc from 'fast-check'

const isSurrogate = (codePoint: number) => codePoint >= 0xd800 && codePoint <= 0xdfff

/** One of the characters of Unicode, the awkward ones of ASCII and Latin-1 more often than others. */
const character = fc
  .oneof(fc.nat(0x2f), fc.nat(0xff), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((codePoint) => (isSurrogate(codePoint) ? '\ufffd' : String.fromCodePoint(codePoint)))

/** Any text that UTF-8 can hold. fast-check's own `unit: 'binary'` takes seconds to start on a busy machine. */
export const anyText = fc.string({ unit: character })
