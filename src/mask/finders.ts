/** Where a value is: the index of its first character, and that after its last. */
export type Span = readonly [from: number, to: number]

/** Finds the values of one kind. Linear: every step back or forward from a hit is bounded. */
export type Finder = (text: string) => Iterable<Span>

/** One kind of value that is masked. */
export type FinderRow = {
  /** Its name in placeholders and on the command line. Several rows may share it. */
  kind: string
  /** One of it, in the words of a message; `s` or `es` makes it several. */
  words: string
  find: Finder
  /** True if it says who or where somebody is, and opens nothing. */
  isPersonal?: true
}

const isWordCode = (code: number) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)

/** True if no word runs into this place. */
export const isLeftEdge = (text: string, at: number) => at === 0 || !isWordCode(text.charCodeAt(at - 1))

const samples = /example|sample|x{4}|0{6}|\*{3}|1234567890|abcdefgh|your[-_]|redacted|placeholder/i

/** True if a value may be made by chance: not a word, not a sample of a manual. */
export const isRandom = (value: string) =>
  (/\d|^[A-Z]{16}$/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value))) &&
  new Set(value).size >= Math.min(6, value.length / 2) &&
  !samples.test(value)

/**
 * What begins with one of these literals and goes on like this.
 * @param body sticky, with a bound on its length
 */
export const startingWith = (starts: string, body: RegExp): Finder =>
  function* (text) {
    for (const start of starts.split(' '))
      for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + start.length)) {
        if (!isLeftEdge(text, at)) continue
        body.lastIndex = at + start.length
        const [found] = body.exec(text) ?? []
        if (found !== undefined && isRandom(found)) yield [at, at + start.length + found.length]
      }
  }

/**
 * What the group `value` of a pattern holds.
 * @param hints literals; the pattern is tried after each of them
 * @param pattern sticky, with a bound on its length and the indices of its groups
 */
export const after = (
  hints: string,
  pattern: RegExp,
  isRight: (value: string) => boolean = () => true,
): Finder =>
  function* (text) {
    for (const hint of hints.split('|'))
      for (let at = text.indexOf(hint); at >= 0; at = text.indexOf(hint, at + hint.length)) {
        pattern.lastIndex = at + hint.length
        const span = spanOf(pattern.exec(text), isRight)
        if (span) yield span
      }
  }

const spanOf = (found: RegExpExecArray | null, isRight: (value: string) => boolean): Span | undefined => {
  const span = found?.indices?.groups?.value
  return span && isRight(found?.groups?.value ?? '') ? span : undefined
}

/** What the group `value` of a pattern holds. @param pattern global, with the indices of its groups */
export const matching = (pattern: RegExp, isRight: (value: string) => boolean = () => true): Finder =>
  function* (text) {
    for (const found of text.matchAll(pattern)) {
      const span = spanOf(found, isRight)
      if (span) yield span
    }
  }

/** What any of these finds. */
export const any = (...finders: readonly Finder[]): Finder =>
  function* (text) {
    for (const find of finders) yield* find(text)
  }

/** What people write in place of a value: a variable, a template, a type, a word of a manual. */
const standIns =
  /^(?:[$%#<{[(@*&!^\\|?~]|\.|process\b|os\.|env[.(]|null|none|nil|true|false|undefined|void|string|number|boolean|object|any|bytes?|str\b|bool\b|u?int\d*\b|float\d*\b|uint8|optional|required|unset|empty|default|change|replace|insert|enter|some|todo|fixme|xxx|abc(?:d|123)|foo|bar\b|baz|test|dummy|fake|mock|sha\d|md5|hmac|utf|base\d\d|hs\d{3}|rs\d{3}|es\d{3}|aes|0x|-[A-Za-z@]|\/[\^([\\]|oauth|openid|http|x509|v\d)/i
const inside =
  /\$\{|\{\{|\}\}|<|>|\.\.\.|…|(?<!\w)%[sdv](?!\w)|%\(|\*{3}|x{4}|:\/\/|example|sample|your[-_]?|redacted|masked|placeholder|\\u\{?[0-9a-f]/i
const keyWords =
  /pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|api[-_]?key|key|auth|my|the|user|admin|root|login|new|old/gi

/** True if this stands for a value, rather than being one. */
export const isStandIn = (value: string) =>
  standIns.test(value) ||
  inside.test(value) ||
  /^(.)\1*$/.test(value) ||
  value.replace(keyWords, '').replace(/[-_.\s]/g, '').length < 3

/** A name of code (`config.token2`, `next-token`), a path, a time or a size. */
export const isName = (value: string) =>
  /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+$/.test(value) ||
  /^[A-Za-z_]\w*::\$?[A-Za-z_]/.test(value) ||
  /^(?:\.{0,2}|~|[A-Za-z]:)[\\/][\w.-]*[\\/]/.test(value) ||
  /^[\w.-]+\.(?:ya?ml|json|txt|pem|key|crt|env|js|ts|py|go|html?|md|conf|php)$/i.test(value) ||
  /^\d+(?:\.\d+)*(?:px|[mun]?s|m|h|d|[kmgt]i?b?|r?em|%)?$/i.test(value)

/** Letters and digits, or letters and marks that words do not have. */
export const isStrong = (value: string) => {
  if (value.length < 6 || isName(value)) return false
  const [hasLetter, hasDigit] = [/[A-Za-z]/.test(value), /\d/.test(value)]
  return hasLetter && (hasDigit || /[!@#$%^&*?+=~].*[^!?.:]$/.test(value))
}

/** Words joined as in a passphrase: `three-plain-words`. */
export const isPassphrase = (value: string) => /^[a-z]{3,12}(?:-[a-z]{3,12}){2,7}$/.test(value)

/** A word with numbers in it, which code has as names as often as people have it as a password. */
export const isNumberedWord = (value: string) => /^[A-Za-z_]{2,}(?:\d{1,4}[A-Za-z_]{3,})*\d{0,4}$/.test(value)
