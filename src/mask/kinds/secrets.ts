import {
  after,
  any,
  type Finder,
  isName,
  isNumberedWord,
  isPassphrase,
  isRandom,
  isStandIn,
  isStrong,
  matching,
  type Span,
} from '../finders.ts'

/** Where a value of a name begins, and what is before it. */
type SecretPlace = {
  text: string
  at: number
  /** The line before the name, as far as 200 characters. */
  before: string
  name: string
  /** What is between the name and the value. */
  gap: string
}

/** The line before a place, as far as 200 characters. */
const lineBefore = (text: string, at: number) => {
  const before = text.slice(Math.max(0, at - 200), at)
  return before.slice(before.lastIndexOf('\n') + 1)
}
const lineAfter = (text: string, at: number) => /^[^\n\r]*/.exec(text.slice(at, at + 200))?.[0] ?? ''

const isPassword = (name: string) => /pass|pwd|psk|(?<![a-z\d])pw(?![a-z\d])/i.test(name)

/** The working folder, which shells keep in a variable. */
const isFolder = (name: string, value: string) =>
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
const isVariableAt = ({ before, name, gap }: SecretPlace) =>
  gap.startsWith('=') && upperName.test(before + name)

/** The same for `NAME: value` in YAML, which has the line to itself: code has a comma there. */
const isUpperKeyAt = ({ text, at, before, name, gap }: SecretPlace, value: string) =>
  /^:[ \t]/.test(gap) &&
  lineStart.test(before) &&
  /^[A-Z][A-Z0-9_]*$/.test(name) &&
  /^(?:"[^\s"]+"|'[^\s']+'|[^\s,;]+)(?:\s+#.*)?\s*$/.test(lineAfter(text, at)) &&
  !isOfCode(value)

