import { describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { start } from '../support/process.ts'

type Addresses = Record<'pasteUrl' | 'rawUrl' | 'shortendUrl' | 'deletionUrl' | 'linkDeletionUrl', string>

/** What a server with these settings answers to a request with these headers; ids and keys are cut off. */
const answers = async (args: string[], headers: Record<string, string>) => {
  const server = await start({ args: ['--rate-limit', 'off', '--log', 'off', ...args] })
  const { post } = createClient(server.url)
  const paste = await post('/paste', examplePaste, headers)
  const link = await post('/shortener', { url: 'https://example.org/' }, headers)
  const { pasteUrl, rawUrl, deletionUrl } = (await paste.json()) as Addresses
  const { shortendUrl, deletionUrl: linkDeletionUrl } = (await link.json()) as Addresses
  await server.stop()
  expect(paste.headers.get('Location')).toBe(pasteUrl)
  expect(link.headers.get('Location')).toBe(shortendUrl)
  const all = { pasteUrl, rawUrl, shortendUrl, deletionUrl, linkDeletionUrl }
  return Object.fromEntries(
    Object.entries(all).map(([name, address]) => [
      name,
      address.replace(server.url, 'SERVER').replace(/\w+$/, ''),
    ]),
  )
}

const addressesAt = (publicUrl: string, baseUrl = publicUrl) => ({
  pasteUrl: `${publicUrl}/p/`,
  rawUrl: `${publicUrl}/p/raw/`,
  shortendUrl: `${publicUrl}/s/`,
  deletionUrl: `${baseUrl}/paste/delete?key=`,
  linkDeletionUrl: `${baseUrl}/shortener/delete?key=`,
})

const forwarded = { Host: 'inside', 'X-Forwarded-Host': 'out.example', 'X-Forwarded-Proto': 'https' }

describe('addresses in answers begin with', () => {
  test.each([
    ['the address the request came to', [], {}, addressesAt('SERVER')],
    ['its Host', [], { Host: 'nas:81' }, addressesAt('http://nas:81')],
    [
      'the settings',
      ['--public-url', 'https://sho.rt', '--base-url', 'https://api.sho.rt'],
      { Host: 'nas' },
      addressesAt('https://sho.rt', 'https://api.sho.rt'),
    ],
    [
      'the settings with their paths, without the last slash',
      ['--public-url', 'https://sho.rt/x/', '--base-url', 'http://nas:81/api/v1/'],
      {},
      addressesAt('https://sho.rt/x', 'http://nas:81/api/v1'),
    ],
    [
      'the public address for pages only, the Host for deletions',
      ['--public-url', 'https://sho.rt'],
      { Host: 'nas' },
      addressesAt('https://sho.rt', 'http://nas'),
    ],
    [
      'the base address for deletions only, the Host for pages',
      ['--base-url', 'https://api.sho.rt'],
      { Host: 'nas' },
      addressesAt('http://nas', 'https://api.sho.rt'),
    ],
    [
      'the settings, also behind a trusted proxy',
      ['--public-url', 'https://sho.rt', '--base-url', 'https://api.sho.rt', '--trust-proxy', '127.0.0.1'],
      forwarded,
      addressesAt('https://sho.rt', 'https://api.sho.rt'),
    ],
  ])('%s', async (_, args, headers: Record<string, string>, addresses) => {
    expect(await answers(args, headers)).toEqual(addresses)
  })
})

describe('X-Forwarded-Host and -Proto', () => {
  const trusted = ['--trust-proxy', '127.0.0.1']

  test.each([
    ['without the setting', []],
    ['when another address is trusted', ['--trust-proxy', '10.0.0.1']],
    ['when another network is trusted', ['--trust-proxy', '10.0.0.0/8,fd00::/8']],
  ])('are not believed %s', async (_, args) => {
    expect(await answers(args, forwarded)).toEqual(addressesAt('http://inside'))
  })

  test.each([
    ['from that address', trusted],
    ['from its network', ['--trust-proxy', '10.0.0.0/8, 127.0.0.0/8']],
  ])('are believed %s', async (_, args) => {
    expect(await answers(args, forwarded)).toEqual(addressesAt('https://out.example'))
  })

  test.each([
    ['host alone', { 'X-Forwarded-Host': 'out.example:8443' }, 'http://out.example:8443'],
    ['scheme alone', { 'X-Forwarded-Proto': 'https' }, 'https://inside'],
    [
      'the first of several',
      { 'X-Forwarded-Host': 'first, second', 'X-Forwarded-Proto': 'https, http' },
      'https://first',
    ],
    ['no host that is none', { 'X-Forwarded-Host': 'a/b' }, 'http://inside'],
    ['no host that cannot be', { 'X-Forwarded-Host': '999.999.999.999' }, 'http://inside'],
    ['no empty host', { 'X-Forwarded-Host': '' }, 'http://inside'],
    ['no other scheme', { 'X-Forwarded-Proto': 'javascript' }, 'http://inside'],
  ])('can be: %s', async (_, headers: Record<string, string>, address) => {
    expect(await answers(trusted, { Host: 'inside', ...headers })).toEqual(addressesAt(address))
  })
})

describe('/readyz says', () => {
  const trusted = ['--trust-proxy', '127.0.0.1']
  const named = { 'X-Forwarded-For': '203.0.113.7' }
  test.each([
    ['nothing of a proxy where there is none', [], {}, undefined],
    ['nothing of a trusted proxy that names the client', trusted, named, undefined],
    [
      'nothing where the client is itself a trusted proxy',
      trusted,
      { 'X-Forwarded-For': '127.0.0.1' },
      undefined,
    ],
    ['that a trusted proxy names no client', trusted, {}, 'silent'],
    ['that a trusted proxy names nobody', trusted, { 'X-Forwarded-For': ' ' }, 'silent'],
    ['that a proxy which names the client is not trusted', [], named, 'untrusted'],
  ])('%s', async (_, args, headers: Record<string, string>, proxy) => {
    const server = await start({ args: ['--log', 'off', ...args] })
    const answer = await createClient(server.url).get('/readyz', headers)
    await server.stop()
    expect(await answer.json()).toEqual({ success: true, message: 'Ready', ...(proxy && { proxy }) })
  })
})
