import { BlockList, isIP, isIPv4 } from 'node:net'
import { ipAddressOf, type Networks } from '../ip-address.ts'

const expected = 'comma-separated addresses or CIDRs'

/** Bits of the prefix of an IPv4 address inside IPv6, `::ffff:0:0/96`. */
const mappedBits = 96

const lengths = { 4: 32, 6: 128 } as const

/** @throws {Error} whose message says what is expected */
const parseNetwork = (entry: string) => {
  const [typed = '', prefix, ...rest] = entry.split('/')
  // `peerAddressOf` leaves it out, so a neighbour on every other interface would count as well.
  if (typed.includes('%'))
    throw new Error(`${expected} without a zone such as %eth0, which cannot be checked`)
  const version = isIP(typed) as 0 | 4 | 6
  const isPrefix = prefix === undefined || /^\d{1,3}$/.test(prefix)
  if (version === 0 || !isPrefix || rest.length) throw new Error(expected)
  const length = Number(prefix ?? lengths[version])
  if (length > lengths[version]) throw new Error(expected)
  const address = ipAddressOf(typed) ?? typed
  if (version === 4 || !isIPv4(address)) return { address, length }
  return length < mappedBits ? { address: typed, length } : { address, length: length - mappedBits }
}

/** Networks of either family, separated by commas; `undefined` for none. */
export const parseNetworks = (raw: string): Networks | undefined => {
  if (raw === '') return undefined
  const [ipv4, ipv6] = [new BlockList(), new BlockList()]
  let isEverybody = false
  for (const entry of raw.split(',')) {
    const { address, length } = parseNetwork(entry.trim())
    if (isIPv4(address)) ipv4.addSubnet(address, length, 'ipv4')
    else ipv6.addSubnet(address, length, 'ipv6')
    isEverybody ||= length === 0
  }
  return { ipv4, ipv6, isEverybody }
}
