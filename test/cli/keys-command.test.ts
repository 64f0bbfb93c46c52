import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyFileOf, stampedFolder } from '../support/key-file.ts'
import { run, temporaryFolder } from '../support/process.ts'

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
const keyShape = /^sc_[A-Za-z0-9]{32}$/

const withFolder = () => {
  const data = stampedFolder()
  const keys = (...words: string[]) => run(['keys', ...words, '--data', data])
  return { data, file: keyFileOf(data), keys }
}

/** A refusal: exit code 1, nothing on standard output, one line on standard error. */
const refusal = (says: RegExp) => {
  const line = new RegExp(`^shortcrust: [^\\n]*${says.source}[^\\n]*\\n$`)
  return { code: 1, stdout: '', stderr: expect.stringMatching(line) }
}

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

describe('keys add', () => {
  test('prints the key alone on standard output, everything else on standard error', async () => {
    const { data, keys } = withFolder()
    const { code, stdout, stderr } = await keys('add', 'laptop')
    expect(stdout).toEndWith('\n')
    expect(stdout.slice(0, -1)).toMatch(keyShape)
    expect(stderr).toBe(`API key "laptop", for ${data}, shown only this once:\n`)
    expect(code).toBe(0)
  })

  test('takes every name, also the word that removes a limit', async () => {
    const { keys } = withFolder()
    await keys('add', 'none', '--rate', '5/1m')
    await keys('set', 'none', '--rate', 'none')
    expect((await keys('list')).stdout).toMatch(/^none /m)
  })

  test('makes a folder that is not there only with --create, for its owner only', async () => {
    const data = join(temporaryFolder(), 'data')
    const add = (...flags: string[]) => run(['keys', 'add', 'laptop', '--data', data, ...flags])
    const says = new RegExp(
      `there is no data folder at ${data}; name it with --data, or make it with --create`,
    )
    expect(await add()).toEqual(refusal(says))
    expect(existsSync(data)).toBe(false)
    expect(await add('--create')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sc_/) })
    expect(statSync(data).mode & 0o777).toBe(0o700)
    expect(statSync(join(data, 'keys.json')).mode & 0o777).toBe(0o600)
    expect(await run(['keys', 'add', 'second', '--data', data])).toMatchObject({ code: 0 })
  })

  test('finds no data folder in one that holds other things, and leaves it as it was', async () => {
    const data = temporaryFolder()
    writeFileSync(join(data, 'notes.txt'), '')
    expect(await run(['keys', 'add', 'laptop'], {}, [], { cwd: data })).toEqual(
      refusal(new RegExp(`there is no data folder at ${join(data, 'data')}; `)),
    )
    expect(await run(['keys', 'add', 'laptop', '--data', data])).toEqual(
      refusal(/there is no data folder at/),
    )
    expect(readdirSync(data)).toEqual(['notes.txt'])
  })

  test('stores name, time and hash, and the key in no file', async () => {
    const { data, keys } = withFolder()
    const before = Date.now()
    const key = (await keys('add', 'laptop')).stdout.trim()
    const { document: file } = JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8'))
    expect(file).toEqual({ keys: [{ name: 'laptop', createdAt: expect.any(Number), sha256: sha256(key) }] })
    expect(file.keys[0].createdAt).toBeWithin(before, Date.now() + 1)
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(files.map(({ name }) => name)).toContain('keys.json')
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), 'latin1')).not.toContain(key.slice('sc_'.length))
  })

  test('takes names of 1 to 64 characters A-Z a-z 0-9 . _ -', async () => {
    const { keys } = withFolder()
    expect(await keys('add', `A.b_c-9${'x'.repeat(57)}`)).toMatchObject({ code: 0 })
    for (const name of ['', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(65)])
      expect(await keys('add', name)).toEqual(refusal(/A key name has 1 to 64 /))
  })

  test('refuses a name that is taken and leaves its key as it was', async () => {
    const { data, keys } = withFolder()
    await keys('add', 'laptop')
    const before = readFileSync(join(data, 'keys.json'), 'utf8')
    expect(await keys('add', 'laptop')).toEqual(refusal(/named "laptop" already/))
    expect(readFileSync(join(data, 'keys.json'), 'utf8')).toBe(before)
  })

  test('refuses the name of the key from outside', async () => {
    expect(await withFolder().keys('add', 'environment')).toEqual(refusal(/SHORTCRUST_API_KEY/))
  })
})

describe('keys list', () => {
  test('shows names and creation times in columns, and never a key', async () => {
    const { keys } = withFolder()
    const added = [(await keys('add', 'a')).stdout.trim(), (await keys('add', 'longer')).stdout.trim()]
    const { code, stdout, stderr } = await keys('list')
    expect(stdout).toMatch(new RegExp(`^a       ${time}\nlonger  ${time}\n$`))
    for (const key of added) {
      expect(stdout).not.toContain(key.slice(3, 11))
      expect(stdout).not.toContain(sha256(key).slice(0, 8))
    }
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('of no keys prints nothing, and says where there are none and how to make one', async () => {
    const { data, keys } = withFolder()
    const answer = {
      code: 0,
      stdout: '',
      stderr: `there are no keys in ${data}; make one with: shortcrust keys add NAME\n`,
    }
    expect(await keys('list')).toEqual(answer)
  })

  test.each([
    ['keys list', []],
    ['keys revoke', ['laptop']],
    ['verify', []],
    ['backup', ['a.tgz']],
  ])(
    'like every command but a start, %s says where it looked, and makes no folder',
    async (command, words) => {
      const folder = temporaryFolder()
      const result = await run([...command.split(' '), ...words], {}, [], { cwd: folder })
      expect(result).toEqual(
        refusal(new RegExp(`there is no (data )?folder (at )?${folder}/data; name it with --data`)),
      )
      expect(readdirSync(folder)).toEqual([])
    },
  )
})

describe('keys revoke', () => {
  test('takes one key away and leaves the others', async () => {
    const { data, keys } = withFolder()
    await keys('add', 'old')
    await keys('add', 'kept')
    expect(await keys('revoke', 'old')).toEqual({
      code: 0,
      stdout: '',
      stderr: `API key "old" revoked in ${data}\n`,
    })
    expect((await keys('list')).stdout).toMatch(/^kept +\S+\n$/)
  })

  test('refuses a name that no key has', async () => {
    expect(await withFolder().keys('revoke', 'nobody')).toEqual(refusal(/no key named "nobody"/))
  })
})

const dayMs = 86_400_000

/** Wrong usage: exit code 2, nothing on standard output, one line on standard error. */
const usage = (says: RegExp) => ({
  code: 2,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^shortcrust: ${says.source}\\.?\n$`)),
})

describe('keys add with limits', () => {
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
      stderr: 'shortcrust: There is no key named "cj".\n',
    })
    expect(file.read()).toBe(before)
  })
})

describe('keys list with limits', () => {
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
      stderr: `shortcrust: ${file.path}: Field "keys.0.only" must be one of paste, shorten.\n`,
    })
  })
})
