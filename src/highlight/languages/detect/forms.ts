import { printParseErrorCode, visit } from 'jsonc-parser'
import { isFunctionOfGo, startOf, traceLineOf } from '../../log.ts'

/** What the detection reads of a text. */
export type Beginning = {
  /** The first 64 KiB. */
  text: string
  /** False if the text goes on. */
  isWhole: boolean
  /** The first lines that are not blank, without their ends; long ones are cut. */
  lines: readonly string[]
  /** If the text goes on, the end of the line that was cut, and the beginning of the line after it. */
  next: string
}

/** In characters. */
const mostRead = 64 * 1024
const longestLine = 512

const mostLinesRead = 300

const lineEnd = 10

const sampleLines = (text: string, isWhole: boolean) => {
  const lines: string[] = []
  for (let at = 0; at < text.length && lines.length < mostLinesRead; ) {
    if (text.charCodeAt(at) === lineEnd) {
      at++
      continue
    }
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    // A line that was cut in its middle is no evidence.
    if (found === -1 && !isWhole && lines.length > 0) break
    const line = text.slice(at, Math.min(end, at + longestLine)).replace(/\r$/, '')
    if (/\S/.test(line)) lines.push(line)
    at = end + 1
  }
  return lines
}

const nextOf = (whole: string) => {
  const end = whole.indexOf('\n', mostRead)
  return end < 0 ? '' : whole.slice(end - 2, end + longestLine)
}

export const beginningOf = (whole: string): Beginning => {
  const text = whole.slice(0, mostRead).replace(/^\ufeff/, '')
  const isWhole = whole.length <= mostRead
  return { text, isWhole, lines: sampleLines(text, isWhole), next: isWhole ? '' : nextOf(whole) }
}

/** The share of the lines for which this is true. */
export const shareOf = (lines: readonly string[], isIt: (line: string) => boolean) =>
  lines.length === 0 ? 0 : lines.filter(isIt).length / lines.length

/** What the first line of a text says for certain. */
const openings: readonly (readonly [RegExp, string])[] = [
  [/^\s{0,99}<\?php\b/i, 'php'],
  [/^\s{0,99}<!doctype\s{1,9}html\b/i, 'html'],
  [/^\s{0,99}<html[\s>]/i, 'html'],
  [/^\s{0,99}<svg[\s>]/, 'xml'],
  [/^\s{0,99}<!DOCTYPE\s{1,9}\w/, 'xml'],
]

/** Certificates, keys and signatures. There is no grammar for them. */
const isArmoured = (lines: readonly string[]) => {
  const at = lines.findIndex((line) => /^-----BEGIN [A-Z0-9 ]{1,60}-----$/.test(line))
  return (
    at >= 0 && lines.slice(at + 1, at + 9).some((line) => /^[A-Za-z0-9+/=]{16,76}$|^[A-Z][\w-]*: /.test(line))
  )
}

/** The language that a text says at its beginning, or shows by what nothing else has: escape sequences, armour. */
export const languageOfOpening = ({ text, lines }: Beginning) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for a sequence of a terminal
  if (/\x1b\[[\d;]{0,30}[mKHJA-D]/.test(text)) return 'ansi'
  const [first = ''] = lines
  const found = openings.find(([pattern]) => pattern.test(first))
  if (found) return found[1]
  if (/^\s{0,99}<\?xml[\s?]/.test(first))
    return lines.slice(0, 6).some((line) => /<!DOCTYPE html|<html[\s>]/i.test(line)) ? 'html' : 'xml'
  return isArmoured(lines) ? 'text' : undefined
}

const directives =
  'server|location|listen|server_name|upstream|http|events|proxy_pass|proxy_set_header|proxy_\\w{3,40}|fastcgi_\\w{3,40}|' +
  'uwsgi_\\w{3,40}|scgi_\\w{3,40}|ssl_\\w{3,40}|try_files|worker_processes|worker_connections|access_log|error_log|rewrite|' +
  'add_header|gzip|gzip_\\w{3,40}|sendfile|keepalive_timeout|client_max_body_size|default_type|autoindex|limit_req\\w{0,40}'

