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
