const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** How large JSON may be beside its bytes. */
export type JsonBounds = {
  /** Levels of arrays and objects. */
  depth: number
  /** Commas outside of texts, one less than there are values in a row. */
  commas: number
}

/**
 * Which bound this JSON breaks, looking no further than that; `undefined` where it breaks none. By the bytes alone,
 * before anything is made of them: 1 ms for 1 MiB.
 */
export const brokenBound = (bounds: JsonBounds, json: Uint8Array): keyof JsonBounds | undefined => {
  let [depth, commas] = [0, 0]
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isText) {
      if (byte === backslash) at++
      else if (byte === quote) isText = false
    } else if (byte === quote) isText = true
    else if (byte === openBracket || byte === openBrace) {
      if (++depth > bounds.depth) return 'depth'
    } else if (byte === closeBracket || byte === closeBrace) depth--
    else if (byte === comma && ++commas > bounds.commas) return 'commas'
  }
  return undefined
}
