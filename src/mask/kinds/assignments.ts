import type { Finder, Span } from '../finders.ts'
import { isNumberedWord, isPassphrase, isStandIn, isStrong } from '../words.ts'
import {
  isAloneAt,
  isAmongSettings,
  isConnectionAt,
  isFolder,
  isPassword,
  isPlainStringAt,
  isPlainValueAt,
  isUpperKeyAt,
  isVariableAt,
  lineBefore,
  type Place,
} from './places.ts'

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
const quoted = (place: Place): Span | undefined => {
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
const isValue = (place: Place, value: string, end: number) => {
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
const unquoted = (place: Place): Span | undefined => {
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
