import { describe, expect, test } from 'bun:test'
import type { NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import { encode } from 'uqr'
import {
  type Bound,
  isInContainer,
  openAddress,
  ownHost,
  placeLines,
} from '../../src/cli/server/open-address.ts'
import { repository, start, target, temporaryFolder } from '../support/process.ts'
import { openTerminal } from '../support/terminal.ts'

const card = (...addresses: string[]) =>
  addresses.map((address) => ({
    address,
    internal: address.startsWith('127.'),
    family: address.includes(':') ? 'IPv6' : 'IPv4',
  })) as NetworkInterfaceInfo[]

const cards = {
  lo: card('127.0.0.1'),
  docker0: card('172.17.0.1'),
  eth0: card('fe80::1', 'fd12::5', '192.168.1.5'),
}
const routeHead = 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask'
const routeBy = (name: string, metric: number, goal = '00000000') =>
  `${name}\t${goal}\t0101A8C0\t0003\t0\t0\t${metric}\t00000000`

const reading = (files: Readonly<Record<string, string>>) => (path: string) => {
  const text = files[path]
  if (text === undefined) throw new Error(`ENOENT ${path}`)
  return text
}
const routes = (...lines: string[]) => reading({ '/proc/net/route': [routeHead, ...lines, ''].join('\n') })

describe('the address for other devices', () => {
  test.each([
    [
      'is that of the default route',
      routes(routeBy('docker0', 0, '000011AC'), routeBy('eth0', 100)),
      '192.168.1.5',
    ],
    ['is that of the better of two', routes(routeBy('eth0', 600), routeBy('docker0', 100)), '172.17.0.1'],
    ['is the first where the system does not say', reading({}), '172.17.0.1'],
  ])('%s', (_, readFile, address) => {
    expect(ownHost(readFile, '0.0.0.0', cards)).toBe(address)
  })

  test('is IPv6 only where the server listens on it and there is no other, and never link-local', () => {
    const six = { lo: cards.lo, eth0: card('fe80::1', 'fd12::5') }
    expect(ownHost(reading({}), '0.0.0.0', six)).toBeUndefined()
    expect(ownHost(reading({}), '::', six)).toBe('fd12::5')
    expect(ownHost(routes(routeBy('eth0', 0)), '::', cards)).toBe('192.168.1.5')
  })
})

test('a container is known by what its engine leaves in it', () => {
  const isContainer = (files: Readonly<Record<string, string>>, env = {}) =>
    isInContainer({ readFile: reading(files), env })
  expect(isContainer({ '/.dockerenv': '' })).toBe(true)
  expect(isContainer({ '/run/.containerenv': 'engine=podman' })).toBe(true)
  expect(isContainer({}, { KUBERNETES_SERVICE_HOST: '10.0.0.1' })).toBe(true)
  expect(isContainer({})).toBe(false)
})

const bound: Bound = {
  ...{ publicUrl: undefined, baseUrl: undefined, host: '0.0.0.0', port: 8080 },
  ...{ own: '192.168.1.5', isContainer: false },
}

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

  test('is not known in a container', () => {
    expect(openAddress({ ...bound, isContainer: true })).toEqual({ address: undefined, isNear: true })
  })
})

describe('the lines of a start', () => {
  test('are those that docs/install.md shows', async () => {
    const lines = ['listening on http://0.0.0.0:8080', ...placeLines(bound).map((line) => `  ${line}`), '']
    expect(await Bun.file(join(repository, 'docs/install.md')).text()).toContain(lines.join('\n'))
  })

  const [publicUrl, baseUrl] = ['https://paste.example.org/x', 'https://api.example.org']
  const lan = ['http://192.168.1.5:8080', 'http://localhost:8080, on this machine']
  test.each<[string, Partial<Bound>, string[]]>([
    [
      'begin with the addresses that are set',
      { publicUrl, baseUrl },
      [publicUrl, `${baseUrl}, for the API`, ...lan],
    ],
    ['name an address once', { publicUrl, baseUrl: publicUrl }, [publicUrl, ...lan]],
    ['name that of the API alone', { baseUrl }, [baseUrl, ...lan]],
    ['name an own address once', { publicUrl: 'http://192.168.1.5:8080' }, lan],
    ['name this machine where there is no network', { own: undefined }, lan.slice(1)],
    ['are none for one address', { host: '127.0.0.1' }, []],
    [
      'name one address beside those set',
      { host: '192.168.1.5', publicUrl },
      [publicUrl, ...lan.slice(0, 1)],
    ],
    ['name what is set in a container', { isContainer: true, publicUrl }, [publicUrl]],
  ])('%s', (_, extra, places) => {
    expect(placeLines({ ...bound, ...extra })).toEqual(
      places.map((place, at) => `${at === 0 ? 'open' : 'or'} ${place}`),
    )
  })

  test('of a container point at its host', () => {
    expect(placeLines({ ...bound, isContainer: true })).toEqual([
      'in a container: open the address of its host, with the port published for 8080',
    ])
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
