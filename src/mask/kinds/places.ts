import { isName, isStandIn } from '../words.ts'

/** Where a value of a name begins, and what is before it. */
export type Place = {
  text: string
  at: number
  /** The line before the name, as far as 200 characters. */
  before: string
  name: string
  /** What is between the name and the value. */
  gap: string
}

/** The line before a place, as far as 200 characters. */
export const lineBefore = (text: string, at: number) => {
  const before = text.slice(Math.max(0, at - 200), at)
  return before.slice(before.lastIndexOf('\n') + 1)
}
const lineAfter = (text: string, at: number) => /^[^\n\r]*/.exec(text.slice(at, at + 200))?.[0] ?? ''

export const isPassword = (name: string) => /pass|pwd|psk|(?<![a-z\d])pw(?![a-z\d])/i.test(name)

/** The working folder, which shells keep in a variable. */
export const isFolder = (name: string, value: string) =>
  /^(?:old|init_?)?pwd$/i.test(name) && /^(?:[/~]|[A-Za-z]:[\\/])/.test(value)

/** Names that code gives to what holds a password; `monkey` is none. */
const codeName =
  /^(?:[A-Za-z_$]*(?:pass|pwd|secret|token)[A-Za-z_$]*|(?:[A-Za-z$]{1,40}_){0,4}(?:pw|creds?|key|hash(?:ed)?|value|input|param|arg)(?:_[A-Za-z$]{1,40}){0,4})\d?$/i
const camelName = /^[a-z]{1,40}(?:Pw|Creds?|Key|Hash|Value|Input|Param|Arg)\d?$/
/** Words of code, those that manuals write in capitals or in place of a value, and states. */
const codeWord =
  /^(?:[A-Z][A-Z_-]*|await|async|function|typeof|lambda|yield|require|new|this|self|name|file|path|text|word|from|prompt|enabled|disabled|always|never|auto|plain|hidden|failed|invalid|expired|missing|wrong|accepted|changed|reset)$/
const isOfCode = (value: string) =>
  codeName.test(value) ||
  camelName.test(value) ||
  codeWord.test(value) ||
  (isName(value) && !/^\d{4,}$/.test(value))

