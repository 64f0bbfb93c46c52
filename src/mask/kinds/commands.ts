import { any, matching } from '../finders.ts'
import { isStandIn, isStrong } from '../words.ts'

const isReal = (value: string) => !isStandIn(value)

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
    /\b(?:echo|printf)[ \t]{1,4}(?:-\w{1,2}[ \t]{1,4})?["']?[\w.-]{1,64}:(?<value>[^\s"'$<|][^\s"'|]{2,120})\s{0,2}["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd\b/dg,
    isReal,
  ),
  matching(
    /\b(?:echo|printf)[ \t]{1,4}(?:-\w{1,2}[ \t]{1,4})?["']?(?<value>[^\s"'$<|-][^\s"'|]{2,120})\s{0,2}["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-S\b|(?:sudo[ \t]{1,4})?passwd\b[^\n|;&]{0,80}?\s--stdin\b|[^\n|;&]{1,80}\s--password-stdin\b)/dg,
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
