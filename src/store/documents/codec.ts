/** How a document is written as text. `decode` throws an `Error` that says what is wrong with the text. */
export type Codec = {
  encode: (data: unknown) => string
  decode: (text: string) => unknown
}

const parse = (text: string): unknown => {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
  // lowdb would take null for "use the default data" and overwrite the file.
  if (data === null) throw new Error('holds null')
  return data
}

/** Plain JSON: for the few files that a person may edit. */
export const plainJson: Codec = { encode: (data) => JSON.stringify(data), decode: parse }

/** CRC-32 in hexadecimal, of a text as UTF-8. */
export const sumOf = (json: string | Uint8Array) => Bun.hash.crc32(json).toString(16).padStart(8, '0')

/** Puts a document that is JSON already beside its CRC-32. */
export const seal = (json: string) => `{"crc32":"${sumOf(json)}","document":${json}}`

/** Up to the document and no further: to find its end as well takes a regular expression 1 ms in 1 MB. */
const opening = /^\{"crc32":"([0-9a-f]{8})","document":/

/** JSON with its CRC-32 beside it, so that a single flipped bit is found when the document is read. */
export const checkedJson: Codec = {
  encode: (data) => seal(JSON.stringify(data)),
  decode: (text) => {
    const [opened, crc32] = opening.exec(text) ?? []
    if (opened === undefined || !text.endsWith('}'))
      throw new Error(text === '' ? 'is empty' : 'is cut short or no document of this program')
    const json = text.slice(opened.length, -1)
    if (crc32 !== sumOf(json)) throw new Error('does not match its checksum')
    return parse(json)
  },
}
