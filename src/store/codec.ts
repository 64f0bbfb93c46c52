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

const hash = (json: string) => Bun.hash.crc32(json).toString(16).padStart(8, '0')
const head = '{"crc32":"'
const middle = '","document":'
const tail = '}'
const hashEnd = head.length + 8
const documentStart = hashEnd + middle.length

/** By place, for a regular expression takes 1 ms to find the end of 1 MB. */
const isEnvelope = (text: string) =>
  text.startsWith(head) && text.startsWith(middle, hashEnd) && text.endsWith(tail)

/** JSON with its CRC-32 beside it, so that a single flipped bit is found when the document is read. */
export const checkedJson: Codec = {
  encode: (data) => {
    const json = JSON.stringify(data)
    return `${head}${hash(json)}${middle}${json}${tail}`
  },
  decode: (text) => {
    if (!isEnvelope(text))
      throw new Error(text === '' ? 'is empty' : 'is cut short or no document of this program')
    const json = text.slice(documentStart, -tail.length)
    if (text.slice(head.length, hashEnd) !== hash(json)) throw new Error('does not match its checksum')
    return parse(json)
  },
}
