import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { temporaryFolder, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'
import { failure, newUser } from '../support/user.ts'

const user = newUser()
const { server, client } = withServer({ args: quiet })
beforeAll(async () => {
  await user.logIn(server.url)
})

const change = (path: string, body: object) =>
  fetch(server.url + path, {
    method: 'PATCH',
    headers: { key: testKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('shortcrust get', () => {
  test('prints a text byte for byte, by each of its addresses, its id and its name', async () => {
    const text = 'no line end, a tab\tand \u001b[31mred'
    const { pasteUrl = '', rawUrl = '' } = await client.paste({ text, alias: 'colours' })
    for (const item of [pasteUrl, rawUrl, 'colours', 'COLOURS'])
      expect(await user.run(['get', item])).toEqual({ code: 0, stdout: text, stderr: '' })
    expect((await user.run(['list', '--json'])).stdout).toContain('"reads":0')
  })

  test('prints parts of a text with --lines and --grep, also of an earlier version', async () => {
    await client.paste({ text: 'one\r\nTwo\nthree', alias: 'parted' })
    await change('/pastes/parted', { text: 'new\n' })
    const part = async (...flags: string[]) =>
      (await user.run(['get', 'parted', '--version', '1', ...flags])).stdout
    expect(await part('--lines', '1')).toBe('one\r\n')
    expect(await part('--lines', '2-')).toBe('Two\nthree')
    expect(await part('--lines', '-2')).toBe('one\r\nTwo\n')
    expect(await part('--lines=-2', '--grep', 'TWO')).toBe('Two\n')
    expect(await part('--grep', 'nowhere')).toBe('')
    expect((await user.run(['get', 'parted', '--grep', 'E'])).stdout).toBe('new\n')
  })

  test('refuses a wrong part, and parts of a short link, before it prints anything', async () => {
    await client.link('https://example.org/part', { alias: 'no-lines' })
    expect(await user.run(['get', 'parted', '--lines', '3-1'])).toEqual(failure(2, /--lines: must be lines/))
    expect(await user.run(['get', 'parted', '--grep', ''])).toEqual(failure(2, /--grep: must not be empty/))
    expect(await user.run(['get', 'no-lines', '--lines', '1'])).toEqual(failure(2, /is a short link/))
  })

  test('prints the target of a short link, and visits nothing', async () => {
    const { shortendUrl = '' } = await client.link('https://example.org/there')
    expect(await user.run(['get', shortendUrl])).toMatchObject({
      code: 0,
      stdout: 'https://example.org/there\n',
    })
  })

  test('prints an earlier version by its number', async () => {
    await client.paste({ text: 'one\n', alias: 'counted' })
    await change('/pastes/counted', { text: 'two\n' })
    expect((await user.run(['get', 'counted', '--version', '1'])).stdout).toBe('one\n')
    expect((await user.run(['get', 'counted', '--version', '2'])).stdout).toBe('two\n')
    expect(await user.run(['get', 'counted', '--version', '3'])).toEqual(
      failure(1, /Version 3 of this paste is not kept/),
    )
    expect(await user.run(['get', 'counted', '--version', 'x'])).toEqual(
      failure(2, /--version: expected the number/),
    )
    expect((await user.run(['--version'])).stdout).toMatch(/^shortcrust \d/)
  })

  test('writes to a new file with --output, and never over another', async () => {
    await client.paste({ text: 'in a file\n', alias: 'filed' })
    const file = join(temporaryFolder(), 'out.txt')
    expect(await user.run(['get', 'filed', '-o', file])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(readFileSync(file, 'utf8')).toBe('in a file\n')
    writeFileSync(file, 'mine')
    expect(await user.run(['get', 'filed', '-o', file])).toEqual(failure(1, /exists already/))
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test('does not read what burns after reading, and says where to', async () => {
    const { pasteUrl = '' } = await client.paste({ alias: 'once', maxReads: 1 })
    expect(await user.run(['get', 'once'])).toEqual(
      failure(1, new RegExp(`each read counts: open ${pasteUrl}`)),
    )
    expect((await user.run(['list', '--json'])).stdout).toContain('"readsLeft":1')
  })

  test('says what is wrong with a name that leads nowhere', async () => {
    expect(await user.run(['get', 'nothing'])).toEqual(failure(1, /this key made no paste and no short link/))
    expect(await user.run(['get', 'a b'])).toEqual(failure(2, /expected the address/))
  })
})

describe('shortcrust versions', () => {
  test('shows them newest first, with sizes', async () => {
    await client.paste({ ...examplePaste, text: 'one', alias: 'many' })
    await change('/pastes/many', { text: 'three' })
    const { code, stdout } = await user.run(['versions', 'many'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^version {2}changed +size\n2 +\S.*5 bytes\n1 +\S.*3 bytes\n$/)
    const lines = (await user.run(['versions', 'many', '--json'])).stdout.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).version)).toEqual([2, 1])
  })
})

describe('shortcrust paste --replace', () => {
  test('changes what its name leads to, and prints the same address', async () => {
    const run = (text: string) => user.run(['paste', '--alias', 'nightly', '--replace'], { stdin: text })
    const addresses = [(await run('one\n')).stdout, (await run('two\n')).stdout]
    expect(addresses).toEqual(Array(2).fill(`${server.url}/p/nightly\n`))
    expect(await (await client.get('/p/raw/nightly')).text()).toBe('two\n')
  })
})

describe('shortcrust logout', () => {
  test('forgets server and key, and says where they were', async () => {
    const other = newUser()
    await other.logIn(server.url)
    expect((await other.run(['logout'])).stderr).toMatch(/^logged out: removed \S+login\.json\n$/)
    expect(await other.run(['list'])).toEqual(failure(2, /no server is known/))
    expect((await other.run(['logout'])).stderr).toMatch(/^there was no login in /)
    expect((await createClient(server.url).get('/key', { key: testKey })).status).toBe(200)
  })
})

describe('shortcrust paste --tee', () => {
  test('passes standard input on byte for byte, and prints the address on standard error', async () => {
    const text = 'one\n\u001b[31mtwo'
    const { code, stdout, stderr } = await user.run(['paste', '--tee'], { stdin: text })
    expect([code, stdout]).toEqual([0, text])
    expect(await (await client.get(stderr.trim().replace('/p/', '/p/raw/'))).text()).toBe(text)
  })

  test('passes on what cannot be pasted, too', async () => {
    const bytes = new Uint8Array([0x61, 0xff, 0x62])
    const { code, stderr } = await user.run(['paste', '--tee'], { stdin: bytes })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is not UTF-8 text/)])
    expect((await user.run(['paste', '--tee', 'file.txt'])).stderr).toMatch(/give no file/)
  })
})

describe('shortcrust paste --copy', () => {
  test('says where it cannot: without a terminal', async () => {
    const { code, stdout, stderr } = await user.run(['paste', '--copy'], { stdin: 'copied' })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^http\S+\n$/)
    expect(stderr).toBe('the address is not copied: standard error is not a terminal\n')
  })

  test('sends the address to the terminal as OSC 52', async () => {
    const file = join(temporaryFolder(), 'a.txt')
    writeFileSync(file, 'copied')
    const terminal = user.atTerminal(['paste', '--copy', file])
    const [, encoded = ''] = await terminal.screen.waitFor(/\]52;c;([A-Za-z0-9+/=]+)/)
    expect(atob(encoded)).toMatch(new RegExp(`^${server.url}/p/[a-z0-9]+$`))
  })
})
