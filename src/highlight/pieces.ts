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