const isDirective = (line: string) => isKnown.test(line)
const isKnown = new RegExp(`^\\s*(?:${directives})\\s[^=]*[;{]\\s*(?:#.*)?$`)
const isComment = (line: string) => /^\s*#/.test(line)
/** Any other directive, the end of a block, or the end of a directive that has several lines. */
const isStatement = (line: string) => /^\s*(?:[a-z_]+\s[^=]*[;{]|\}|[^={}]*;)\s*(?:#.*)?$/.test(line)

/** A configuration of nginx, or a part of one: directives that end with `;` or open a block. */
export const languageOfNginx = ({ lines }: Beginning) => {
  const own = lines.filter((line) => !isComment(line))
  const known = own.filter(isDirective).length
  if (known < 2 || known < 0.3 * own.length) return
  return own.filter((line) => isDirective(line) || isStatement(line)).length >= 0.9 * own.length
    ? 'nginx'
    : undefined
}

/** `@@ -1,3 +1,3 @@`; a merge has one more `@` and one more range for each parent. */
const isHunk = (line: string) =>
  /^@@@{0,3}(?: -\d{1,9}(?:,\d{1,9})?){1,4} \+\d{1,9}(?:,\d{1,9})? @@/.test(line)
const isChange = (line: string) => /^[-+ \\@]/.test(line)
const isHeader = (line: string) => /^(diff -|index [\da-f]{4}|--- |\+\+\+ |Index: |=====)/.test(line)

/** A part of a diff without a header: added and removed lines. What merely begins with `-` is a list. */
export const isPartOfDiff = ({ lines }: Beginning) =>
  lines.every(isChange) && ['+', '-'].every((sign) => lines.some((line) => line.startsWith(sign)))

const bareHead = /^\d{1,9}(?:,\d{1,9})?[acd]\d{1,9}(?:,\d{1,9})?$/
const isBare = (line: string) =>
  /^(?:[<>](?: |$)|---$|\\ No newline|diff |Only in )/.test(line) || bareHead.test(line)

/** What `diff` prints without options: `5,7c8`, then lines behind `<` and `>`. */
const isBareDiff = (lines: readonly string[]) =>
  lines.some((line, at) => bareHead.test(line) && /^[<>] /.test(lines[at + 1] ?? '')) && lines.every(isBare)

/** `diff -c`: `*** 1,3 ****` after a line of stars. */
const isContextDiff = (lines: readonly string[]) =>
  lines.some(
    (line, at) => line === '***************' && /^\*\*\* \d[\d,]{0,20} \*{4}$/.test(lines[at + 1] ?? ''),
  )

/**
 * A hunk after its header, in which most lines are those of a diff: Markdown may quote one. A part of a diff has no header,
 * and nearly every line is one of a hunk.
 */
export const languageOfDiff = ({ lines }: Beginning) => {
  const hunk = lines.findIndex(isHunk)
  if (hunk < 0) return isBareDiff(lines) || isContextDiff(lines) ? 'diff' : undefined
  const [minus = '', plus = ''] = lines.slice(Math.max(0, hunk - 2), hunk)
  const hasHeader = minus.startsWith('--- ') && plus.startsWith('+++ ')
  const [own, least] = hasHeader ? [lines.slice(hunk), 0.6] : [lines, 0.8]
  return shareOf(own, (line) => isChange(line) || isHeader(line)) >= least ? 'diff' : undefined
}

/** The line below the header of a table: `|---|:-:|`. */
const isRule = (line: string) => /^\s{0,3}\|(?:\s{0,20}:?-{1,200}:?\s{0,20}\|){1,99}\s{0,20}$/.test(line)
const isRow = (line: string) => /^\s{0,3}\|.{0,500}\|\s{0,20}$/.test(line)
const columnsOf = (line = '') => line.split('|').length

/** A table of Markdown, perhaps with a few lines around it. */
const isMarkdownTable = (lines: readonly string[]) => {
  const rule = lines.findIndex(isRule)
  return rule > 0 && columnsOf(lines[rule]) === columnsOf(lines[rule - 1]) && shareOf(lines, isRow) >= 0.5
}

/** Elements that other languages of tags do not have. */
const opening =
  /^\s{0,99}<(?:div|span|p|ul|ol|li|h[1-6]|table|thead|tbody|tr|td|th|form|nav|main|section|article|footer|button|input|img|select|label|head|body|meta|link)(?:\s[^<>]{0,400})?\/?>/i
const closing =
  /(?:<\/[a-z][\w-]{0,40}>|\/>|<(?:br|hr|img|input|meta|link)(?:\s[^<>]{0,400})?>|-->)\s{0,99}$/i
/** Templates, components, and Markdown with tags in it. */
const isOther = (line: string) =>
  /\{\{|\{%|<[?%]|\bclassName=|=\{|\s(?:v-|@|:|\*ng)\w|^(?:#{1,6} |```|[-*] )/.test(line)

/** A part of a page: tags from its first line to its last one, most of them known ones. */
const isHtmlPart = ({ lines, isWhole }: Beginning) => {
  if (!opening.test(lines[0] ?? '') || (isWhole && !closing.test(lines.at(-1) ?? ''))) return false
  return (
    shareOf(lines, (line) => opening.test(line)) >= 0.3 &&
    shareOf(lines, (line) => /^\s{0,99}</.test(line)) >= 0.7 &&
    !lines.some(isOther)
  )
}

/** Parts of pages, and tables of Markdown: too few words for the model. */
export const languageOfMarkup = (beginning: Beginning) => {
  if (isMarkdownTable(beginning.lines)) return 'markdown'
  return isHtmlPart(beginning) ? 'html' : undefined
}

const mark =
  /^\s{0,3}(?:#{1,6} |[=-]{3,}\s{0,9}$|```|~~~|> |[*+] |- \[[ x]\] |\|)|\]\(|\*\*\S|`[^`]{1,200}`|<[a-z]{1,20}[ >]/

/** True if a text has anything of Markdown apart from lists with dashes and numbers, which prose has as well. */
export const hasMarkdown = ({ lines }: Beginning) => lines.some((line) => mark.test(line))

/** A table shows itself in its first rows. */
const [mostRows, mostColumns, mostChars] = [100, 500, 16 * 1024]

const quote = 34

/** Splits the beginning of a text into rows, quotes respected; a row that is not whole is left out. */
const rowsOf = ({ text, isWhole, lines }: Beginning, separator: string) => {
  const rows: string[][] = []
  if (!lines[0]?.includes(separator)) return rows
  const [cut, length] = [separator.charCodeAt(0), Math.min(text.length, mostChars)]
  let [row, start, isQuoted]: [string[], number, boolean] = [[], 0, false]
  for (let at = 0; at <= length && rows.length < mostRows && row.length < mostColumns; at++) {
    const code = at < length ? text.charCodeAt(at) : -1
    if (code === quote && (isQuoted || at === start)) isQuoted = !isQuoted
    if (isQuoted && code !== -1) continue
    const isEnd = code === lineEnd || (code === -1 && isWhole && length === text.length && !isQuoted)
    if (!isEnd && code !== cut) continue
    row.push(text.slice(start, at).replace(/\r$/, ''))
    start = at + 1
    if (!isEnd) continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}

const isValue = (cell: string) => /^"?[-+]?[\d.,:/TZ -]{1,40}%?"?$/.test(cell) && /\d/.test(cell)

/** Cells of prose and of programs: a blank before, a bracket or a quotation mark that is no cell's. */
const isCode = (cell: string) =>
  /^[ \t]+\S|^[('[{<]|[;{}(\\]$|^\/\/|=>|["'][\])]$/.test(cell) || cell.length > 400

const isName = (cell: string) => /^"?[A-Za-z_][\w .-]{0,40}"?$/.test(cell)

/** Words below a header: no name of a column is in that column, and no cell begins with a blank, as in prose. */
const isNamed = ([head = [], ...rows]: readonly string[][]) =>
  rows.length >= 2 &&
  head.every(isName) &&
  rows.every(
    (row) =>
      row.length === head.length &&
      row.every((cell, at) => cell.length <= 60 && cell !== head[at] && !/^\s|\s$/.test(cell)),
  )

const isTable = (rows: readonly string[][], isLoose: boolean) => {
  const width = rows[0]?.length ?? 0
  if (width < 2 || rows.length < (width > 3 ? 2 : 3)) return false
  const even = rows.filter((row) => row.length === width).length
  if (even < 0.95 * rows.length) return false
  const cells = rows.flat()
  if (cells.filter(isCode).length > 0.05 * cells.length) return false
  // Code that ends with a separator, or is indented by it.
  if (
    rows.filter((row) => row[0] === '' || (row.at(-1) === '' && row[0]?.startsWith(' '))).length >
    rows.length / 2
  )
    return false
  if (width === 3 && isNamed(rows)) return true
  const valued = rows.filter((row) => row.some(isValue)).length
  return isLoose || width > 3 || valued >= 0.6 * rows.length
}

/** CSV or TSV: rows of as many cells each. Two or three columns need numbers or dates, for prose has commas as well. */
export const languageOfTable = (beginning: Beginning) => {
  if (isTable(rowsOf(beginning, '\t'), true)) return 'tsv'
  if (isTable(rowsOf(beginning, ','), false)) return 'csv'
  return isTable(rowsOf(beginning, ';'), false) ? 'csv' : undefined
}

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const date = '\\d{4}[-/.]\\d\\d[-/.]\\d\\d'
const clock = '\\d\\d:\\d\\d:\\d\\d'
const level = '(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE)'

/** How lines of logs begin: after a name of a container, or the priority of syslog. */
const stamps = [
  `\\[?${date}[T ]${clock}`,
  `\\[?${month} {1,2}\\d{1,2} ${clock}`,
  `\\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} \\d\\d ${clock}`,
  `\\[?\\d{1,2}(?:\\.\\d{1,2}\\.|${month}|/\\d{1,2}/)\\d{4},? \\d{1,2}:\\d\\d:\\d\\d`,
  `\\[?${clock}(?:[.,]\\d{1,9})?(?:\\]|\\s)`,
  '\\[ {0,12}\\d{1,12}\\.\\d{3,6}\\] ',
  '1\\d{9}(?:: |\\.\\d{3} {1,8}\\d)',
  `[IWEF]\\d{4} ${clock}`,
  `[\\w.:-]{1,60} \\S{1,40} \\S{1,40} \\[\\d\\d/${month}/\\d{4}:`,
  `time="${date}T`,
  `(?:ts|time|level|lvl)=\\S{1,40} (?:\\S{1,60} )?(?:ts|time|level|lvl|caller|msg)=`,
  `\\[?${level}\\]?:? `,
  `\\d\\d-\\d\\d ${clock}\\.\\d{3} {1,6}\\d{1,7} {1,6}\\d{1,7} [VDIWEFA] `,
  '[VDIWEFA]/[^(]{1,60}\\( {0,6}\\d{1,7}\\): ',
  'npm (?:ERR!|WARN|error|warn|notice|http|verbose|sill)(?: |$)',
  '(?:trce|dbug|info|warn|fail|crit): [\\w.`+<>]{1,200}\\[\\d{1,9}\\]$',
]
const isStamped = (pattern: RegExp) => (line: string) => pattern.test(line)
const isLog = isStamped(
  new RegExp(`^(?:<\\d{1,3}>(?:\\d )?|[\\w.-]{1,40} {0,20}\\| ?)?(?:${stamps.join('|')})`),
)

/** Compose numbers its containers, and leaves two spaces behind the longest name. */
const isOfCompose = isStamped(/^[\w.-]{1,60}[-_]\d{1,3} {2,20}\|(?: [^|]*)?$/)
const fewestOfCompose = 2

const isGoCall = (text: string) => /\((?:0x|\{0x|\.\.\.\)|\)$)/.test(text) && isFunctionOfGo(text)

/** Lines that belong to the one before, behind what carried them: a stack trace, a message of several lines. */
const isContinued = (line: string) => {
  const { indented } = startOf(line)
  return /^\s/.test(indented) || traceLineOf(indented) !== undefined || isGoCall(indented)
}

const fewestLines = 3

/** At least three in five lines, those of stack traces left out, begin with a time or a level. */
const hasStamps = (lines: readonly string[]) => {
  const own = lines.filter((line) => isLog(line) || !isContinued(line))
  return own.filter(isLog).length >= fewestLines && shareOf(own, isLog) >= 0.6
}

/** Nearly all lines have the name of a container, of two at least: one alone may be a table. */
const isCompose = (lines: readonly string[]) => {
  const names = new Set(lines.filter(isOfCompose).map((line) => line.slice(0, line.indexOf(' '))))
  return names.size >= fewestOfCompose && lines.length >= fewestLines && shareOf(lines, isOfCompose) >= 0.9
}

/** How a trace begins. */
const opens =
  /^(?:Traceback \(most recent call last\):|thread '[^']{1,100}' (?:\(\d{1,9}\) )?panicked at |panic: |fatal error: |goroutine \d{1,9} \[|Exception in thread "|Unhandled exception\. |[\w$.]{1,150}(?:Error|Exception)(?:: |$))/
/** A panic of Rust has no frames unless one asks for them: its place, a message, and this. */
const adviceOfRust = /^note: run with `RUST_BACKTRACE=/
const shortPanic = 4
const mostBefore = 3
const fewestFrames = 2

const hasFrames = (trace: readonly string[]) => {
  const frames = trace.filter((line) => traceLineOf(line) === 'frame' || isGoCall(line))
  return frames.length >= fewestFrames && shareOf(trace, isContinued) >= 0.75
}

/** A stack trace alone, perhaps with the command before it: it has frames, and hardly anything else. */
const isTrace = (lines: readonly string[]) => {
  const first = lines.slice(0, mostBefore + 1).findIndex((line) => opens.test(line))
  if (first < 0 || lines.some((line) => line.startsWith('```'))) return false
  const trace = lines.slice(first)
  return hasFrames(trace) || (trace.length <= shortPanic && trace.some((line) => adviceOfRust.test(line)))
}

/** A log: by times and levels, by the names of containers, or a stack trace alone. */
export const languageOfLog = ({ lines }: Beginning) =>
  hasStamps(lines) || isCompose(lines) || isTrace(lines) ? 'log' : undefined

/** Deeper values take the parser long, and nobody reads them. */
const maxDepth = 200

/** A value at the beginning of a text. */
type Value = {
  /** True for JSON with comments or trailing commas. */
  isLenient: boolean
  /** Where more follows behind it, if anything does. */
  end?: number
}

/** Thrown through the library, which would go on. */
type Stop = { at: number; isEnd: boolean; isRest: boolean }

/** What of a value is JSON, and where it is none. */
const createWatch = (text: string) => {
  const seen = { isFilled: false, hasName: false, hasComment: false, hasTrailingComma: false }
  let [depth, wasComma] = [0, false]
  const begin = (offset: number) => {
    seen.isFilled ||= depth > 0
    wasComma = false
    if (++depth > maxDepth) throw { at: offset, isEnd: false, isRest: false } satisfies Stop
  }
  const end = () => {
    depth--
    seen.hasTrailingComma ||= wasComma
    wasComma = false
  }
  const visitor = {
    ...{ onObjectBegin: begin, onArrayBegin: begin, onObjectEnd: end, onArrayEnd: end },
    onObjectProperty: () => {
      seen.isFilled = seen.hasName = true
      wasComma = false
    },
    onLiteralValue: () => {
      seen.isFilled = true
      wasComma = false
    },
    onSeparator: (mark: string) => {
      wasComma = mark === ','
    },
    onComment: () => {
      seen.hasComment = true
    },
    onError: (code: number, at: number, length: number) => {
      const isRest = printParseErrorCode(code) === 'EndOfFileExpected'
      throw { at, isRest, isEnd: !isRest && at + length >= text.length } satisfies Stop
    },
  }
  return { seen, visitor }
}

/** @returns where the library stopped, if it did not reach the end */
const stopIn = (text: string, visitor: object): Stop | undefined => {
  try {
    visit(text, visitor, { disallowComments: false, allowTrailingComma: true })
    return undefined
  } catch (stop) {
    if (typeof stop === 'object' && stop !== null && 'isRest' in stop) return stop as Stop
    throw stop
  }
}

/**
 * Reads an object or a list with something in it: `[]` and `{}` are texts of many languages.
 * @param isWhole false if the text goes on, so its value may
 */
const readValue = (text: string, isWhole: boolean): Value | undefined => {
  const { seen, visitor } = createWatch(text)
  const stop = stopIn(text, visitor)
  if (!seen.isFilled || (stop && !stop.isRest && (isWhole || !stop.isEnd))) return
  const isLenient = seen.hasComment || seen.hasTrailingComma
  // Other languages have lists like this.
  if (isLenient && !seen.hasName) return
  return { isLenient, ...(stop?.isRest && { end: stop.at }) }
}

/** Records that are looked at. */
const mostRecords = 20

/** Values that each have a line. */
const isLines = (text: string, isWhole: boolean) => {
  let rest = text
  for (let record = 0; record < mostRecords; record++) {
    const value = readValue(rest, isWhole)
    if (!value || value.isLenient) return false
    if (value.end === undefined) return record > 0
    const line = rest.slice(0, value.end)
    if (!line.includes('\n', line.trimEnd().length) || line.trim().includes('\n')) return false
    rest = rest.slice(value.end)
  }
  return true
}

const isValid = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const jsonOpening = /^\s*[[{]/

/** True if the first line is a whole value, and another one follows. A line that is longer than the text may be whole. */
const isLongRecord = (text: string, next: string) => {
  const from = text.trimStart()
  const end = from.indexOf('\n')
  if (end < 0) return /^.?[\]}]\r?\n\s*[[{]/.test(next)
  return jsonOpening.test(from.slice(end)) && isValid(from.slice(0, end))
}

/** What the library reads. The runtime is ten times as fast, but cannot read a part of a value. */
const mostVisited = 16 * 1024

/** JSON, JSON with comments, or JSON lines. Of a text that is longer than what is read, the beginning has to be valid. */
export const languageOfJson = ({ text, isWhole, next }: Beginning) => {
  if (!jsonOpening.test(text) && !/^\s*\/[/*]/.test(text)) return
  const head = text.slice(0, mostVisited)
  const isAll = isWhole && head.length === text.length
  const value = readValue(head, isAll)
  if (!value) return
  if (value.end !== undefined) return isLines(head, isAll) ? 'jsonl' : undefined
  if (value.isLenient) return 'jsonc'
  if (!isAll && !head.trim().includes('\n') && isLongRecord(text, next)) return 'jsonl'
  return isAll || !isWhole || isValid(text) ? 'json' : undefined
}

/** Sections that only units of systemd have. */
const isUnit = (line: string) =>
  /^\[(?:Unit|Service|Install|Socket|Timer|Mount|Automount|Swap|Path|Slice|Scope)\]\s*$/.test(line)
const isSetting = (line: string) => /^[A-Z][A-Za-z0-9]*=|^[#;]|^\s/.test(line)

/** A unit of systemd, or a part with a section of it. */
export const languageOfUnit = ({ lines }: Beginning) => {
  const sections = lines.filter((line) => line.startsWith('['))
  if (sections.length === 0 || !sections.every(isUnit)) return
  return shareOf(lines, (line) => isUnit(line) || isSetting(line)) >= 0.9 ? 'systemd' : undefined
}

const isIniComment = (line: string) => /^\s*[#;]/.test(line)
const isSection = (line: string) => /^\[[^\]]{1,99}\]\s*$/.test(line)
const isPair = (line: string) => /^\s*[\w.*@:/-][\w.*@:/ -]{0,80}=/.test(line)
/** What TOML would have in quotation marks. */
const isBareSetting = (line: string) =>
  isPair(line) && !/=\s*(?:$|["'[{\d+-]|true\b|false\b|inf\b|nan\b)/.test(line)

/** INI: sections of names with values. Some values are none in TOML. */
export const languageOfIni = ({ lines }: Beginning) => {
  const [first = ''] = lines.filter((line) => !isIniComment(line))
  if (!isSection(first) || !lines.some(isBareSetting)) return
  const isIts = (line: string) => isIniComment(line) || isSection(line) || isPair(line) || /^\s/.test(line)
  return lines.every(isIts) ? 'ini' : undefined
}

/** `/dev/sda1 / ext4 defaults 0 1` */
const isMount = (line: string) =>
  /^\S{1,200}\s{1,99}(?:\/\S{0,200}|none|swap)\s{1,99}[a-z][\w.,]{1,20}\s{1,99}\S{1,200}(?:\s{1,99}[01]\s{1,9}[012])?\s{0,9}$/.test(
    line,
  )
/** `/ip address` and `add address=…` of RouterOS. */
const isMenu = (line: string) => /^\/[a-z][a-z0-9 -]{1,60}$/.test(line)
const isCommand = (line: string) => /^(?:add|set|remove|disable|enable|print) |^\s{4}/.test(line)

/** Settings with a strict form for which there is no grammar: `fstab`, and what a router of MikroTik exports. */
export const languageOfSettings = ({ lines }: Beginning) => {
  const own = lines.filter((line) => !isIniComment(line))
  if (own.length === 0) return
  if (own.every(isMount)) return 'text'
  return own.some(isMenu) &&
    own.some(isCommand) &&
    shareOf(own, (line) => isMenu(line) || isCommand(line)) >= 0.9
    ? 'text'
    : undefined
}
