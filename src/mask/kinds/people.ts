import { type Finder, matching } from '../finders.ts'

/** Accounts of systems, images and manuals: they name nobody. */
const commonAccounts = new Set(
  `user users username name me you yourname your-name someone somebody anyone root admin administrator nobody
  shared public default guest all app apps node git www www-data web ubuntu debian fedora centos alpine arch
  ec2-user azureuser opc pi vagrant docker runner runneradmin circleci travis jenkins gitlab-runner builder build
  linuxbrew vscode codespace coder gitpod jovyan test tester testuser example foo bar baz xxx home data`.split(
    /\s+/,
  ),
)
const fileEnd = /\.(?:html?|php|jsx?|tsx?|css|png|svg|jpe?g|json|md|py|txt|vue)$/i

const isAccount = (name: string) =>
  !commonAccounts.has(name.toLowerCase()) && !fileEnd.test(name) && !/^(?:[.~_-]|\d+$)/.test(name)

const posix =
  /(?<![\w.~*-]|[\w.-]\/)(?:\/mnt(?:\/[\w-]{2,30})?)?(?:\/[a-z])?\/(?:(?:(?:var|usr|export)\/)?(?:home|Users)|(?:volume\d{1,2}|var\/services|share)\/homes)\/(?<value>[^\s/\\:"'`<>|*?,;()[\]{}$%&#=!@]{2,64})(?=[/\\:"'`<>|,;()\]}&\s]|$)/dg
const windows =
  /\b[A-Za-z]:[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4}(?<value>[^\\/:*?"'<>|\r\n%${},;]{2,64}(?=[\\/])|[^\s\\/:*?"'<>|%${},;]{2,64})/dg

/** Names in `/home/NAME`, `/Users/NAME` and `C:\Users\NAME`, and where a NAS keeps homes. */
export const userNames: Finder = function* (text) {
  yield* matching(posix, isAccount)(text)
  yield* matching(windows, isAccount)(text)
}

const local = /[A-Za-z0-9._%+-]{1,64}$/
const domain = /(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}(?![\w-]|\.\w)/y
/** Domains for manuals, names of algorithms, endings of files and of systemd's units, and senders that read nothing. */
const noDomain =
  /(?:^|\.)(?:example\.(?:com|org|net|edu)|example|test|invalid|localhost|localdomain|users\.noreply\.github\.com|openssh\.com|libssh\.org|png|jpe?g|gif|svg|webp|ico|m?[jt]sx?|css|json|html?|xml|ya?ml|toml|txt|so|service|socket|timer|target|mount|path|slice)$/i
const noPerson =
  /^(?:git|noreply|no-reply|donotreply|do-not-reply|user|username|name|you|your\.?name|me|foo|bar|test|someone|somebody|email|mail)$/i

/** Addresses of people. */
export const emails: Finder = function* (text) {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    domain.lastIndex = at + 1
    const [host] = domain.exec(text) ?? []
    if (host === undefined || noDomain.test(host)) continue
    const name = local.exec(text.slice(Math.max(0, at - 65), at))?.[0].replace(/^[.%+-]+/, '') ?? ''
    const from = at - name.length
    // `ssh://name@host` names an account, and `a@b@c` is none.
    if (name === '' || noPerson.test(name) || text.startsWith('//', from - 2) || text[from - 1] === '@')
      continue
    yield [from, at + 1 + host.length]
  }
}
