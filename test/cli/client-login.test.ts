import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keyFileOf } from '../support/key-file.ts'
import { run, start, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { failure, newUser } from '../support/user.ts'

const { server } = withServer()

const modeOf = (path: string) => statSync(path).mode & 0o777
const kept = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('shortcrust login', () => {
  test('tries the key that is piped in and keeps it, with the server, for its owner only', async () => {
    const user = newUser()
    const { code, stdout, stderr } = await user.run(['login', `${server.url}/`], { stdin: `${testKey}\n` })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toBe(`logged in to ${server.url} with the key "environment", kept in ${user.loginFile}\n`)
    expect(kept(user.loginFile)).toEqual({ server: server.url, key: testKey })
    expect(modeOf(user.loginFile)).toBe(0o600)
    expect(modeOf(dirname(user.loginFile))).toBe(0o700)
    expect(readdirSync(dirname(user.loginFile))).toEqual(['login.json'])
  })

  test('takes the rights of others away from a folder and a file that are there', async () => {
    const user = newUser()
    mkdirSync(dirname(user.loginFile))
    chmodSync(dirname(user.loginFile), 0o755)
    writeFileSync(user.loginFile, 'x', { mode: 0o644 })
    expect(await user.logIn(server.url)).toMatchObject({ code: 0 })
    expect([modeOf(user.loginFile), modeOf(dirname(user.loginFile))]).toEqual([0o600, 0o700])
  })

  test('uses ~/.config where XDG_CONFIG_HOME is not an absolute path', async () => {
    const home = temporaryFolder()
    const env = { HOME: home, XDG_CONFIG_HOME: 'here' }
    expect(await newUser().run(['login', server.url], { env, stdin: testKey })).toMatchObject({ code: 0 })
    expect(existsSync(join(home, '.config', 'shortcrust', 'login.json'))).toBe(true)
  })

  test('keeps what was there when the key is refused', async () => {
    const user = newUser()
    await user.logIn(server.url)
    const before = readFileSync(user.loginFile, 'utf8')
    expect(await user.logIn(server.url, `${testKey}x`)).toEqual(failure(3, /API key is not valid/))
    expect(await user.logIn(server.url, 'short')).toEqual(failure(3, /at least 16 characters/))
    expect(await user.logIn(server.url, '')).toEqual(failure(2, /no API key: type it/))
    expect(await user.logIn('http://127.0.0.1:1')).toEqual(failure(5, /nothing answers there/))
    expect(readFileSync(user.loginFile, 'utf8')).toBe(before)
  })

  test('takes no token of the rate limit, and none must be left', async () => {
    const limited = await start({ args: ['--rate-limit', '1/900s', '--log', 'off'] })
    const user = newUser()
    const shorten = () => user.run(['shorten', 'https://example.org/'])
    for (const _ of [1, 2]) expect(await user.logIn(limited.url)).toMatchObject({ code: 0 })
    expect(await shorten()).toMatchObject({ code: 0 })
    expect(await shorten()).toMatchObject({ code: 4 })
    expect(await user.logIn(limited.url)).toMatchObject({ code: 0 })
    await limited.stop()
  })

  test('names the key', async () => {
    const key = (await run(['keys', 'add', 'my.laptop', '--data', server.data])).stdout.trim()
    expect((await newUser().logIn(server.url, key)).stderr).toContain(' with the key "my.laptop", kept in ')
  })

  test.each([
    [
      'has no /key',
      () => Response.json({ success: false, error: 'nothing here' }, { status: 404 }),
      /\(there is no /,
    ],
    ['takes every request', () => Response.json({ success: true, message: 'fine' }), /\(it names no key\)/],
    [
      'names a key as none is named',
      () => Response.json({ success: true, name: 'a b' }),
      /\(it names no key\)/,
    ],
    ['answers a page', () => new Response('<p>'), /does not answer like a Shortcrust server \(200/],
  ])('keeps no key for a server that %s', async (_, answer, says) => {
    const other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
    const user = newUser()
    expect(await user.logIn(`http://127.0.0.1:${other.port}`)).toEqual(failure(5, says))
    expect(existsSync(user.loginFile)).toBe(false)
    await other.stop(true)
  })

  test('takes a key that may only shorten for valid, and none that has expired', async () => {
    const { url, data } = server
    const key = (await run(['keys', 'add', 'linker', '--only', 'shorten', '--data', data])).stdout.trim()
    const user = newUser()
    expect(await user.logIn(url, key)).toMatchObject({ code: 0 })
    expect(await user.run(['shorten', 'https://example.org/'])).toMatchObject({ code: 0 })
    const pasted = await user.run(['paste', 'package.json', 'bunfig.toml'])
    expect(pasted).toMatchObject({ code: 3, stdout: '' })
    expect(pasted.stderr).toMatch(
      /^shortcrust: package\.json: .*may create short links only.*\nshortcrust: not sent: bunfig\.toml\.\n$/,
    )
    keyFileOf(data).change((entry) => ({ ...entry, expiresAt: 1 }))
    expect(await user.logIn(url, key)).toEqual(failure(3, /This API key expired at 1970-.*shortcrust login/))
  })

  test.each(['ftp://nas/', 'http://', '/srv/nas', ''])('refuses %p as an address', async (address) => {
    expect(await newUser().logIn(address)).toEqual(failure(2, /expected an http:\/\/ or https:\/\/ address/))
  })

  const address = () => server.url.replace('http://', '')

  test('takes an address without http://, as every command does', async () => {
    const user = newUser()
    expect(await user.logIn(address())).toMatchObject({ code: 0 })
    expect(kept(user.loginFile).server).toBe(server.url)
    const flags = ['--server', address(), '--key', testKey]
    expect(await newUser().run(['shorten', 'https://example.org/', ...flags])).toMatchObject({ code: 0 })
    expect(await user.logIn('nowhere.invalid:1')).toEqual(
      failure(5, /cannot reach http:\/\/nowhere\.invalid:1: /),
    )
  })

  test('takes the key from KEY or SHORTCRUST_KEY, where none is piped in, and says so', async () => {
    const key = (await run(['keys', 'add', 'tour', '--data', server.data])).stdout.trim()
    const told = async (env: Record<string, string>, stdin = '') => {
      const user = newUser()
      const { code, stderr } = await user.run(['login', server.url], { env, stdin })
      return { code, says: stderr.replace(/, kept in .*/, ''), key: code === 0 && kept(user.loginFile).key }
    }
    const says = (words: string) => `logged in to ${server.url} with the key ${words}\n`
    expect(await told({ KEY: key })).toEqual({ code: 0, says: says('"tour" from KEY'), key })
    const both = { KEY: key, SHORTCRUST_KEY: testKey }
    expect(await told(both)).toMatchObject({ says: says('"environment" from SHORTCRUST_KEY'), key: testKey })
    expect(await told(both, key)).toMatchObject({ says: says('"tour"'), key })
    const lost = await newUser().run(['login', 'http://127.0.0.1:1'], { env: { KEY: key } })
    expect(lost).toEqual(failure(5, /cannot reach http/))
    expect(lost.stderr).not.toContain('KEY')
    const wrong = await told({ KEY: `sc_${'x'.repeat(32)}` })
    expect(wrong).toMatchObject({
      code: 3,
      says: expect.stringMatching(/^shortcrust: the key in KEY: .*not valid/),
    })
  })

  test('sends nothing that KEY holds for another program', async () => {
    const asked = await newUser().run(['login', server.url], { env: { KEY: testKey } })
    expect(asked).toEqual(failure(2, /no API key: type it/))
  })

  test('says where it cannot write', async () => {
    const user = newUser()
    writeFileSync(join(user.settings, 'shortcrust'), 'a file')
    expect(await user.logIn(server.url)).toEqual(failure(1, /cannot write .*login\.json \(ENOTDIR\)/))
  })
})

describe('server and key', () => {
  const shorten = (user: ReturnType<typeof newUser>, args: string[] = [], env: Record<string, string> = {}) =>
    user.run(['shorten', 'https://example.org/', ...args], { env })
  const dead = 'http://127.0.0.1:1'
  const deadLine = failure(5, /cannot reach http:\/\/127\.0\.0\.1:1: /)

  test('come from login, before it from variables, before them from flags', async () => {
    const user = newUser()
    await user.logIn(server.url)
    expect(await shorten(user)).toMatchObject({ code: 0 })
    const wrong = { SHORTCRUST_SERVER: dead, SHORTCRUST_KEY: 'wrong-wrong-wrong-wrong' }
    expect(await shorten(user, [], wrong)).toEqual(deadLine)
    expect(await shorten(user, ['--server', server.url], wrong)).toEqual(failure(3, /not valid/))
    expect(await shorten(user, ['--server', server.url, '--key', testKey], wrong)).toMatchObject({ code: 0 })
  })

  test('may stand in files that variables name', async () => {
    const user = newUser()
    const [serverFile, keyFile] = [join(user.settings, 's'), join(user.settings, 'k')]
    writeFileSync(serverFile, `${server.url}\n`)
    writeFileSync(keyFile, `${testKey}\n`)
    const env = { SHORTCRUST_SERVER_FILE: serverFile, SHORTCRUST_KEY_FILE: keyFile }
    expect(await shorten(user, [], env)).toMatchObject({ code: 0 })
    expect(await shorten(user, [], { ...env, SHORTCRUST_KEY: testKey })).toEqual(failure(2, /are both set/))
  })

  test('a key that login kept is never sent to another server', async () => {
    const keys: (string | null)[] = []
    const other = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ headers }) => {
        keys.push(headers.get('key'))
        return new Response()
      },
    })
    const user = newUser()
    await user.logIn(server.url)
    const address = `http://127.0.0.1:${other.port}`
    await shorten(user, ['--server', address])
    expect(await user.run(['list', '--server', address])).toEqual(
      failure(2, /no API key is known for .*shortcrust login/),
    )
    expect(keys).toEqual([null])
    await shorten(user, ['--server', address, '--key', 'the-key-of-the-other'])
    expect(keys).toEqual([null, 'the-key-of-the-other'])
    await other.stop(true)
  })

  test('are asked for where there are none, and the login file is named when it is damaged', async () => {
    const user = newUser()
    expect(await shorten(user)).toEqual(failure(2, /no server is known: run shortcrust login SERVER once/))
    const env = { SHORTCRUST_SERVER: server.url }
    expect(await shorten(user, [], env)).toEqual(
      failure(2, /no API key is known for .*shortcrust login http/),
    )
    mkdirSync(dirname(user.loginFile))
    for (const text of [
      '',
      '{',
      'null',
      '{"server":"x","key":"y"}',
      `{"server":"${server.url}","key":"a\\nb"}`,
    ]) {
      writeFileSync(user.loginFile, text)
      expect(await shorten(user)).toEqual(failure(2, /login\.json is damaged: run shortcrust login/))
    }
  })

  test('are refused when malformed, without repeating a key', async () => {
    const user = newUser()
    await user.logIn(server.url)
    const short = await shorten(newUser(), ['--server', server.url], { SHORTCRUST_KEY: 'hunter2' })
    expect(short).toEqual(failure(2, /SHORTCRUST_KEY: expected at least 16/))
    expect(short.stderr).not.toContain('hunter2')
    for (const flag of ['--server', '--key'])
      expect(await shorten(user, [`${flag}=`])).toEqual(failure(2, new RegExp(`${flag} is empty`)))
    expect(await shorten(user, [], { SHORTCRUST_SERVER: '', SHORTCRUST_KEY: '' })).toMatchObject({ code: 0 })
    expect(await shorten(newUser(), ['--server', 'ftp://nas'])).toEqual(
      failure(2, /--server: expected an http/),
    )
  })

  test('do not depend on the settings of the server', async () => {
    const user = newUser()
    await user.logIn(server.url)
    expect(await shorten(user, [], { SHORTCRUST_PORT: 'x' })).toMatchObject({ code: 0 })
  })
})
