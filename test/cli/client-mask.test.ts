import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runToFile } from '../support/pipes.ts'
import { target, temporaryFolder } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { failure, newUser } from '../support/user.ts'

const user = newUser()
const folder = temporaryFolder()
const { server } = withServer({ args: ['--rate-limit', 'off'] })
beforeAll(async () => {
  await user.logIn(server.url)
})

const text = 'HOST=10.20.4.17\nDB_PASSWORD=swordfish\nfrom 10.20.4.17 and 10.20.4.18\n/home/ines/x\n'
writeFileSync(join(folder, 'shop.env'), text)

const paste = (...args: readonly string[]) => user.run(['paste', ...args], { cwd: folder })
const rawOf = async (address: string) => (await fetch(address.trim().replace('/p/', '/p/raw/'))).text()
const items = async () => (await user.run(['list', '--json'])).stdout

describe('shortcrust paste --mask', () => {
  test('sends the masked text, and lists on standard error what was replaced: kind and line, never the value', async () => {
    const { code, stdout, stderr } = await paste('--mask', 'shop.env')
    expect(code).toBe(0)
    expect(await rawOf(stdout)).toBe(
      'HOST=<ip-1>\nDB_PASSWORD=<password-1>\nfrom <ip-1> and <ip-2>\n/home/<user-1>/x\n',
    )
    expect(stderr.split('\n')).toEqual([
      'shop.env: masked 4 values:',
      '  <ip-1>        private address, lines 1 and 3',
      '  <password-1>  password, line 2',
      '  <ip-2>        private address, line 3',
      '  <user-1>      user name, line 4',
      '',
    ])
  })

  test('reads standard input too, and says when there is nothing to mask', async () => {
    const { stdout, stderr } = await user.run(['paste', '--mask'], { stdin: 'nothing here\n' })
    expect(await rawOf(stdout)).toBe('nothing here\n')
    expect(stderr).toBe('standard input: masked 0 values\n')
  })

  test.each([
    ['ip,user', 'HOST=10.20.4.17\nDB_PASSWORD=<password-1>\nfrom 10.20.4.17 and 10.20.4.18\n/home/ines/x\n'],
    ['ip-2, <user-1>', 'HOST=<ip-1>\nDB_PASSWORD=<password-1>\nfrom <ip-1> and 10.20.4.18\n/home/ines/x\n'],
  ])('leaves what --unmask %s names, without another number for the rest', async (what, expected) => {
    const { stdout } = await paste('--mask', '--unmask', what, 'shop.env')
    expect(await rawOf(stdout)).toBe(expected)
  })

  test('prints the masked text with --dry-run and sends nothing, without a server or a key', async () => {
    const stranger = newUser()
    const result = await stranger.run(['paste', '--mask', '--dry-run', 'shop.env'], { cwd: folder })
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('masked 4 values') })
    expect(result.stdout).toStartWith('HOST=<ip-1>\n')
  })

  test('lists fifty values and counts the others', async () => {
    const many = Array.from({ length: 70 }, (_, at) => `10.9.8.${at + 1}`).join('\n')
    const { stderr } = await user.run(['paste', '--mask', '--dry-run'], { stdin: many })
    expect(stderr.trimEnd().split('\n')).toHaveLength(52)
    expect(stderr).toEndWith('  and 20 private addresses more\n')
  })

  test.each([
    [['--unmask', 'ip'], '--unmask leaves out what --mask would replace: give both'],
    [['--dry-run'], '--dry-run shows what --mask replaces: give both'],
    [['--mask', '--unmask', 'pasword'], '--unmask: there is no kind "pasword"; did you mean password\\?'],
  ])('refuses %j', async (flags, message) => {
    expect(await paste(...flags, 'shop.env')).toEqual(failure(2, new RegExp(message)))
  })

  test.each([
    ['ip-9', '--unmask: there is no "ip-9"; masked are ip-1, ip-2'],
    ['ip-2,mac-1', '--unmask: there is no "mac-1"; masked are ip-1, ip-2, password-1, user-1'],
  ])('sends nothing when --unmask names %s, which is not there, and says what is', async (what, message) => {
    const before = await items()
    expect(await paste('--mask', '--unmask', what, 'shop.env')).toEqual(
      failure(2, new RegExp(`shop.env: ${message}`)),
    )
    expect(await items()).toEqual(before)
  })

  test('names ten placeholders when one is not there, and counts the others', async () => {
    const many = Array.from({ length: 12 }, (_, at) => `10.9.8.${at + 1}`).join('\n')
    const unmask = ['paste', '--mask', '--unmask', 'ip-13', '--dry-run']
    expect(await user.run(unmask, { stdin: many })).toEqual(
      failure(2, /masked are ip-1, .*, ip-10 and 2 more/),
    )
    expect(await user.run(unmask, { stdin: 'nothing' })).toEqual(failure(2, /; there is nothing to mask/))
  })

  test('says that a kind of --unmask is not there, and goes on: scripts name the same kinds every time', async () => {
    const { code, stderr } = await paste('--mask', '--dry-run', '--unmask', 'mac,ip,email', 'shop.env')
    expect(code).toBe(0)
    expect(stderr).toStartWith(
      'shop.env: --unmask mac: there is no MAC address\nshop.env: --unmask email: there is no e-mail address\n' +
        'shop.env: masked 2 values:\n',
    )
  })

  test('sends nothing when the list cannot be written', async () => {
    const before = await items()
    const command = [...target, 'paste', '--mask', join(folder, 'shop.env')]
    const env = { ...process.env, XDG_CONFIG_HOME: user.settings }
    expect(await runToFile(command, '/dev/full', { to: 'stderr', env })).toMatchObject({
      code: 1,
      stdout: '',
    })
    expect(await items()).toEqual(before)
  })

  test('refuses --dry-run with --tee, which prints the text as well', async () => {
    expect(await paste('--mask', '--dry-run', '--tee')).toEqual(
      failure(2, /--dry-run and --tee both print the text: give one of them/),
    )
  })
})

describe('shortcrust paste without --mask', () => {
  test('sends the text as it is, and names what looks secret in one line', async () => {
    const { code, stdout, stderr } = await paste('shop.env')
    expect([code, await rawOf(stdout)]).toEqual([0, text])
    expect(stderr).toBe('shop.env: this looks secret: 1 password (line 2); --mask replaces it\n')
  })

  test('says nothing about addresses and names alone: most logs have them', async () => {
    const { stderr } = await user.run(['paste'], { stdin: 'GET / from 10.20.4.17 by ines@corp-lab.com\n' })
    expect(stderr).toBe('')
  })
})
