import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stampedFolder } from '../support/key-file.ts'
import { run, temporaryFolder } from '../support/process.ts'

const keyShape = /^sc_[A-Za-z0-9]{32}$/

const withFolder = () => {
  const data = stampedFolder()
  return { data, keys: (...words: string[]) => run(['keys', ...words, '--data', data]) }
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
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
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

  test('frees the name for a new key', async () => {
    const { keys } = withFolder()
    const first = (await keys('add', 'laptop')).stdout
    await keys('revoke', 'laptop')
    const second = (await keys('add', 'laptop')).stdout
    expect(second.trim()).toMatch(keyShape)
    expect(second).not.toBe(first)
  })

  test('refuses a name that no key has', async () => {
    expect(await withFolder().keys('revoke', 'nobody')).toEqual(refusal(/no key named "nobody"/))
  })
})
