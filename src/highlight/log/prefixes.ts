const clock = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`
const zone = String.raw`(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?`
const month = '[A-Z][a-z]{2}'

/** Times as they begin a line, perhaps in brackets. */
const times = [
  String.raw`\d{4}[-/]\d\d[-/]\d\d[T ]${clock}${zone}`,
  String.raw`(?:${month} )?${month} [ \d]\d ${clock}(?: \d{4})?`,
  String.raw`\d{1,2} ${month} \d{4} ${clock}`,
  String.raw`\d\d-\d\d ${clock}`,
  clock,
]
const time = String.raw`[[(]?(?:${times.join('|')})[\])]?`

/** What docker compose, kubectl and a container's runtime put before the line of a program. */
const sources = [
  String.raw`[\w.-]{1,60} {0,20}\| `,
  String.raw`\[pod/[^\]\s]{1,150}\] `,
  String.raw`\d{4}-\d\d-\d\dT\S{8,30} std(?:out|err) [FP] `,
]
const source = `(?:${sources.join('|')})`

/** The host and the unit of journald and syslog, or the names of RFC 5424. */
const unit = String.raw`\S{1,100} [^\s:[\]]{1,60}(?:\[\d{1,8}\])?: `

/** klog has the letter of the level before the time. */
const start = new RegExp(
  String.raw`^${source}?(?:(?:([IWEF])\d{4}(?:\d{4})? )?${time}(?=\W|$)([\s:|,-]{0,4}(?:${unit})?))?`,
)

/** How a line of a log begins. */
export type LineStart = {
  /** The length of the time, and of what a container put before it; 0 without. */
  timeChars: number
  /** The line without these, and without the host and the unit of the journal. */
  rest: string
  /** The letter of klog before the time. */
  letter: string | undefined
}

/** @param head the first characters of a line */
export const startOf = (head: string): LineStart => {
  const [all = '', letter, after = ''] = start.exec(head) ?? []
  return { timeChars: all.length - after.length, rest: head.slice(all.length), letter }
}
