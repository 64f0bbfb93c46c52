import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { isListed, peerAddressOf } from '../../src/ip-address.ts'
import { parseNetworks } from '../../src/settings/values.ts'
import { examplePaste } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { type RunningServer, run, start, temporaryFolder } from '../support/process.ts'
import { statusFrom } from '../support/raw-from.ts'

const [proxy, guest] = ['127.0.0.1', '127.0.0.5']

/** The guests' network holds the proxy, as it does in a home: what is forgotten by the proxy must not count as its own. */
const startForGuests = async (...more: string[]) => {
  const data = `${temporaryFolder()}/data`
  await run(['keys', 'add', 'guests', '--create', '--data', data])
  const guests = ['--guest-from', '127.0.0.0/8,::1', '--guest-key', 'guests', '--rate-limit', 'off']
  return start({
    data,
    args: [...guests, '--trust-proxy', `${proxy},10.0.0.0/8`, '--user-header', 'Remote-User', ...more],
  })
}

const creation = (host: string, headers: readonly string[]) => [
  ...['POST /paste HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json'],
  ...headers,
]
const body = JSON.stringify(examplePaste)

let server: RunningServer
beforeAll(async () => {
  server = await startForGuests()
})
afterAll(() => server.stop())

const create = (from: string, headers: readonly string[], host = new URL(server.url).host) =>
  statusFrom(server.url, from, creation(host, headers), body)

describe('a guest is known by an address that nobody can choose', () => {
  test.each<[string, string, readonly string[], number]>([
    ['comes from the network itself', guest, [], 201],
    ['was seen by the proxy', proxy, [`X-Forwarded-For: ${guest}`], 201],
    ['was seen with a port', proxy, [`X-Forwarded-For: ${guest}:5060`], 201],
    ['was seen as IPv6', proxy, ['X-Forwarded-For: ::1'], 201],
    ['was seen as IPv6 with a port', proxy, ['X-Forwarded-For: [::1]:5060'], 201],
    ['was seen by a proxy before it', proxy, [`X-Forwarded-For: ${guest}, 10.1.2.3`], 201],
    ['claims it before both', proxy, [`X-Forwarded-For: ${guest}, 203.0.113.9, 10.1.2.3`], 401],
    ['was seen in the IPv6 form of its address', proxy, [`X-Forwarded-For: ::ffff:${guest}`], 201],
    ['was seen last', proxy, [`X-Forwarded-For: 203.0.113.9, ${guest}`], 201],
    ['is somewhere else', proxy, ['X-Forwarded-For: 203.0.113.9'], 401],
    ['claims to be one, somewhere else', proxy, [`X-Forwarded-For: ${guest}, 203.0.113.9`], 401],
    [
      'claims it in a header of its own',
      proxy,
      [`X-Forwarded-For: ${guest}`, 'X-Forwarded-For: 203.0.113.9'],
      401,
    ],
    ['is not named by the proxy', proxy, [], 401],
    ['is named with nothing', proxy, ['X-Forwarded-For:'], 401],
    ['is named with nothing after a claim', proxy, [`X-Forwarded-For: ${guest},`], 401],
    ['is unknown to the proxy', proxy, [`X-Forwarded-For: ${guest}, unknown`], 401],
    ['is another trusted proxy, which named nobody', proxy, [`X-Forwarded-For: ${proxy}`], 401],
    [
      'claims it before two proxies',
      proxy,
      [`X-Forwarded-For: ${guest}, ${proxy}, 203.0.113.9, ${proxy}`],
      401,
    ],
    ['writes it with zeros', proxy, ['X-Forwarded-For: 127.0.0.005'], 401],
    ['writes it shorter', proxy, ['X-Forwarded-For: 127.5'], 401],
    ['writes it as a number', proxy, ['X-Forwarded-For: 2130706437'], 401],
    ['writes it with a zone', proxy, [`X-Forwarded-For: ${guest}%lo`], 401],
    ['writes it with a zone and a port', proxy, ['X-Forwarded-For: [::1%lo]:5060'], 401],
    ['writes it as IPv6 that is not mapped', proxy, [`X-Forwarded-For: ::${guest}`], 401],
    ['writes it for a NAT', proxy, ['X-Forwarded-For: 64:ff9b::7f00:5'], 401],
    ['only says it in other headers', proxy, [`X-Real-IP: ${guest}`, `Forwarded: for=${guest}`], 401],
  ])('who %s', async (_, from, headers, status) => {
    expect(await create(from, headers)).toBe(status)
  })
})

