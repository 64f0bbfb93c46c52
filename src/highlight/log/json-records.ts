/** The end of a string of JSON. @param at its first quote */
const endOfString = (text: string, at: number) => {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text[before - 1] === '\\') before--
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}

/** `s` is MongoDB's, `PRIORITY` the journal's. */
const level =
  /"(?:(?:log\.?)?[Ll]evel|LEVEL|levelname|[Ss]everity|SEVERITY|severity_?[Tt]ext|SeverityText|lvl|@l|s|PRIORITY)" ?: ?"?(\w{1,12})(?![\w.])/y

/**
 * `t` and `@t` are MongoDB's and Serilog's; MongoDB has `{"$date":"…"}`, Google Cloud `{"seconds":1764000000}`. Digits, or
 * words with a clock: a day alone is no time.
 */
const time =
  /"(?:@?timestamp|time|ts|t|@t|asctime|datetime|date|eventTime|__REALTIME_TIMESTAMP)" ?: ?(?:\{"(?:\$date|seconds)" ?: ?)?"?(\d{10,19}(?:\.\d{1,9})?(?![\w.])|[^"{}]{0,30}\d:\d\d[^"{}]{0,30})/y

/** The word of the level of a record, and its time as it is written there. */
export type RecordFields = { level?: string; time?: string }

const isAt = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/**
 * What a record of JSON says of itself; what is deeper inside is about something else.
 * @param text the start of a line
 * @param isForTime true to look for the time, too, which takes longer
 */
export const fieldsOfRecord = (text: string, isForTime = false): RecordFields => {
  const fields: RecordFields = {}
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x22) {
      if (depth === 1) {
        const word = fields.level === undefined ? isAt(level, text, at)?.[1] : undefined
        if (word !== undefined) fields.level = word
        const written = isForTime && fields.time === undefined ? isAt(time, text, at)?.[1] : undefined
        if (written !== undefined) fields.time = written
      }
      if (fields.level !== undefined && (!isForTime || fields.time !== undefined)) break
      at = endOfString(text, at)
    } else if (character === 0x7b || character === 0x5b) depth++
    else if (character === 0x7d || character === 0x5d) depth--
  }
  return fields
}
