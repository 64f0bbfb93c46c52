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

/** `t` and `@t` are MongoDB's and Serilog's. */
const time =
  /"(?:@?timestamp|time|ts|t|@t|asctime|datetime|date|eventTime|__REALTIME_TIMESTAMP)" ?: ?(?=["{\d])/y

/** The word of the level of a record, if it has one, and whether it has a time. */
export type RecordFields = { level?: string; hasTime: boolean }

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
  const fields: RecordFields = { hasTime: false }
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === 0x22) {
      const found = depth === 1 && fields.level === undefined ? isAt(level, text, at) : null
      if (found?.[1] !== undefined) fields.level = found[1]
      if (isForTime && depth === 1) fields.hasTime ||= isAt(time, text, at) !== null
      if (fields.level !== undefined && (!isForTime || fields.hasTime)) break
      at = endOfString(text, at)
    } else if (character === 0x7b || character === 0x5b) depth++
    else if (character === 0x7d || character === 0x5d) depth--
  }
  return fields
}
