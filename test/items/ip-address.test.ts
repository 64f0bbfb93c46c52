import { describe, expect, test } from 'bun:test'
import { ipAddressOf, isListed, networkOf, peerAddressOf } from '../../src/ip-address.ts'
import { configOf } from '../support/config.ts'

describe('an address', () => {
  test.each([
    ['192.168.1.5', '192.168.1.5'],
    ['::ffff:192.168.1.5', '192.168.1.5'],
    ['::FFFF:C0A8:105', '192.168.1.5'],
    ['0:0:0:0:0:ffff:c0a8:0105', '192.168.1.5'],
    ['::ffff:255.255.255.255', '255.255.255.255'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    // IPv4-compatible, NAT64 and 6to4 addresses are not those of the IPv4 network.
    ['::192.168.1.5', '::c0a8:105'],
    ['64:ff9b::192.168.1.5', '64:ff9b::c0a8:105'],
  ])('%s is %s', (text, address) => {
    expect(ipAddressOf(text)).toBe(address)
  })

  test.each([
    '',
    'unknown',
    'nas',
    '192.168.1',
    '192.168.1.256',
    '192.168.1.5:80',
    '[::1]',
    '::1::',
    '0x7f.1',
    '127.1',
    '010.0.0.1',
    'fe80::1%eth0',
    '127.0.0.1%lo',
  ])('%j is none', (text) => {
    expect(ipAddressOf(text)).toBeUndefined()
  })

  test('is on a list in any of its spellings', () => {
    const list = configOf({
      flags: { 'guest-from': '192.168.0.0/16,fd00::/8', 'guest-key': 'guests' },
    }).guestFrom
    const isGuest = (text: string) => list && isListed(list, ipAddressOf(text) ?? '')
    for (const text of ['192.168.255.1', '::ffff:192.168.3.4', '::ffff:c0a8:304', 'FD12::1'])
      expect(isGuest(text), text).toBe(true)
    for (const text of ['192.169.0.1', '::ffff:192.169.0.1', 'fe80::1', '::c0a8:304', '10.0.0.1'])
      expect(isGuest(text), text).toBe(false)
  })
})

test('the peer of a socket is its address without the zone', () => {
  expect(['fe80::1%eth0', '::ffff:192.168.1.5', '192.168.1.5', ''].map(peerAddressOf)).toEqual([
    'fe80::1',
    '192.168.1.5',
    '192.168.1.5',
    undefined,
  ])
})

test.each([
  ['192.168.1.5', '192.168.1.5'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['fd00::1:2:3:4', 'fd00:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