describe('a page that somebody opens does not create', () => {
  const host = '192.168.0.5:8080'
  test.each<[string, string, readonly string[], number]>([
    ['no page sent it', host, [], 201],
    ['no page sent it, to any name', 'paste.example.org', [], 201],
    ['a page of this server sent it', host, [`Origin: http://${host}`], 201],
    ['a page of this server sent it, which sends no referrer', host, ['Origin: null'], 403],
    ['a page of another server did', host, ['Origin: http://evil.example'], 403],
    ['the origin is no address', host, ['Origin: evil'], 403],
    ['a page of this host over TLS did', host, [`Origin: https://${host}`], 403],
    ['a page of another port did', host, ['Origin: http://192.168.0.5:3000'], 403],
    ['a page of a name that begins the same did', 'nas', ['Origin: http://nas.evil.example'], 403],
    ['two origins were sent', host, [`Origin: http://${host}`, 'Origin: http://evil.example'], 403],
    ['the browser says so', host, [`Origin: http://${host}`, 'Sec-Fetch-Site: cross-site'], 403],
    ['the browser says that it is another program of this site', host, ['Sec-Fetch-Site: same-site'], 403],
  ])('where %s', async (_, name, headers, status) => {
    expect(await create(guest, headers, name)).toBe(status)
  })

  // DNS rebinding: the name of a stranger's page leads to this server a minute later, and its pages are then of one origin.
  test.each([
    ...[
      '127.0.0.1:8080',
      '[::1]',
      'localhost:8080',
      'nas',
      'nas:8080',
      'nas.local',
      'nas.lan',
      'paste.nas.lan',
    ],
    ...['nas.home.arpa', 'nas.internal', 'nas.home', 'paste.localhost', 'nas.fritz.box', 'NAS.Local'],
  ])('but one of this server does, by a name that only a home knows: %s', async (name) => {
    expect(await create(guest, [`Origin: http://${name}`], name)).toBe(201)
  })

  test.each([
    ...['evil.example', 'evil.example:8080', '192.168.0.5.evil.example', 'nas.local.evil.example'],
    ...[
      '192-168-0-5.nip.io',
      'local.example',
      'com.',
      'nas.local.',
      'evillocal.com',
      'evil.fritz.box.example',
    ],
  ])('nor does one by a name of the internet that leads here: %s', async (name) => {
    expect(await create(guest, [`Origin: http://${name}`], name)).toBe(403)
  })

  test('unless the settings know that name', async () => {
    const other = await startForGuests('--public-url', 'http://paste.example.org')
    const createAt = (name: string) =>
      statusFrom(other.url, guest, creation(name, [`Origin: http://${name}`]), body)
    expect([await createAt('paste.example.org'), await createAt('evil.example')]).toEqual([201, 403])
    await other.stop()
  })

  test('or a trusted proxy has a certificate for it', async () => {
    const seen = [`X-Forwarded-For: ${guest}`, 'X-Forwarded-Host: paste.example.org']
    const over = (scheme: string) =>
      create(proxy, [...seen, `X-Forwarded-Proto: ${scheme}`, `Origin: ${scheme}://paste.example.org`])
    expect([await over('https'), await over('http')]).toEqual([201, 403])
  })

  test('a request without a host is malformed', async () => {
    const head = ['POST /paste HTTP/1.0', 'Content-Type: application/json']
    expect(await statusFrom(server.url, guest, head, body)).toBe(400)
    expect(await statusFrom(server.url, guest, [...head, 'Origin: null'], body)).toBe(400)
  })
})

describe('an upload without a key', () => {
  test.each<[what: string, text: string, headers: readonly string[]]>([
    ['--data-binary', 'text', ['Accept: */*', 'Content-Type: application/x-www-form-urlencoded']],
    ['no Accept at all', 'text', []],
    [
      '-F file=@a.txt',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext\r\n--x--\r\n',
      ['Accept: */*', 'Content-Type: multipart/form-data; boundary=x'],
    ],
  ])('of a program goes to any name, by POST as by PUT: %s', async (_, text, headers) => {
    for (const name of ['paste.example.org', '192.168.0.5:8080', 'nas']) {
      const send = (line: string, more: readonly string[] = []) =>
        statusFrom(server.url, guest, [line, `Host: ${name}`, ...headers, ...more], text)
      expect([await send('POST / HTTP/1.1'), await send('PUT / HTTP/1.1')], name).toEqual([201, 201])
      expect(await send('POST / HTTP/1.1', ['Origin: http://evil.example']), name).toBe(403)
    }
  })

  test.each([
    ['a script, by its origin', ['Accept: */*', 'Origin: http://evil.example']],
    ['a script, as the browser says', ['Accept: */*', 'Sec-Fetch-Site: same-origin']],
    ['a form', ['Accept: text/html', 'Origin: http://evil.example']],
  ])('is refused to %s of a page by a name that leads here', async (_, headers) => {
    const head = ['Host: evil.example', 'Content-Type: application/x-www-form-urlencoded', ...headers]
    expect(await statusFrom(server.url, guest, ['POST / HTTP/1.1', ...head], 'text=stolen')).toBe(403)
    expect(await statusFrom(server.url, guest, ['PUT / HTTP/1.1', ...head], 'text=stolen')).toBe(403)
  })
})

