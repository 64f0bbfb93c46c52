import { numberOfWord } from './level-words.ts'

const clock = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`
const zone = String.raw`(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?`
const month = '[A-Z][a-z]{2}'

/** Times as they begin a line, perhaps in brackets. */
const times = [
  String.raw`\d{4}[-/]\d\d[-/]\d\d[T ]${clock}${zone}`,
  String.raw`(?:${month} )?${month} [ \d]\d ${clock}(?: \d{4})?`,
  String.raw`\d{1,2} ?${month} ?\d{4} ${clock}`,
  String.raw`\d{1,2}\.\d{1,2}\.\d{4},? ${clock}`,
  String.raw`\d{1,2}/\d{1,2}/\d{4},? \d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: [AP]M)?`,
  String.raw`\d\d-\d\d ${clock}`,
  clock,
]
/** Of the kernel, in seconds since its start; of Mosquitto and Squid, in seconds since 1970. */
const seconds = String.raw`\[ {0,7}\d{1,7}\.\d{6}\]|1\d{9}(?:(?=: )|\.\d{3}(?= ))`
const time = String.raw`(?:[[(]?(?:${times.join('|')})[\])]?|${seconds})`

/**
 * What docker compose, kubectl, a container's runtime and `docker logs -t` put before the line of a program. A number and a
 * bar is a line of source text that a compiler shows.
 */
const sources = [
  String.raw`((?!\d{1,60} )[\w.-]{1,60}) {0,20}\| `,
  String.raw`\[pod/([\w./-]{1,150})\] `,
  String.raw`\d{4}-\d\d-\d\dT[\d:.Z+-]{8,30} (std(?:out|err)) [FP] `,
]
const dockerTime = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z `

/** The host and the unit of journald and syslog, or the names of RFC 5424. */
const unit = String.raw`(\S{1,100}) [^\s:[\]]{1,60}(\[\d{1,8}\])?: `

/** klog has the letter of the level before the time. */
const own = String.raw`(?:([IWEF])\d{4}(?:\d{4})? )?${time}(?=\W|$)([\s:|,-]{0,4})(${unit})?`

const start = new RegExp(`^((?:${sources.join('|')})?(?:${dockerTime})?)(?:${own})?`)
const startOfOwn = new RegExp(`^${own}`)

/** How a time begins, or what a source wrote: most lines of other kinds end here, and much sooner. */
const mayBegin = /^(?:[\d[(]|[A-Z][a-z]{2} [A-Z\d ]|[IWEF]\d{4}|[\w.-]{1,60} {0,20}\| )/

/** How a line of a log begins. */
export type LineStart = {
  /** What is read of the line; of a record of docker, what is inside. */
  line: string
  /** The length of the time, and of what a container put before it; 0 without. */
  timeChars: number
  /** What the program wrote, without its time and what separates that, and without the host and the unit of a journal. */
  rest: string
  /** The same with its indentation. */
  indented: string
  /** The letter of klog before the time. */
  letter: string | undefined
  /** What carried the line: a container, or the process of a journal. The time is the carrier's, unless it `hasTime`. */
  carrier: string | undefined
  /** True for a time that the program wrote. */
  hasTime: boolean
}

const lineOf = /^\{"log":"((?:[^"\\]|\\.){0,250})/
const decoded: Readonly<Record<string, string>> = { n: '', r: '', t: '\t' }

/** The line inside a record of docker's JSON. */
const lineInRecord = (head: string) =>
  lineOf
    .exec(head)?.[1]
    ?.replace(/\\u001b\[[0-9;:?]{0,30}[a-zA-Z]/g, '')
    .replace(/\\(.)/g, (_, letter: string) => decoded[letter] ?? letter)

/** What is behind a time, with its indentation. @param end of the time and what separates it */
const indentedBehind = (line: string, end: number) => {
  let start = end
  while (line[start - 1] === ' ' || line[start - 1] === '\t') start--
  return line.slice(Math.min(start + 1, end))
}

/** The line behind what the journal put there. @param carrier the host and the process */
const startInJournal = (line: string, timeChars: number, text: string, carrier: string): LineStart => {
  const found = mayBegin.test(text) ? startOfOwn.exec(text) : null
  if (!found)
    return { line, timeChars, rest: text, indented: text, letter: undefined, carrier, hasTime: false }
  const [all, letter, , names = ''] = found
  const indented = indentedBehind(text, all.length - names.length)
  return { line, timeChars, rest: text.slice(all.length), indented, letter, carrier, hasTime: true }
}

/** Written out, because spreading takes as long as reading the line. */
const bare = (line: string): LineStart => {
  const [rest, indented, letter, carrier] = [line, line, undefined, undefined]
  return { line, timeChars: 0, rest, indented, letter, carrier, hasTime: false }
}

const startOfLine = (line: string): LineStart => {
  const found = mayBegin.test(line) ? start.exec(line) : null
  if (!found || found[0] === '') return bare(line)
  // By index: taking the parts out of the list one after the other was a third of the time of a log.
  const [all, letter, gap, names, host] = [found[0], found[5], found[6], found[7] ?? '', found[8]]
  const carrier = found[1] === '' ? undefined : (found[2] ?? found[3] ?? found[4] ?? 'docker')
  const rest = line.slice(all.length)
  const timeEnd = all.length - names.length
  const timeChars = timeEnd - (gap ?? '').length
  // `kernel` has no number.
  const isJournal = host !== undefined && (found[9] !== undefined || all.endsWith(' kernel: '))
  if (isJournal && numberOfWord(host) === undefined)
    return startInJournal(line, timeChars, rest, names.trim())
  const indented = gap === undefined ? rest : indentedBehind(line, timeEnd)
  return { line, timeChars, rest, indented, letter, carrier, hasTime: gap !== undefined }
}

/** @param head the first characters of a line */
export const startOf = (head: string): LineStart => {
  if (head.charCodeAt(0) !== 0x7b) return startOfLine(head)
  const record = lineInRecord(head)
  if (record === undefined) return bare(head)
  const start = startOfLine(record)
  return { ...start, timeChars: 0, carrier: start.carrier ?? 'docker' }
}
