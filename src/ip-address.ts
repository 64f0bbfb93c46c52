import { type BlockList, isIP, isIPv4 } from 'node:net'

/** The IPv4 address in the last two groups of an address such as `::ffff:c0a8:105`. */
const mappedAddress = (ipv6: string) => {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(ipv6) ?? []
  if (high === undefined || low === undefined) return undefined
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.')
}

/**
 * One spelling for each address: IPv4-mapped IPv6 is IPv4. `undefined` for anything else than an address, also for one with
 * a zone (`%eth0`): in a header it would be the zone of another machine.
 */
export const ipAddressOf = (text: string): string | undefined => {
  if (isIPv4(text)) return text
  if (text.includes('%') || isIP(text) !== 6) return undefined
  const ipv6 = new URL(`http://[${text}]`).hostname.slice(1, -1)
  return mappedAddress(ipv6) ?? ipv6
}

/** The same for the peer of a socket, whose zone is left out. */
export const peerAddressOf = (text: string) => ipAddressOf(text.replace(/%.*$/, ''))

/** Networks of both families: `::/0` in one list for both would hold every IPv4 address too. */
export type Networks = {
  ipv4: BlockList
  ipv6: BlockList
  /** True if all addresses of a family are in them. */
  isEverybody: boolean
}

/** @param address in the spelling of `ipAddressOf` */
export const isListed = ({ ipv4, ipv6 }: Networks, address: string) =>
  isIPv4(address) ? ipv4.check(address, 'ipv4') : ipv6.check(address, 'ipv6')

/** Groups of a half of an IPv6 address; none for an empty half. */
const groupsOf = (half: string) => (half === '' ? [] : half.split(':'))

/**
 * The part of an address that one household cannot change: all of IPv4, the first 64 bits of IPv6.
 * @param address in the spelling of `ipAddressOf`
 */
export const networkOf = (address: string) => {
  if (isIPv4(address)) return address
  const [front = '', back] = address.split('::')
  const [first, last] = [groupsOf(front), groupsOf(back ?? '')]
  const zeros = Array(back === undefined ? 0 : 8 - first.length - last.length).fill('0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}

/** True if a server on this host listens on all addresses of the machine. */
export const isEverywhere = (host: string) => host === '0.0.0.0' || host === '::'
