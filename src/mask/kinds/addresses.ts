import { any, type Finder, matching } from '../finders.ts'

/** Networks that the standards name, and addresses of every cloud machine: they point to nobody. */
const everyones = new Set(
  `10.0.0.0 172.16.0.0 192.168.0.0 100.64.0.0 169.254.0.0 169.254.169.254 169.254.170.2 169.254.170.23
  fd00:ec2::254 fd00:ec2::23`.split(/\s+/),
)
const version = /(?:section|chapter|version|release|\bver|\brev|==|>=|<=|~=|!=|[\^~])["']?[\s:="'(]{0,6}$/i

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
    if (isPrivate4(address) && !version.test(text.slice(Math.max(0, index - 24), index)))
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