const upperName = /(?:^|[\s;])["']?[A-Z][A-Z0-9_]*$/
const lineStart = /^\s*(?:- )?["']?$/
/** True for a variable of a shell or of settings, `NAME=…`: there, a plain word is a value as well. */
export const isVariableAt = ({ before, name, gap }: Place) =>
  gap.startsWith('=') && upperName.test(before + name)

/** The same for `NAME: value` in YAML, which has the line to itself: code has a comma there. */
export const isUpperKeyAt = ({ text, at, before, name, gap }: Place, value: string) =>
  /^:[ \t]/.test(gap) &&
  lineStart.test(before) &&
  /^[A-Z][A-Z0-9_]*$/.test(name) &&
  /^(?:"[^\s"]+"|'[^\s']+'|[^\s,;]+)(?:\s+#.*)?\s*$/.test(lineAfter(text, at)) &&
  !isOfCode(value)

/** The rest of a line without marks of code, and without the next name of a form: `password=a&user=b`. */
const valueAlone = /^(?:[^\s"'`<>,;&|()[\]{}\\]|&(?!&|[\w.-]{1,60}=)){1,199}\r?$/

/** True if the value has the line to itself, so it ends at a space. */
export const isAloneAt = (place: Place) => {
  const { text, at, before, gap } = place
  if (isVariableAt(place)) return true
  return lineStart.test(before) && (gap !== '=' || valueAlone.test(lineAfter(text, at)))
}

const settingsLine = /^\s*(?:- )?["']?[\w.-]{2,60}["']?\s*[:=]\s*[^\s(){}[\];,]+(?:\s+[#;].*)?\s*$/

/** True if a line around this place is a line of settings as well: code has other marks. */
export const isAmongSettings = ({ text, at, before, name, gap }: Place) => {
  const start = at - gap.length - name.length - before.length
  const lines = text.slice(Math.max(0, start - 120), at + 320).split(/\r?\n/)
  const own = text.slice(Math.max(0, start - 120), start).split('\n').length - 1
  const isSetting = (line: string | undefined) =>
    line !== undefined && (settingsLine.test(line) || /^\s*\[[^\]]+\]\s*$/.test(line))
  return settingsLine.test(lines[own] ?? '') && (isSetting(lines[own - 1]) || isSetting(lines[own + 1]))
}

/** Names of passwords alone: `bypass` and `first_pass` are none. */
const passwordName = /(?:pass(?:word|wd|phrase|code)|pwd|psk|(?<![a-z\d])pw)\d{0,2}$/i
const declared = /(?:\b(?:var|let|const)\s|[$@>])$/
/** True if a bracket is open at the end of a line, or of the string there: that of JSON is around a log as well. */
const isInBrackets = (before: string, [opening, closing] = ['([{', ')]}']) => {
  const isInString = before.split('"').length % 2 === 0
  const inner = isInString ? before.slice(before.lastIndexOf('"')) : before
  const last = (marks = '') => Math.max(...[...marks].map((mark) => inner.lastIndexOf(mark)))
  return last(opening) > last(closing)
}

/** A value in a line such as `Server=db;User Id=app;Password=…`. */
export const isConnectionAt = ({ text, at, before, gap }: Place, value: string) =>
  gap === '=' &&
  /(?:server|host|data source|uid|user(?: ?id|name)?)\s?=/i.test(before + lineAfter(text, at)) &&
  !isOfCode(value) &&
  // Arguments: `connect(user=user, password=phrase)`.
  !(isInBrackets(before, ['(', ')']) && /^[A-Za-z_]+$/.test(value))

/** True if code stands around a value without quotes, which ends at `end`: there, a word is a name. */
const isInCode = ({ text, before, name }: Place, end: number) => {
  const after = lineAfter(text, end)
  if (isInBrackets(before) || declared.test(before) || /^(?:this|self)\b/i.test(name)) return true
  if (/^\s*$/.test(before) && /^\)?[,;]\s*$/.test(after)) return true
  return (
    /^(?:\|\||&&|[?:]\s|\s?[=!+*]=|\s[-+*/?&|]\s)/.test(after) || (name.includes('.') && /^[,;)]/.test(after))
  )
}

/** Words behind a flag in a sentence. */
const prose =
  /^(?:is|are|was|can|may|must|will|should|has|have|and|or|not|to|for|in|on|of|if|as|at|by|with|without|when|then|that|this|the|an?|it|you|your|options?|flags?|arguments?|parameters?|value|instead|via|only|also|which|where|but|does|takes|given|sets?|be|so|prompt)$/i
/** What commands have behind the value of a flag: their end, another flag, or one more word. */
const commandEnd = /^["'`)]?(?:\s*$|\s+(?:[-\\|;&><]|\S+\s*$)|[;&|])/

/** True for a word without quotes that is a value where it stands, although words elsewhere are names. */
export const isPlainValueAt = (place: Place, value: string, end: number) => {
  const { text, name, gap } = place
  if (!passwordName.test(name) || value.length < 4 || isStandIn(value) || isOfCode(value)) return false
  if (gap === ' ') return !prose.test(value) && commandEnd.test(lineAfter(text, end))
  const isNumbered = value.length >= 6 && /\d/.test(value)
  return (gap === '=' || (isNumbered && /^:[ \t]*$/.test(gap))) && !isInCode(place, end)
}

/** True for a number in quotes, and a word in quotes right behind `=`: a label stands behind a colon, or apart. */
export const isPlainStringAt = ({ text, at, before, name, gap }: Place, value: string) => {
  if (!passwordName.test(name)) return false
  if (/^\d{6,}$/.test(value)) return true
  const quote = text[at] ?? ''
  // With an odd number of quotes before it, this one ends a string: `'&password='+value+'&'`.
  const isEnd = before.replace(/\w'\w/g, '').split(quote).length % 2 === 0
  return gap === '=' && value.length >= 4 && !isEnd && !isOfCode(value)
}
