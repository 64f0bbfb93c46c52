import { describe, expect, test } from 'bun:test'
import { keyFileOf, stampedFolder } from '../support/key-file.ts'
import { run } from '../support/process.ts'

const withFolder = () => {
  const data = stampedFolder()
  return {
    data,
    file: keyFileOf(data),
    keys: (...words: string[]) => run(['keys', ...words, '--data', data]),
  }
}

const dayMs = 86_400_000
const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`

/** Wrong usage: exit code 2, nothing on standard output, one line on standard error. */
const usage = (says: RegExp) => ({
  code: 2,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^shortcrust: ${says.source}\n$`)),
})

describe('keys add', () => {
  test('keeps each limit that was given, readable by hand, and none that was not', async () => {
    const { keys, file } = withFolder()
    await keys('add', 'plain')
    await keys('add', 'rated', '--rate', '10/1m')
    await keys('add', 'linker', '--only', 'shorten')
    const before = Date.now()
    await keys('add', 'all', '--only=paste', '--expires', '90d', '--rate=3/15s')
    expect(Object.keys(file.entry('plain') ?? {})).toEqual(['name', 'createdAt', 'sha256'])
    expect(file.entry('rated')).toMatchObject({ rate: { requests: 10, seconds: 60 } })
    expect(file.entry('linker')).toMatchObject({ only: 'shorten' })
    const all = file.entry('all')
    expect(all).toMatchObject({ rate: { requests: 3, seconds: 15 }, only: 'paste' })
    expect(all?.expiresAt).toBeWithin(before + 90 * dayMs, Date.now() + 90 * dayMs + 1)
    expect(file.read()).toContain('"rate":{"requests":3,"seconds":15},"only":"paste"')
  })

  test('prints the key alone, and its limits beside its name', async () => {
    const { stdout, stderr } = await withFolder().keys(
      ...'add ci --expires 2h --rate 60/60s --only paste'.split(' '),
    )
    expect(stdout).toMatch(/^sc_[A-Za-z0-9]{32}\n$/)
    expect(stderr).toMatch(
      new RegExp(`^API key "ci", expires ${time}, 60/1m, only paste, for \\/\\S+, shown only this once:\n$`),
    )
  })

  test.each([
    ['--expires', '90', /--expires: expected a duration .* such as 90d, at most 3650d, not "90"/],
    ['--expires', '3651d', /--expires: expected a duration .*, not "3651d"/],
    ['--rate', '10', /--rate: expected REQUESTS\/PERIOD in s, m or h such as 10\/1m, not "10"/],
    ['--rate', 'off', /--rate: expected .*, not "off"/],
    ['--only', 'links', /--only: expected paste or shorten, not "links"/],
    ['--only', 'constructor', /--only: expected paste or shorten, not "constructor"/],
  ])('refuses %s %j and makes no key', async (flag, value, says) => {
    const { keys, file } = withFolder()
    expect(await keys('add', 'laptop', `${flag}=${value}`)).toEqual(usage(says))
    expect(file.read).toThrow('ENOENT')
  })

  test('and keys set alone take limits: no other word of keys, and no other command', async () => {
    const { keys } = withFolder()
    expect(await keys('list', '--rate', '10/1m')).toEqual(usage(/--rate belongs to keys add and keys set/))
    expect(await keys('revoke', 'laptop', '--only', 'paste')).toEqual(
      usage(/--only belongs to keys add and keys set/),
    )
    expect(await run(['verify', '--expires', '1d'])).toEqual(usage(/verify takes no --expires; .*/))
    expect(await run(['paste', '--rate', '1/1s'])).toEqual(usage(/paste takes no --rate; .*/))
  })

  test('shows its flags with --help', async () => {
    const { stdout } = await run(['keys', '--help'])
    for (const flag of ['--expires DURATION', '--rate REQUESTS/PERIOD', '--only WHAT', '--data VALUE'])
      expect(stdout).toContain(flag)
    expect((await run(['--help'])).stdout).not.toContain('--expires')
  })
})

describe('an admin key', () => {
  test('is made by --admin, before or after the name, and not with none', async () => {
    const { keys, file } = withFolder()
    const { stderr } = await keys('add', 'boss', '--admin')
    expect(stderr).toMatch(/^API key "boss", admin, for \S+, shown only this once:\n$/)
    await keys('add', '--admin', 'chief', '--only', 'paste')
    await keys('add', 'plain', '--admin', 'none')
    expect(file.entry('boss')).toMatchObject({ admin: true })
    expect(file.entry('chief')).toMatchObject({ admin: true, only: 'paste' })
    expect(Object.keys(file.entry('plain') ?? {})).toEqual(['name', 'createdAt', 'sha256'])
    expect((await keys('list')).stdout).toMatch(
      /^boss .*Z +admin\nchief .*Z {2}only paste {2}admin\nplain .*Z\n$/m,
    )
  })

  test('is not made with another value', async () => {
    const { keys, file } = withFolder()
    expect(await keys('add', 'boss', '--admin=maybe')).toEqual(
      usage(/--admin: expected none or nothing, not "maybe"/),
    )
    expect(file.read).toThrow('ENOENT')
  })
})