describe('a user has one name, which the proxy chose', () => {
  test.each<[string, readonly string[], number]>([
    ['alice', ['Remote-User: alice'], 201],
    ['alice@example.org', ['Remote-User: alice@example.org'], 201],
    ['two headers', ['Remote-User: alice', 'Remote-User: bob'], 401],
    ['two names in one', ['Remote-User: alice, bob'], 401],
    ['nothing', ['Remote-User:'], 401],
    ['another spelling', ['Remote_User: alice'], 401],
    ['what Apache says of nobody', ['Remote-User: (null)'], 401],
    ['what Caddy says of nobody', ['Remote-User: {http.auth.user.id}'], 401],
    ['what Caddy 2.9 says of nobody', ['Remote-User: {http.reverse_proxy.header.Remote-User}'], 401],
    ['a name that ends elsewhere', ['Remote-User: alice\u2028bob'], 401],
  ])('%s', async (_, headers, status) => {
    expect(await create(proxy, headers)).toBe(status)
  })

  test('from a network of guests the header counts for nothing', async () => {
    expect(await create(guest, ['Remote-User: mallory'])).toBe(201)
    const list = await fetch(`${server.url}/pastes`, { headers: { 'Remote-User': 'mallory' } })
    expect(await list.json()).toMatchObject({ pastes: [] })
  })

  test('a name is text on a page, and no page of it is kept', async () => {
    const headers = { ...browser, 'Remote-User': '<script>alert(1)</script>"\'&' }
    const page = await fetch(`${server.url}/`, { headers })
    expect(page.headers.get('Cache-Control')).toBe('no-store')
    const html = await page.text()
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  test.each(['evil.example', 'nas:3000'])('pages of %s create nothing for them', async (host) => {
    for (const [method, path] of [
      ['POST', '/paste'],
      ['GET', '/pastes'],
      ['DELETE', '/pastes/abc'],
    ])
      expect(
        await statusFrom(server.url, proxy, [
          ...[`${method} ${path} HTTP/1.1`, 'Host: paste.example.org', 'Remote-User: alice'],
          `Origin: http://${host}`,
        ]),
      ).toBe(403)
  })
})

describe('a network', () => {
  test.each([
    ['192.168.1.0/24', '192.168.1.255', '192.168.2.0'],
    ['192.168.7.9/16', '192.168.1.1', '192.169.1.1'],
    ['128.0.0.0/1', '200.1.1.1', '127.1.1.1'],
    ['192.168.1.5', '::ffff:192.168.1.5', '::192.168.1.5'],
    ['::ffff:192.168.0.0/112', '192.168.1.5', '192.169.1.5'],
    ['fd00::/8', 'FDFF:ffff::1', 'fe00::1'],
    ['2001:db8::/33', '2001:db8:7fff::1', '2001:db8:8000::1'],
    ['fd00::/65', 'fd00::7fff:0:0:0', 'fd00::8000:0:0:0'],
    ['fe80::/10', 'fe80::1%eth0', 'fec0::1%eth0'],
    ['::1', '0:0::1', '::ffff:127.0.0.1'],
    ['0.0.0.0/0', '1.2.3.4', '2001:db8::1'],
    ['::/0', '2001:db8::1', '1.2.3.4'],
    ['::/0', '::1', '::ffff:1.2.3.4'],
    ['::/64', '::1', '1.2.3.4'],
    ['::ffff:0:0/96', '1.2.3.4', '2001:db8::1'],
    ['::ffff:0:0/96', '255.255.255.255', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1', '127.0.0.2'],
  ])('%s has %s, and not %s', (network, inside, outside) => {
    const list = parseNetworks(network)
    const isIn = (address: string) => list !== undefined && isListed(list, peerAddressOf(address) ?? '')
    expect([isIn(inside), isIn(outside)]).toEqual([true, false])
  })
})