/** The rest of a line without marks of code, and without the next name of a form: `password=a&user=b`. */
const valueAlone = /^(?:[^\s"'`<>,;&|()[\]{}\\]|&(?!&|[\w.-]{1,60}=)){1,199}\r?$/

/** True if the value has the line to itself, so it ends at a space. */
const isAloneAt = (place: SecretPlace) => {
  const { text, at, before, gap } = place
  if (isVariableAt(place)) return true
  return lineStart.test(before) && (gap !== '=' || valueAlone.test(lineAfter(text, at)))
}

const settingsLine = /^\s*(?:- )?["']?[\w.-]{2,60}["']?\s*[:=]\s*[^\s(){}[\];,]+(?:\s+[#;].*)?\s*$/

/** True if a line around this place is a line of settings as well: code has other marks. */
const isAmongSettings = ({ text, at, before, name, gap }: SecretPlace) => {
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
const isConnectionAt = ({ text, at, before, gap }: SecretPlace, value: string) =>
  gap === '=' &&
  /(?:server|host|data source|uid|user(?: ?id|name)?)\s?=/i.test(before + lineAfter(text, at)) &&
  !isOfCode(value) &&
  // Arguments: `connect(user=user, password=phrase)`.
  !(isInBrackets(before, ['(', ')']) && /^[A-Za-z_]+$/.test(value))

/** True if code stands around a value without quotes, which ends at `end`: there, a word is a name. */
const isInCode = ({ text, before, name }: SecretPlace, end: number) => {
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
const isPlainValueAt = (place: SecretPlace, value: string, end: number) => {
  const { text, name, gap } = place
  if (!passwordName.test(name) || value.length < 4 || isStandIn(value) || isOfCode(value)) return false
  if (gap === ' ') return !prose.test(value) && commandEnd.test(lineAfter(text, end))
  const isNumbered = value.length >= 6 && /\d/.test(value)
  return (gap === '=' || (isNumbered && /^:[ \t]*$/.test(gap))) && !isInCode(place, end)
}

/** True for a number in quotes, and a word in quotes right behind `=`: a label stands behind a colon, or apart. */
const isPlainStringAt = ({ text, at, before, name, gap }: SecretPlace, value: string) => {
  if (!passwordName.test(name)) return false
  if (/^\d{6,}$/.test(value)) return true
  const quote = text[at] ?? ''
  // With an odd number of quotes before it, this one ends a string: `'&password='+value+'&'`.
  const isEnd = before.replace(/\w'\w/g, '').split(quote).length % 2 === 0
  return gap === '=' && value.length >= 4 && !isEnd && !isOfCode(value)
}

const keyWord =
  /pass(?:word|wd|phrase|code)|(?<![a-z])pass(?![a-z])|(?<![a-z])PASS(?![A-Z])|Pass(?![a-z])|pwd|secret|token|(?:api|access|auth|account|encryption|signing|master|private|storage|license|preshared)[-_. ]?key|credential|(?<![a-z@_])psk(?!\w)|(?<![a-z\d])pw(?![a-z\d])/gi
/** What may follow the word in a name: others, such as `_type` or `Url`, name no secret. */
const suffix =
  /(?:[_.-]?(?:\d{1,3}|key|base|value|prod\w{0,8}|dev\w{0,8}|stag\w{0,4}|live|main|master|primary|secondary|old|new|current|admin|user|plain|raw|string|default|hash|id_rsa)){0,3}/iy
/** What comes before it in names of other things, as `next_token` and `nextToken`. */
const otherWords =
  'public csrf xsrf page next prev previous continuation sync lexer parser stop eos bos pad unk special cancel cancellation max num min total prompt completion input output first last syntax keyword operator literal no forgot reset confirm repeat show hide is has with require required requires invalid wrong missing'
const either = otherWords.replaceAll(' ', '|')
const capital = otherWords.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()).replaceAll(' ', '|')
const snakeOther = new RegExp(`(?:^|[-_.])(?:${either})[-_.]?$`, 'i')
const camelOther = new RegExp(`[a-z](?:${capital})$`)
/** What comes before `token` in names of what is no secret. */
const otherTokens = /(?:request|action|client|grant|term)[-_.]?$/i
const quoteOrGap = /(?:\\?["'`]\]?)?[ \t]{0,20}/y
const separator = /(?:=>|:=|[:=](?!=))[ \t]{0,20}/y
const bare = {
  judged: /(?:\\{0,2}[^\s"'`<>,;&|)\]}\\]){3,128}/y,
  rest: /(?:\\{0,2}[^\s"'`<>,;&|)\]}\\])*/y,
}
const alone = { judged: /[^\s"'`]{3,128}/y, rest: /[^\s"'`]*/y }

/** What code and sentences put behind a value. */
const marksBehind = /[,;)\]}]{1,4}$/

const skip = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Code between two strings: `'&password=' + value + '&'`. */
const joined = /^\s?[+.]\s?[\w$.()[\]]{1,80}\s?[+.]\s?$/

/** A value in quotes on one line, without spaces where it may be a sentence. */
const quoted = (place: SecretPlace): Span | undefined => {
  const { text, at, name } = place
  const from = text[at] === '\\' ? at + 2 : at + 1
  const quote = text.slice(at, from)
  const to = text.slice(from, from + 4000).search(quote === "'" ? /['\n]/ : quote === '`' ? /[`\n]/ : /["\n]/)
  if (to < 0 || text[from + to] === '\n') return undefined
  const value = text.slice(from, from + to)
  const length = value.endsWith('\\') && quote.startsWith('\\') ? to - 1 : to
  const shown = value.slice(0, length)
  if (isStandIn(shown) || joined.test(shown)) return undefined
  if ((isVariableAt(place) || isUpperKeyAt(place, shown)) && shown.length >= 4) return [from, from + length]
  const isRight =
    isStrong(shown) || (isPassword(name) && isPassphrase(shown)) || isPlainStringAt(place, shown)
  return isRight && !/\s/.test(shown) ? [from, from + length] : undefined
}

/** True for a value without quotes that is one, up to `end`: settings have words there, code has names. */
const isValue = (place: SecretPlace, value: string, end: number) => {
  const { name, before } = place
  if (isStandIn(value) || /[()[\]]/.test(value)) return false
  const isSure = [isVariableAt, isUpperKeyAt, isConnectionAt].some((isAt) => isAt(place, value))
  if (isSure && value.length >= 4) return true
  if (isPlainValueAt(place, value, end)) return true
  if (!isStrong(value)) return isPassword(name) && isPassphrase(value)
  const isSetting = name.startsWith('--') || /[?&]$/.test(before)
  return isSetting || !isNumberedWord(value) || isAmongSettings(place)
}

/**
 * A value without quotes: it ends at a space where it has the line to itself, else at the marks of addresses and code. Only
 * its beginning is judged, so a text that is full of names takes no longer.
 */
const unquoted = (place: SecretPlace): Span | undefined => {
  const { text, at } = place
  const { judged, rest } = isAloneAt(place) ? alone : bare
  const end = skip(judged, text, at)
  if (end === undefined || '([{'.includes(text[end] ?? ' ')) return undefined
  const value = text.slice(at, end).replace(marksBehind, '')
  if (!isValue(place, value, at + value.length)) return undefined
  const to = skip(rest, text, end) ?? end
  return [at, to - (marksBehind.exec(text.slice(to - 4, to))?.[0].length ?? 0)]
}

/** Where the value of a name that ends here begins, and what is between. */
const valueAt = (text: string, end: number, isFlag: boolean) => {
  const named = skip(quoteOrGap, text, end) ?? end
  const at = skip(separator, text, named)
  if (at !== undefined) return { at, gap: text.slice(end, at) }
  return isFlag && /[ \t]/.test(text[end] ?? '') ? { at: named, gap: ' ' } : undefined
}

/** Values of names that say they are secret, such as `password=`, as far as `isWanted` knows the name. */
const assigned = (isWanted: (name: string) => boolean): Finder =>
  function* (text) {
    let last = 0
    for (const { 0: word, index } of text.matchAll(keyWord)) {
      if (index < last) continue
      const prefix = /[\w.-]*$/.exec(text.slice(Math.max(0, index - 40), index))?.[0] ?? ''
      const end = skip(suffix, text, index + word.length) ?? 0
      if (/\w/.test(text[end] ?? '') || snakeOther.test(prefix) || camelOther.test(prefix)) continue
      if (/^token$/i.test(word) && otherTokens.test(prefix)) continue
      const name = prefix + text.slice(index, end)
      if (!isWanted(name)) continue
      const value = valueAt(text, end, prefix.startsWith('--'))
      if (!value) continue
      const before = lineBefore(text, index - prefix.length)
      // A path, such as `/etc/passwd` or `arn:aws:…:secret:name`.
      if (before.endsWith('/') || (value.gap === ':' && before.endsWith(':'))) continue
      if (isFolder(name, text.slice(value.at, value.at + 4).replace(/^\\?["']/, ''))) continue
      const place = { text, before, name, ...value }
      const span = /["'`\\]/.test(text[value.at] ?? '') ? quoted(place) : unquoted(place)
      if (!span) continue
      last = span[1]
      yield span
    }
  }

const isAws = (name: string) => /aws.*secret|secret_?access_?key/i.test(name)

export const awsSecrets = assigned(isAws)
export const passwords = assigned((name) => isPassword(name) && !isAws(name))
export const secrets = assigned((name) => !isPassword(name) && !isAws(name))

const isReal = (value: string) => !isStandIn(value)
const isRealAndStrong = (value: string) => isReal(value) && isStrong(value)

export const jwts = matching(
  /(?<![\w-])(?<value>eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{0,2000})(?![\w-])/dg,
)

const isRandomWithDigit = (value: string) => /\d/.test(value) && isRandom(value)

/** `Bearer …` in headers and logs, and the other words of `Authorization:`. */
export const bearers = any(
  matching(/\bbearer[ \t]{1,4}["']?(?<value>[\w.~+/=-]{16,4000})/dgi, isRandomWithDigit),
  matching(
    /\bauthorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:token|apikey|api-key|key|digest)?[ \t=]{0,4}["']?(?<value>[\w.~+/=-]{16,4000})(?!\s*\()/dgi,
    isRandomWithDigit,
  ),
)

/** True if it is a name and a password. */
const isNameAndPassword = (value: string) => {
  try {
    return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(atob(value))
  } catch {
    return false
  }
}
export const basics = matching(/\bbasic[ \t]{1,4}(?<value>[A-Za-z0-9+/]{6,400}={0,2})/dgi, isNameAndPassword)

/** Sessions and tokens in `Cookie:` and `Set-Cookie:`, each value of its own. */
export const cookies = matching(
  /(?<=\bcookie["']?[:=][^\n]{0,600}?(?:sess|sid|token|auth|jwt|login|remember)[\w.-]{0,30}=)(?<value>[\w.~+/%:|-]{16,2000})/dgi,
  isRandom,
)

/** Passwords as systems and programs keep them. */
export const hashes = matching(
  /(?<![\w$])(?<value>\$(?:2[abxy]|5|6|1|y|apr1|argon2id?|argon2i|scrypt|pbkdf2-sha\d{1,3})\$[\w$./=,+-]{20,250}|\{SSHA(?:256|512)?\}[A-Za-z0-9+/]{28,120}={0,2})/dg,
)

/** `scheme://name:password@host` */
export const urlPasswords = after(
  '://',
  /[^\s/:@"'`<>{}()$%\\]{0,64}:(?<value>[^\s/@"'`<>{}()$]{3,200})@[\w.[-]/dy,
  (value) => isReal(value) && !/^(?:pass|password|pw|pwd|secret)$/i.test(value),
)

/** Words and numbers with marks between them, as in a long name of an account. */
const isJoinedWords = (value: string) =>
  value.split(/[-_]/).every((part) => /^(?:[A-Z]?[a-z]{0,14}|[A-Z]{1,14})\d{0,4}$/.test(part))

/** `https://token@host`, as for git; before other schemes' hosts are names of accounts. */
export const urlTokens = after(
  'http://|https://',
  /(?<value>[\w-]{20,255})(?::(?:x-oauth-basic)?)?@[\w.[-]/dy,
  (value) => isRandomWithDigit(value) && !isJoinedWords(value),
)

/** XML and lists of settings, whose names and values are apart. */
export const pairedSecrets = any(
  matching(
    /<(?:[\w:.-]{0,30})(?:password|passwd|secret|token|api-?key)>(?<value>[^<>\s]{4,256})<\//dgi,
    isRealAndStrong,
  ),
  matching(
    /key="[^"\n]{0,60}(?:password|secret|token|apikey)"\s{1,8}value="(?<value>[^"\s]{4,256})"/dgi,
    isRealAndStrong,
  ),
  matching(
    /\bname:\s{0,4}["']?[A-Z0-9_]{0,40}(?:PASS(?:WORD|WD)?|SECRET|TOKEN|API_KEY|SECRET_KEY)["']?\s{0,4}\n\s{1,40}value:\s{0,4}["']?(?<value>[^\s"'$<][^\s"']{3,255})/dg,
    isReal,
  ),
  // ESPHome's key for its API.
  matching(
    /\bencryption:[ \t]{0,4}\r?\n[ \t]{1,40}key:[ \t]{0,4}["']?(?<value>[A-Za-z0-9+/]{43}=)/dg,
    isRandom,
  ),
)

/** Longer lists of lines hold no key: an RSA key of 16,384 bits has 13 KB. */
const longestBlock = 20_000

const head = /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
/** What is between two lines of a key, also in a quoted mail, in code, and in a string of JSON. */
const gap = String.raw`(?:\s|\\[nr]|["'+,>#|])`
const body = new RegExp(
  `(?:${gap}{1,12}(?:[A-Z][\\w-]{2,20}: [^\\n]{1,80}|[A-Za-z0-9+/=]{24,}(?![\\w ]))){1,400}`,
  'y',
)
/** The last lines may be short. */
const foot = new RegExp(
  `(?:${gap}|[A-Za-z0-9+/=]){0,100}-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----`,
  'y',
)

const endOf = (pattern: RegExp, text: string, from: number) => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/** Whole blocks in PEM, of OpenSSH and of PGP, also without their end; not the first line alone, as in sources. */
export const pemKeys: Finder = function* (text) {
  for (const { 0: line, index } of text.matchAll(head)) {
    const cut = endOf(body, text, index + line.length)
    if (cut !== undefined) yield [index, endOf(foot, text, cut) ?? cut]
  }
}

const privateLines = /^Private-Lines: (\d{1,3})\r?\n/gm

/** The private lines of a key file of PuTTY. */
export const puttyKeys: Finder = function* (text) {
  let to = 0
  for (const { 0: line, 1: count, index } of text.matchAll(privateLines)) {
    const from = index + line.length
    if (index < to) continue
    to = from
    for (let left = Number(count); left > 0 && to < text.length; left--) {
      const end = text.indexOf('\n', to)
      to = end < 0 ? text.length : end + 1
    }
    if (to > from && to - from < longestBlock) yield [from, text[to - 1] === '\n' ? to - 1 : to] as Span
  }
}

/** Passwords among the words of commands and in files that have no `=`. */
export const commandPasswords = any(
  matching(
    /\b(?:curl|wget|xh|https?)\b[^\n]{0,200}?\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"'$<{]{1,64}:(?<value>[^\s"'$<{][^\s"']{2,120})/dg,
    isReal,
  ),
  matching(
    /\b(?:docker|podman|nerdctl|buildah|skopeo|registry|oc|az)[ \t]{1,4}login\b[^\n|;&]{0,200}?\s-p[ =]?["']?(?<value>[^\s"'$<-][^\s"']{2,255})/dg,
    isReal,
  ),
  matching(
    /\b(?:smb\w{2,12}|rpcclient|net)\b[^\n|;&]{0,200}?\s(?:-U|--user)[ =]?["']?[^\s%"'$<]{1,64}%(?<value>[^\s"'$<][^\s"']{2,120})/dg,
    isReal,
  ),
  // `echo name:password | chpasswd`, and what else reads a password from its input.
  matching(
    /\b(?:echo|printf)[ \t]{1,4}(?:-\w{1,2}[ \t]{1,4})?["']?[\w.-]{1,64}:(?<value>[^\s"'$<|](?:(?!\\n["'])[^\s"'|]){2,120})(?:\\n)?\s{0,2}["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd\b/dg,
    isReal,
  ),
  matching(
    /\b(?:echo|printf)[ \t]{1,4}(?:-\w{1,2}[ \t]{1,4})?["']?(?<value>[^\s"'$<|-](?:(?!\\n["'])[^\s"'|]){2,120})(?:\\n)?\s{0,2}["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-S\b|(?:sudo[ \t]{1,4})?passwd\b[^\n|;&]{0,80}?\s--stdin\b|[^\n|;&]{1,80}\s--password-stdin\b)/dg,
    isReal,
  ),
  matching(/\bsshpass\s{1,4}-p\s{0,4}["']?(?<value>[^\s"'$<][^\s"']{2,120})/dg, isReal),
  matching(
    /\bmysql(?:dump|admin)?\b[^\n|;&]{0,120}?\s-p(?<value>[^\s"'$<][^\s"']{3,64})/dg,
    (value) => isReal(value) && isStrong(value),
  ),
  matching(
    /(?:\bmachine\s{1,4}\S{1,80}\s{1,8}|^\s{0,8})login\s{1,4}\S{1,64}\s{1,8}password\s{1,4}(?<value>[^\s"'$<][^\s"']{2,120})/dgm,
    isReal,
  ),
  matching(
    /^\s{0,20}(?:requirepass|masterauth|bindpw|rootpw)\s{1,8}["']?(?<value>[^\s"'$<][^\s"']{3,120})/dgm,
    isReal,
  ),
  matching(
    /\b(?:identified\s{1,4}by|(?:with|encrypted|user\s{1,4}[\w"]{1,40})\s{1,4}password)\s{1,4}'(?<value>[^'\s]{4,120})'/dgi,
    isReal,
  ),
)
