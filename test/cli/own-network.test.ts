import { describe, expect, test } from 'bun:test'
import type { NetworkInterfaceInfo } from 'node:os'
import { ownNetwork } from '../../src/cli/server/open-address.ts'
import type { Terminal } from '../../src/cli/terminal.ts'

const at = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo
const interfaces = { lo: [at('127.0.0.1', true)], eth0: [at('192.168.1.5')] }

type Given = {
  files?: Readonly<Record<string, string>>
  platform?: string
  env?: Terminal['env']
  name?: string
}

const networkOf = ({ files = {}, platform = 'linux', env = {}, name = 'NAS.fritz.box' }: Given = {}) => {
  const readFile = (path: string) => {
    const text = files[path]
    if (text === undefined) throw new Error(`ENOENT ${path}`)
    return text
  }
  return ownNetwork({ readFile, platform, env } as Terminal, interfaces, name)
}

const avahi = { '/run/avahi-daemon/pid': '612\n', '/proc/612/comm': 'avahi-daemon\n' }
const conf = '/etc/avahi/avahi-daemon.conf'

describe('the name in .local', () => {
  const localName = (given: Given) => networkOf(given).localName

  test('is given only while Avahi runs', () => {
    expect(localName({})).toBeUndefined()
    expect(localName({ files: { '/run/avahi-daemon/pid': '612\n' } })).toBeUndefined()
    expect(localName({ files: { ...avahi, '/proc/612/comm': 'sleep\n' } })).toBeUndefined()
    expect(localName({ files: avahi })).toBe('nas.local')
  })

  test('is the one that its settings name, and none where they publish none', () => {
    const own = '[server]\n#host-name=foo\nhost-name=shelf\n domain-name = lan\n'
    expect(localName({ files: { ...avahi, [conf]: own } })).toBe('shelf.lan')
    const commented = '#host-name=foo\n#disable-publishing=yes\n'
    expect(localName({ files: { ...avahi, [conf]: commented } })).toBe('nas.local')
    for (const off of ['disable-publishing=yes', 'publish-addresses=no'])
      expect(localName({ files: { ...avahi, [conf]: `[publish]\n${off}\n` } })).toBeUndefined()
  })

  test('is that of macOS itself', () => {
    expect(networkOf({ platform: 'darwin', name: 'Mac.local' })).toMatchObject({
      name: undefined,
      localName: 'mac.local',
    })
    expect(localName({ platform: 'darwin', name: 'mac' })).toBeUndefined()
  })
})

test.each(['localhost', 'localhost.localdomain', '3f2a90b1c4d7', 'a b', '<b>', '', 'ä'])(
  '%j is no name for others',
  (name) => {
    expect(networkOf({ name, files: avahi })).toMatchObject({ name: undefined, localName: undefined })
  },
)

test('addresses that the system gives up are known from its table', () => {
  const table = [
    'fd12000000000000000000000000000a 02 40 00 00     eth0',
    '2a02810a00000000000000000000000b 02 40 00 01     eth0',
    '2a02810a00000000000000000000000c 02 40 00 20     eth0',
    'fd12000000000000000000000000000d 02 40 00 80     eth0',
    'broken',
    '',
  ].join('\n')
  expect([...networkOf({ files: { '/proc/net/if_inet6': table } }).passing]).toEqual([
    '[2a02:810a::b]',
    '[2a02:810a::c]',
  ])
})

describe('a container', () => {
  const cable = { '/sys/class/net/eth0/ifindex': '2\n', '/sys/class/net/eth0/iflink': '31\n' }
  const card = { '/sys/class/net/eth0/ifindex': '2\n', '/sys/class/net/eth0/iflink': '2\n' }
  const isHidden = (given: Given) => networkOf(given).isHidden

  test('is hidden where its card is one end of a cable', () => {
    expect(isHidden({ files: { '/.dockerenv': '', ...cable } })).toBe(true)
    expect(isHidden({ files: { '/run/.containerenv': 'engine=podman', ...cable } })).toBe(true)
    expect(isHidden({ files: cable, env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' } })).toBe(true)
  })

  test('is not with the network of its host, and neither is a machine', () => {
    expect(isHidden({ files: { '/.dockerenv': '', ...card } })).toBe(false)
    expect(isHidden({ files: cable })).toBe(false)
  })
})
