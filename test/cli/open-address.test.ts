import { describe, expect, test } from 'bun:test'
import type { NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import { encode } from 'uqr'
import { lanHosts, type Network, openAddress, placeLines } from '../../src/cli/server/open-address.ts'
import { repository, start, target, temporaryFolder } from '../support/process.ts'
import { openTerminal } from '../support/terminal.ts'

const at = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo

const interfaces = {
  lo: [at('127.0.0.1', true), at('::1', true)],
  docker0: [at('172.17.0.1'), at('fd00:d0::1')],
  'br-0123456789ab': [at('172.18.0.1')],
  veth1: [at('169.254.8.8'), at('fe80::9')],
  tailscale0: [at('100.64.0.7'), at('fd7a::7')],
  eth1: [at('169.254.7.7')],
  eth0: [at('fe80::1'), at('2a02:810a::5'), at('fd12::5'), at('192.168.1.5'), at('2a02:810a::6')],
}
const network: Network = {
  interfaces,
  passing: new Set(['[2a02:810a::6]']),
  name: 'nas',
  localName: undefined,
  isHidden: false,
}
const bound = { publicUrl: undefined, baseUrl: undefined, host: '0.0.0.0', port: 8080, network }

describe('the addresses for other devices', () => {
  test('are those of a network card, before those of VPNs and those nobody gave; none of containers', () => {
    expect(lanHosts(interfaces)).toEqual(['192.168.1.5', '100.64.0.7', '169.254.7.7'])
  })

  test('are IPv6 as well where the server listens on it, without those that pass or need an interface', () => {
    expect(lanHosts(interfaces, '::', network.passing)).toEqual([
      ...['192.168.1.5', 'fd12::5', '2a02:810a::5'],
      ...['100.64.0.7', 'fd7a::7', '169.254.7.7'],
    ])
  })

  test.each(['br0', 'br-lan', 'vmbr0', 'bond0', 'wlan0', 'Ethernet', 'en0'])(
    'may be of the card %s',
    (card) => {
      expect(lanHosts({ [card]: [at('10.0.0.2')] })).toEqual(['10.0.0.2'])
    },
  )

  test.each(['docker_gwbridge', 'cni0', 'podman1', 'virbr0', 'lxdbr0', 'vEthernet (WSL)', 'bridge100'])(
    'are never of %s',
    (card) => {
      expect(lanHosts({ [card]: [at('10.0.0.2')] })).toEqual([])
    },
  )
})

describe('the address to open', () => {
  test.each([
    ['https://nas.lan/x', '0.0.0.0', 8080, 'https://nas.lan/x', false],
    [undefined, '0.0.0.0', 8080, 'http://192.168.1.5:8080', false],
    [undefined, '::', 80, 'http://192.168.1.5', false],
    [undefined, '192.168.1.9', 81, 'http://192.168.1.9:81', false],
    [undefined, 'fe80::2', 8080, 'http://[fe80::2]:8080', false],
    [undefined, '127.0.0.1', 8080, 'http://127.0.0.1:8080', true],
    [undefined, '::1', 8080, 'http://[::1]:8080', true],
    [undefined, 'localhost', 8080, 'http://localhost:8080', true],
    ['http://localhost:81', '0.0.0.0', 8080, 'http://localhost:81', true],
  ])('with the public URL %p and the host %s:%d is %s', (publicUrl, host, port, address, isNear) => {
    expect(openAddress({ ...bound, publicUrl, host, port })).toEqual({ address, isNear })
  })

  test('is that of the machine itself where there is no network', () => {
    const alone = { ...network, interfaces: { lo: interfaces.lo }, localName: 'nas.local' }
    expect(openAddress({ ...bound, network: alone })).toEqual({
      address: 'http://localhost:8080',
      isNear: true,
    })
    expect(placeLines({ ...bound, network: alone })).toEqual(['open http://localhost:8080, on this machine'])
  })
})

describe('the lines of a start', () => {
  const linesOf = (extra: object) => placeLines({ ...bound, ...extra })

  test('begin with the one address to open, and name each other way once', () => {
    expect(linesOf({ network: { ...network, localName: 'nas.local' } })).toEqual([
      'open http://192.168.1.5:8080',
      'or http://nas.local:8080',
      'or http://100.64.0.7:8080',
      'or http://169.254.7.7:8080',
      'or http://nas:8080, if your router knows this name',
      'or http://localhost:8080, on this machine',
    ])
  })

  test('are those that docs/install.md shows', async () => {
    const shown = await Bun.file(join(repository, 'docs/install.md')).text()
    const lan = { lo: interfaces.lo, eth0: [at('192.168.1.5')] }
    const lines = linesOf({ network: { ...network, interfaces: lan, localName: 'nas.local' } })
    expect(shown).toContain(
      `listening on http://0.0.0.0:8080\n${lines.map((line) => `  ${line}\n`).join('')}`,
    )
  })

  test('begin with the addresses that are set', () => {
    const [publicUrl, baseUrl] = ['https://paste.example.org/x', 'https://api.example.org']
    expect(linesOf({ publicUrl, baseUrl }).slice(0, 3)).toEqual([
      'open https://paste.example.org/x',
      'or https://api.example.org, for the API',
      'or http://192.168.1.5:8080',
    ])
    expect(linesOf({ publicUrl, baseUrl: publicUrl })[1]).toBe('or http://192.168.1.5:8080')
    expect(linesOf({ baseUrl })[0]).toBe('open https://api.example.org')
    const own = 'http://192.168.1.5:8080'
    expect(linesOf({ publicUrl: own }).filter((line) => line.includes(own))).toEqual([`open ${own}`])
  })

  test('are few on a machine with many addresses', () => {
    const cards = Array.from({ length: 90 }, (_, at) => at)
    const many = Object.fromEntries(cards.map((card) => [`eth${card}`, [at(`10.0.0.${card}`)]]))
    const lines = linesOf({ network: { ...network, interfaces: many, localName: 'nas.local' } })
    expect(lines).toHaveLength(7)
    expect(lines[4]).toBe('or http://10.0.0.3:8080, and 86 more of its addresses')
  })

  test('say nothing twice on one address', () => {
    expect(linesOf({ host: '127.0.0.1' })).toEqual([])
    expect(linesOf({ host: '192.168.1.5', publicUrl: 'https://nas.lan' })).toEqual([
      'open https://nas.lan',
      'or http://192.168.1.5:8080',
    ])
  })

  test('of a container point at its host, unless an address is set', () => {
    const hidden = { ...network, isHidden: true }
    expect(linesOf({ network: hidden })).toEqual([
      'in a container: open the address of its host, with the port published for 8080',
    ])
    expect(openAddress({ ...bound, network: hidden })).toEqual({ address: undefined, isNear: true })
    expect(linesOf({ network: hidden, publicUrl: 'https://nas.lan' })).toEqual(['open https://nas.lan'])
  })
})

const light: Readonly<Record<string, readonly [boolean, boolean]>> = {
  '█': [true, true],
  '▀': [true, false],
  '▄': [false, true],
  ' ': [false, false],
}

/** The dark fields of a QR code in half blocks, without the half line that may be left over. */
const darkFieldsIn = (screen: string, size: number) =>
  screen
    .split(/\r?\n/)
    .filter((line) => /^[█▀▄ ]{21,}$/.test(line))
    .flatMap((line) =>
      [0, 1].map((half) => [...line].map((block) => (light[block]?.[half] ? '.' : '#')).join('')),
    )
    .slice(0, size)

describe('a first start', () => {
  const atTerminal = (...args: string[]) => {
    const data = join(temporaryFolder(), 'data')
    return openTerminal([...target, '--host', '127.0.0.1', '--port', '0', '--data', data, ...args])
  }

  test('shows the address on a terminal, also as a QR code', async () => {
    const { screen, end } = atTerminal('--public-url', 'http://nas.lan/x')
    await screen.waitFor(/open http:\/\/nas\.lan\/x in a browser and enter this key\r\n[\s\S]* or try: curl /)
    const { data, size } = encode('http://nas.lan/x', { border: 2 })
    const fields = data.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))
    expect(darkFieldsIn(screen.text(), size)).toEqual(fields)
    await end()
  })

  test.each([
    ['that only this machine can open', []],
    ['for whose code the terminal is too narrow', ['--public-url', `http://nas.lan/${'x'.repeat(700)}`]],
  ])('shows no code of an address %s', async (_, args) => {
    const { screen, end } = atTerminal(...args)
    await screen.waitFor(/in a browser and enter this key[\s\S]* or try: curl /)
    expect(screen.text()).not.toContain('█')
    await end()
  })

  test('into a pipe says the address in one line; a later start says nothing of it', async () => {
    const args = ['--public-url', 'http://nas.lan']
    const first = await start({ env: {}, args })
    await first.stderr.waitFor(/started/)
    expect(
      first.stdout.text().match(/^ {2}open http:\/\/nas\.lan in a browser and enter this key$/gm),
    ).toHaveLength(1)
    expect(first.stdout.text() + first.stderr.text()).not.toContain('█')
    await first.stop()
    const second = await start({ env: {}, args, data: first.data })
    await second.stop()
    expect(second.stdout.text()).not.toContain('in a browser')
  })
})
