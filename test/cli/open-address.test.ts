import { describe, expect, test } from 'bun:test'
import type { NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import { encode } from 'uqr'
import { lanHosts, openAddress } from '../../src/cli/server/open-address.ts'
import { start, target, temporaryFolder } from '../support/process.ts'
import { openTerminal } from '../support/terminal.ts'

const at = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo

const interfaces = {
  lo: [at('127.0.0.1', true), at('::1', true)],
  docker0: [at('172.17.0.1')],
  eth1: [at('169.254.7.7')],
  eth0: [at('fe80::1'), at('192.168.1.5')],
}

describe('the address to open', () => {
  test('on the LAN is one of a network card before those of containers and those nobody gave', () => {
    expect(lanHosts(interfaces)).toEqual(['192.168.1.5', '172.17.0.1', '169.254.7.7'])
  })

  test.each([
    ['https://nas.lan/x', '0.0.0.0', 8080, 'https://nas.lan/x', false],
    [undefined, '0.0.0.0', 8080, 'http://192.168.1.5:8080', false],
    [undefined, '::', 80, 'http://192.168.1.5', false],
    [undefined, '192.168.1.9', 81, 'http://192.168.1.9:81', false],
    [undefined, 'fe80::2', 8080, 'http://[fe80::2]:8080', false],
    [undefined, '127.0.0.1', 8080, 'http://127.0.0.1:8080', true],
    [undefined, 'localhost', 8080, 'http://localhost:8080', true],
    ['http://localhost:81', '0.0.0.0', 8080, 'http://localhost:81', true],
  ])('with the public URL %p and the host %s:%d is %s', (publicUrl, host, port, address, isNear) => {
    expect(openAddress({ publicUrl, host, port, interfaces })).toEqual({ address, isNear })
  })

  test('is that of the machine itself where there is no network', () => {
    const bound = { publicUrl: undefined, host: '0.0.0.0', port: 8080, interfaces: { lo: interfaces.lo } }
    expect(openAddress(bound)).toEqual({ address: 'http://localhost:8080', isNear: true })
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
