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

/** The time of a line, as it is written there. */
export type LineTime = {
  /** `2026-11-23`; `11-23` without a year; `undefined` for a clock alone. */
  date?: string
  clock: string
  /** `UTC`, if the clock was made from seconds. */
  zone?: string | undefined
  /** Milliseconds, to compare with other times of the same text. */
  at: number
  /** True for seconds since the kernel started: no date is comparable with them. */
  isSinceStart?: boolean
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const clock = String.raw`(?<clock>\d\d:\d\d:\d\d)(?:[.,](?<parts>\d{1,9}))?`
const hours = String.raw`(?<clock>\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: [AP]M)?)`
const zone = String.raw`(?: ?(?<zone>Z|UTC|[+-]\d\d:?\d\d))?`
const month = '(?<month>[A-Z][a-z]{2})'

/** Dates and times as logs write them, anywhere in a line. */
const shapes = [
  new RegExp(String.raw`(?<year>\d{4})[-/](?<number>\d\d)[-/](?<day>\d\d)[T ]${clock}${zone}`),
  new RegExp(String.raw`\b(?<day>\d\d)/${month}/(?<year>\d{4}):${clock}${zone}`),
  new RegExp(String.raw`\b(?<day>\d{1,2}) ?${month} ?(?<year>\d{4}) ${clock}${zone}`),
  new RegExp(String.raw`\b(?<day>\d{1,2})\.(?<number>\d{1,2})\.(?<year>\d{4}),? ${clock}`),
  // With a part over 12, or the clock of 12 hours, it is certain which is the day.
  new RegExp(String.raw`\b(?<number>\d{1,2})/(?<day>1[3-9]|2\d|3[01])/(?<year>\d{4}),? ${hours}`),
  new RegExp(String.raw`\b(?<day>1[3-9]|2\d|3[01])/(?<number>\d{1,2})/(?<year>\d{4}),? ${hours}`),
  new RegExp(String.raw`\b(?<number>\d{1,2})/(?<day>\d{1,2})/(?<year>\d{4}),? ${hours}(?<= [AP]M)`),
  new RegExp(String.raw`\b${month} (?<day>[ \d]\d) ${clock}(?: (?<year>\d{4}))?`),
]
/** Without a year or without a date: only at the start of a line. */
const shapesAtStart = [
  new RegExp(String.raw`^[IWEF](?<number>\d\d)(?<day>\d\d) ${clock}`),
  new RegExp(String.raw`^(?<number>\d\d)-(?<day>\d\d) ${clock}`),
  new RegExp(String.raw`^(?:[\w.-]{1,60} {0,20}\| )?[[(]?${clock}`),
]
/** Seconds since the kernel started. */
const sinceStart = /^\[ {0,7}(\d{1,7}\.\d{6})\]/
/** Seconds since 1970 as Mosquitto and Squid write them, and in a field of JSON or logfmt. */
const epochAtStart = /^(1\d{9}(?=: )|1\d{9}\.\d{3}(?= ))/
const epoch = /\b(?:time|ts|timestamp)["']?[:=] ?["']?(\d{10}(?:\d{3}|\d{6}|\d{9}|\.\d{1,9})?)(?!\d)/
/** A field of a record: seconds, milli-, micro- or nanoseconds. */
const epochAlone = /^(\d{10}(?:\d{3}|\d{6}|\d{9}|\.\d{1,9})?)$/

const offsetOf = (zone: string) => {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)/.exec(zone) ?? []
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** A leap year, for dates without a year. */
const anyYear = 2024

const monthNumber = (name: string | undefined, number: string | undefined) =>
  name === undefined ? Number(number) : months.indexOf(name) + 1

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** Milliseconds of the day; `NaN` for none. */
const ofDay = (clock: string, parts: string | undefined) => {
  const [, hour, rest, half] = /^(\d{1,2})(:\d\d:\d\d)(?:[.,]\d{1,9})?(?: ([AP])M)?$/.exec(clock) ?? []
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'P' ? 12 : 0)
  const fraction = parts === undefined ? 0 : Number(`0.${parts}`) * 1000
  return Date.parse(`1970-01-01T${twoDigits(hours)}${rest}Z`) + fraction
}

const fromGroups = (found: Record<string, string | undefined>): LineTime | undefined => {
  const { year, number, month, day, clock = '', parts, zone = '' } = found
  const inDay = ofDay(clock, parts)
  if (Number.isNaN(inDay)) return undefined
  if (day === undefined) return { clock, at: inDay }
  const inYear = `${twoDigits(monthNumber(month, number))}-${twoDigits(Number(day))}`
  const midnight = Date.parse(`${year ?? anyYear}-${inYear}T00:00:00Z`)
  if (Number.isNaN(midnight)) return undefined
  return {
    date: year === undefined ? inYear : `${year}-${inYear}`,
    clock,
    at: midnight + inDay - offsetOf(zone),
  }
}

/** @param digits ten of them are seconds; more without a dot are parts of a second */
const fromEpoch = (digits: string): LineTime => {
  const at = Number(digits.includes('.') ? digits : `${digits.slice(0, 10)}.${digits.slice(10)}`) * 1000
  const iso = new Date(at).toISOString()
  return { date: iso.slice(0, 10), clock: iso.slice(11, 19), zone: 'UTC', at }
}

const fromShape = (shape: RegExp, text: string) => {
  const found = shape.exec(text)
  const time = found?.groups && fromGroups(found.groups)
  return found && time ? { time, index: found.index } : undefined
}

/** The time that begins a line: what comes later is what the line is about. */
const timeAtStart = (head: string): LineTime | undefined => {
  const ofKernel = sinceStart.exec(head)?.[1]
  if (ofKernel !== undefined) return { clock: ofKernel, at: Number(ofKernel) * 1000, isSinceStart: true }
  const digits = epochAtStart.exec(head)?.[1]
  if (digits !== undefined) return fromEpoch(digits)
  for (const shape of shapesAtStart) {
    const found = fromShape(shape, head)
    if (found) return found.time
  }
}

/** The first time in a text; of two at one place, the one whose shape says more. */
const timeWithin = (text: string, digits: RegExp): LineTime | undefined => {
  const [first] = shapes
    .map((shape) => fromShape(shape, text))
    .filter((found) => found !== undefined)
    .sort((a, b) => a.index - b.index)
  const found = digits.exec(text)
  if (first && !(found && found.index < first.index)) return first.time
  return found?.[1] === undefined ? undefined : fromEpoch(found[1])
}

/** The time of a record of JSON: that of its own field, or `undefined` if it has none. */
export const timeOfRecord = (head: string): LineTime | undefined => {
  const { time } = fieldsOfRecord(head, true)
  return time === undefined ? undefined : (timeAtStart(time) ?? timeWithin(time, epochAlone))
}

/** The time of a line, if it has one. @param head its first characters */
export const timeOf = (head: string): LineTime | undefined => {
  const ofRecord = head.startsWith('{') ? timeOfRecord(head) : timeAtStart(head)
  return ofRecord ?? timeWithin(head, epoch)
}

/** Seconds in each unit, and the name of the next smaller one with its seconds, to which a span is rounded. */
const epochUnits = [
  { unit: 'd', seconds: 86_400, smaller: 'h', step: 3600 },
  { unit: 'h', seconds: 3600, smaller: 'min', step: 60 },
  { unit: 'min', seconds: 60, smaller: 's', step: 1 },
]

/** `2 h 38 min`: the two largest units. */
const durationText = (ms: number) => {
  const whole = Math.round(ms / 1000)
  for (const { unit, seconds, smaller, step } of epochUnits) {
    const rounded = Math.round(whole / step) * step
    if (rounded < seconds) continue
    const rest = (rounded % seconds) / step
    return `${Math.floor(rounded / seconds)} ${unit}${rest ? ` ${rest} ${smaller}` : ''}`
  }
  return `${whole} s`
}

const zoned = ({ clock, zone }: LineTime) => (zone === undefined ? clock : `${clock} ${zone}`)
const dated = (time: LineTime) => (time.date === undefined ? zoned(time) : `${time.date} ${zoned(time)}`)

/** Both times; what they share is said once. */
const endsText = (first: LineTime, last: LineTime) => {
  const begin = first.zone === last.zone ? { ...first, zone: undefined } : first
  return first.date === last.date ? `${zoned(begin)} to ${zoned(last)}` : `${dated(begin)} to ${dated(last)}`
}

/** `14:02:11 to 16:40:03, 2 h 38 min`, with dates if they differ. The newest line may come first. */
export const spanText = (first: LineTime, last: LineTime): string => {
  const isSame = first.date === last.date && first.clock === last.clock && first.zone === last.zone
  if (isSame || first.at === last.at) return dated(first)
  // Without dates, the days between are unknown.
  const isUnknown = first.date === undefined && last.at < first.at
  const year = Date.UTC(anyYear + 1, 0) - Date.UTC(anyYear, 0)
  const isNextYear = first.date?.length === 5 && last.at < first.at
  const ms = isNextYear ? last.at + year - first.at : Math.abs(last.at - first.at)
  const ends = endsText(first, last)
  return isUnknown || (first.date === undefined) !== (last.date === undefined)
    ? ends
    : `${ends}, ${durationText(ms)}`
}