describe('keys set', () => {
  test('changes what it names, and nothing else', async () => {
    const { keys, file } = withFolder()
    await keys('add', 'ci', '--rate', '10/1m', '--only', 'paste', '--expires', '90d')
    await keys('add', 'other', '--rate', '5/1m')
    const [before, other] = [file.entry('ci'), file.entry('other')]
    const { code, stdout, stderr } = await keys('set', 'ci', '--rate', '20/1h', '--admin')
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(
      new RegExp(`^API key "ci", expires ${time}, 20/1h, only paste, admin, changed in \\S+\n$`),
    )
    expect(file.entry('ci')).toEqual({
      ...before,
      rate: { requests: 20, seconds: 3600 },
      admin: true,
    } as never)
    expect(file.entry('other')).toEqual(other as never)
  })

  test('takes away with none', async () => {
    const { keys, file } = withFolder()
    await keys('add', 'ci', '--rate', '10/1m', '--only', 'paste', '--expires', '90d', '--admin')
    await keys('set', 'ci', '--rate', 'none', '--admin', 'none')
    expect(Object.keys(file.entry('ci') ?? {})).toEqual(['name', 'createdAt', 'sha256', 'expiresAt', 'only'])
    expect((await keys('set', 'ci', '--expires', 'none', '--only', 'none')).stderr).toContain(
      'API key "ci", without limits, changed in',
    )
    expect(Object.keys(file.entry('ci') ?? {})).toEqual(['name', 'createdAt', 'sha256'])
  })

  test('makes a key last that has expired', async () => {
    const { keys, file } = withFolder()
    await keys('add', 'old', '--expires', '1d')
    file.change((key) => ({ ...key, expiresAt: 1 }))
    await keys('set', 'old', '--expires', '1d')
    expect(file.entry('old')?.expiresAt).toBeGreaterThan(Date.now())
  })

  test('refuses no change, a wrong one, and a name that is none', async () => {
    const { keys, file } = withFolder()
    await keys('add', 'ci', '--only', 'paste')
    const before = file.read()
    expect(await keys('set', 'ci')).toEqual(usage(/nothing to change: give --expires, .*/))
    expect(await keys('set', 'ci', '--rate', '0/1m')).toEqual(usage(/--rate: expected .*/))
    expect(await keys('set', 'ci', '--create', '--only', 'none')).toEqual(
      usage(/--create belongs to keys add/),
    )
    expect((await keys('set')).code).toBe(2)
    expect(await keys('set', 'cj', '--only', 'none')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'shortcrust: There is no key named "cj"\n',
    })
    expect(file.read()).toBe(before)
  })
})

describe('keys list', () => {
  test('shows limits in columns, and marks a key that has expired', async () => {
    const { keys, file } = withFolder()
    await keys('add', 'a')
    await keys('add', 'linker', '--only', 'shorten')
    await keys('add', 'ci', '--rate', '10/1m', '--expires', '90d')
    await keys('add', 'old', '--expires', '1d', '--rate', '100/2h', '--only', 'paste')
    file.change((key) => (key.name === 'old' ? { ...key, expiresAt: Date.UTC(2020, 0) } : key))
    const { code, stdout } = await keys('list')
    expect(code).toBe(0)
    const blank = ' '.repeat('expires 2020-01-01T00:00:00.000Z'.length)
    const lines = [
      `a       ${time}`,
      `linker  ${time}  ${blank}          only shorten`,
      `ci      ${time}  expires ${time}  10/1m`,
      `old     ${time}  EXPIRED 2020-01-01T00:00:00\\.000Z  100/2h  only paste`,
    ]
    expect(stdout).toMatch(new RegExp(`^${lines.join('\n')}\n$`))
  })

  test('leaves out a column that no key needs', async () => {
    const { keys } = withFolder()
    await keys('add', 'a', '--only', 'paste')
    expect((await keys('list')).stdout).toMatch(new RegExp(`^a  ${time}  only paste\n$`))
  })

  test('names what is wrong with a limit that was changed by hand', async () => {
    const { keys, file } = withFolder()
    await keys('add', 'a', '--only', 'paste')
    file.change((key) => ({ ...key, only: 'pastes' }))
    expect(await keys('list')).toEqual({
      code: 1,
      stdout: '',
      stderr: `shortcrust: ${file.path}: Field "keys.0.only" must be one of paste, shorten\n`,
    })
  })
})
