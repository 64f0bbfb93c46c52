import { any, type Finder, matching } from '../finders.ts'

/** Networks that the standards name, and addresses of every cloud machine: they point to nobody. */
const everyones = new Set(
  `10.0.0.0 172.16.0.0 192.168.0.0 100.64.0.0 169.254.0.0 169.254.169.254 169.254.170.2 169.254.170.23
  fd00:ec2::254 fd00:ec2::23`.split(/\s+/),
)
const versionWord =
  /(?:section|chapter|version|release|\bver|\brev|==|>=|<=|~=|!=|[\^~])["']?[\s:="'(]{0,6}$/i

const isPrivate4 = (address: string) => {
  const parts = address.split('.').map(Number)
  const [a = 0, b = 0] = parts
  if (parts.some((part) => part > 255) || everyones.has(address)) return false
  return (
    a === 10 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127)
  )
}

const ipv4 =
  /(?<![\w.]|[A-Za-z]-)(?:10|100|169|172|192)(?:\.(?:0|[1-9]\d{0,2})){3}(?!\w|\.\d|\.[A-Za-z]|-[A-Za-z])/g

/** Private, shared (CGNAT) and link-local addresses of IPv4. Not where the words before it say it is a version. */
export const ipv4Addresses: Finder = function* (text) {
  for (const { 0: address, index } of text.matchAll(ipv4))
    if (isPrivate4(address) && !versionWord.test(text.slice(Math.max(0, index - 24), index)))
      yield [index, index + address.length]
}

const isIpv6 = (address: string) => {
  if (everyones.has(address.toLowerCase())) return false
  const halves = address.split('::')
  const groups = halves.flatMap((half) => half.split(':')).filter((group) => group !== '')
  return halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8
}

/** Unique local and link-local addresses of IPv6. */
export const ipv6Addresses = matching(
  /(?<![\w:.])(?<value>(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f])(?::[0-9a-f]{0,4}){1,7}(?<!:))(?!\w|:\w)/dgi,
  isIpv6,
)

const isDevice = (address: string) =>
  !/^(?:(?:00[:-]?){6}|(?:ff[:-]?){6}|0000\.0000\.0000|ffff\.ffff\.ffff|01[:-]00[:-]5e.*|33[:-]33.*)$/i.test(
    address,
  )

const byte = '[0-9a-f]{2}'
/** What netfilter writes behind `MAC=`: to, from, and the type of the frame. */
const frame = {
  to: new RegExp(`(?<=\\bMAC=)(?<value>${byte}(?::${byte}){5})(?=(?::${byte}){8}(?![\\w:]))`, 'dgi'),
  from: new RegExp(
    `(?<=\\bMAC=(?:${byte}:){6})(?<value>${byte}(?::${byte}){5})(?=(?::${byte}){2}(?![\\w:]))`,
    'dgi',
  ),
}

/** `00:1a:2b:3c:4d:5e`, with dashes, by four as some routers write it, or in a log of a firewall; not those of everyone. */
export const macAddresses: Finder = any(
  matching(
    /(?<![\w:.*-])(?<value>[0-9a-f]{2}(?::[0-9a-f]{2}){5}|(?=[\d-]{0,16}[a-f])[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|(?=[\d.]{0,13}[a-f])(?=[a-f.]{0,13}\d)[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})(?![\w:-]|\.\w)/dgi,
    isDevice,
  ),
  matching(frame.to, isDevice),
  matching(frame.from, isDevice),
)

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
