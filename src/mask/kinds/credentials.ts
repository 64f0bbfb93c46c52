import { after, any, isRandom, matching } from '../finders.ts'
import { isStandIn, isStrong } from '../words.ts'

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
