/** The end of a piece of a text: not within a character of two units, whose halves mean nothing alone. */
export const pieceEnd = (text: string, start: number, chars: number) => {
  const end = start + chars
  const unit = text.charCodeAt(end - 1)
  return unit >= 0xd800 && unit < 0xdc00 ? end + 1 : end
}

/** A text in pieces of about so many characters, which together are the whole. */
export function* piecesOf(text: string, chars: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start, chars)
    yield text.slice(start, end)
    start = end
  }
}
