import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableOf } from '../../src/cli/items/list.ts'
import { shortAge } from '../../src/format.ts'
import { createClient } from '../support/client.ts'
import { repository, run, start, temporaryFolder } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { failure, newUser } from '../support/user.ts'

const folder = temporaryFolder()
const fixture = (name: string) => join(repository, 'test/fixtures', name)
const write = (name: string, lines: readonly (object | string)[]) => {
  const path = join(folder, name)
  writeFileSync(
    path,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  )
  return path
}

const { server } = withServer()

/** Somebody who logged in with a key of their own. */
const newOwner = async (name: string, { url, data } = server) => {
  const key = (await run(['keys', 'add', name, '--data', data])).stdout.trim()
  const user = newUser()
  expect(await user.logIn(url, key)).toMatchObject({ code: 0 })
  return { ...user, ...createClient(url, key) }
}
const linesOf = (text: string) => text.split('\n').slice(0, -1)
const targetsOf = async ({ run: runAs }: Awaited<ReturnType<typeof newOwner>>) => {
  const { stdout } = await runAs(['list', 'links', '--json', '--limit', '1000'])
  return linesOf(stdout).map((line) => (JSON.parse(line) as { url: string }).url)
}

describe('shortcrust list', () => {
  test('says the next step where there is nothing', async () => {
    const owner = await newOwner('list-nobody')
    expect(await owner.run(['list'])).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('"shortcrust paste FILE"'),
    })
  })

  test('shows an aligned table of both kinds, newest first, or of one', async () => {
    const owner = await newOwner('list-both')
    const first = await owner.paste({ title: 'A \x1b[31mred\x1b[0m title' })
    const second = await owner.link('https://example.org/second')
    const { stdout, code } = await owner.run(['list'])
    const [head = '', ...rows] = linesOf(stdout)
    expect(code).toBe(0)
    expect(rows).toEqual([
      expect.stringMatching(/^http\S+ +(now|\ds ago) +0 visits +https:\/\/example\.org\/second$/),
      expect.stringMatching(
        /^http\S+ +(now|\ds ago) +0 reads {3}TypeScript {2}\d+ bytes {2}A +\[31mred +\[0m title$/,
      ),
    ])
    expect(rows[0]).toContain(second.shortendUrl ?? '-')
    expect(rows[1]).toContain(first.pasteUrl ?? '-')
    expect(head.indexOf('name')).toBe(rows[0]?.indexOf('https://') ?? -1)
    expect(linesOf((await owner.run(['list', 'links'])).stdout)).toHaveLength(2)
    expect(linesOf((await owner.run(['list', 'pastes', '--json'])).stdout)).toEqual([
      expect.stringMatching(/^\{"type":"paste","id":/),
    ])
  })

  test('names a paste without a title by its first line, and its language as people do', async () => {
    const owner = await newOwner('list-names')
    await owner.paste({ title: '', text: '\n  \x1b[31mred\x1b[0m alert\n', language: 'ansi' })
    await owner.paste({ title: '', text: 'a secret', language: 'text', maxReads: 1 } as object)
    const { stdout } = await owner.run(['list'])
    const rows = linesOf(stdout).slice(1)
    expect(rows[0]).toMatch(/ {2}Plain text +8 bytes +Untitled paste$/)
    expect(rows[1]).toMatch(/ {2}red alert$/)
  })

  test('shows how often each was used, and when it expires', async () => {
    const owner = await newOwner('list-facts')
    const limited = await owner.paste({ title: 'limited', maxReads: 3 } as object)
    const link = await owner.link('https://example.org/', { expiresIn: '2h' })
    await fetch(limited.rawUrl ?? '', { method: 'POST' })
    for (let time = 0; time < 2; time++) await owner.get(link.shortendUrl ?? '', { 'User-Agent': 'curl/8' })
    const { stdout } = await owner.run(['list'])
    expect(stdout).toMatch(/^address +created +expires +used +language +size +name or target\n/)
    expect(stdout).toMatch(/\/s\/\S+ +(now|\ds ago) +in 2h +2 visits +https:/)
    expect(stdout).toMatch(/\/p\/\S+ +(now|\ds ago) +1 of 3 reads +TypeScript +\d+ bytes +limited\n/)
    expect((await owner.run(['list', 'pastes'])).stdout).not.toContain('expires')
  })

  test.each([
    [-0.5, 'now'],
    [0.5, 'now'],
    [-59.9, '59s ago'],
    [-60, '1m ago'],
    [3500, 'in 58m'],
    [3599, 'in 1h'],
    [86_400 * 7 - 1, 'in 7d'],
    [86_400 * 6.5, 'in 6d'],
    [-(86_400 * 7 - 1), '6d ago'],
    [-86_400 * 40, '1mo ago'],
    [86_400 * 800, 'in 2y'],
  ])('says of a time %d s from now: %s', (seconds, says) => {
    const now = Date.UTC(2026, 0)
    expect(shortAge(new Date(now + seconds * 1000).toISOString(), now)).toBe(says)
    expect(shortAge('never', now)).toBe('')
  })

  test('says on standard error what it leaves out, and lists everything with --all', async () => {
    const owner = await newOwner('list-cut')
    await Promise.all(Array.from({ length: 202 }, (_, at) => owner.link(`https://example.org/cut/${at}`)))
    await owner.paste()
    const list = async (...args: string[]) => {
      const { stdout, stderr } = await owner.run(['list', '--json', ...args])
      return { lines: linesOf(stdout).length, stderr }
    }
    /** Texts are read after their creation was answered; until then, a list in another order says so. */
    const listAllRead = async (...args: string[]): ReturnType<typeof list> => {
      const said = await list(...args)
      return said.stderr.includes('still reading texts') ? listAllRead(...args) : said
    }
    expect(await list()).toEqual({ lines: 50, stderr: '50 of 203; --all for all\n' })
    expect(await list('links', '--limit', '201')).toEqual({
      lines: 201,
      stderr: '201 of 202; --all for all\n',
    })
    expect(await list('links', '--limit', '7')).toEqual({ lines: 7, stderr: '7 of 202; --all for all\n' })
    expect(await list('pastes')).toEqual({ lines: 1, stderr: '' })
    expect(await list('--all')).toEqual({ lines: 203, stderr: '' })
    expect(await listAllRead('--sort', 'size', '--limit', '2')).toEqual({
      ...{ lines: 2, stderr: '2 of 203; --all for all\n' },
    })
    const found = { lines: 2, stderr: '2, and there are more; --all for all\n' }
    expect(await listAllRead('--since', '1d', '--limit', '2')).toEqual(found)
    expect(await owner.run(['list', '--all', '--limit', '2'])).toEqual(failure(2, /give one of them/))
  })

  test('refuses what it cannot list', async () => {
    const owner = await newOwner('list-wrong')
    expect(await owner.run(['list', 'files'])).toEqual(
      failure(2, /unknown list "files": expected pastes or links/),
    )
    expect(await owner.run(['list', '--limit', '0'])).toEqual(failure(2, /--limit: expected a number/))
    expect(await newUser().run(['list'])).toEqual(failure(2, /no server is known/))
  })

  test('cuts its lines at the width of a terminal, also where characters take two columns', () => {
    const rows = [['http://nas/p/abc', '3d ago', '', '2 reads', 'Go', '1 byte', '漢字'.repeat(40)]]
    for (const line of tableOf(rows, 80)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80)
    expect(tableOf(rows, 80)[1]).toEndWith('…')
    expect(tableOf(rows)[1]).toEndWith('漢字')
  })
})

describe('shortcrust export and import', () => {
  const texts = ['one\r\n\0😀', 'x'.repeat(70_000), 'three']

  test('carry everything to another key, once, in its order', async () => {
    const [from, to] = [await newOwner('export-from'), await newOwner('export-to')]
    for (const text of texts) await from.paste({ text, title: `of ${text.length}` })
    for (const at of [1, 2]) await from.link(`https://example.org/${at}`)
    const file = join(folder, 'export.jsonl')
    expect(await from.run(['export', file])).toEqual({ code: 0, stdout: '', stderr: '5 items exported\n' })
    expect((await from.run(['export'])).stdout).toBe(readFileSync(file, 'utf8'))
    expect(await from.run(['export', file])).toEqual(failure(1, /exists already/))

    const dry = await to.run(['import', file])
    expect(dry.stdout).toBe(
      'would create 3 pastes and 2 short links; 0 there already, 0 cannot be imported\n',
    )
    expect(dry).toMatchObject({ code: 0, stderr: 'nothing was done: add --write to do it\n' })
    expect(await targetsOf(to)).toEqual([])
    const written = await to.run(['import', file, '--write'])
    expect(written.stdout).toBe('created 3 pastes and 2 short links; 0 there already, 0 cannot be imported\n')
    expect(await targetsOf(to)).toEqual(['https://example.org/2', 'https://example.org/1'])
    const copied = linesOf((await to.run(['export'])).stdout).map((line) => JSON.parse(line))
    expect(copied.filter(({ type }) => type === 'paste').map(({ text }) => text)).toEqual(texts.toReversed())

    for (const owner of [to, from])
      expect((await owner.run(['import', file, '--write'])).stdout).toBe(
        'created 0 pastes and 0 short links; 5 there already, 0 cannot be imported\n',
      )
    expect(await targetsOf(to)).toHaveLength(2)
  })

  test('tell equal pastes apart by title, description, language and text', async () => {
    const owner = await newOwner('import-equal')
    const paste = { type: 'paste', text: 'abc', title: 't', description: 'd', language: 'javascript' }
    const file = write('equal.jsonl', [
      paste,
      { ...paste, language: 'JS' },
      { ...paste, title: 'T' },
      { ...paste, description: '' },
      { ...paste, language: 'text' },
      { ...paste, text: 'abd' },
      { type: 'link', url: 'HTTPS://EXAMPLE.org' },
      { type: 'link', url: 'https://example.org/' },
    ])
    const says = '5 pastes and 1 short link; 2 there already, 0 cannot be imported\n'
    expect((await owner.run(['import', file, '--write'])).stdout).toBe(`created ${says}`)
    const again = 'would create 0 pastes and 0 short links; 8 there already, 0 cannot be imported\n'
    expect((await owner.run(['import', file])).stdout).toBe(again)
  })

  test('carry names and what is left of lifetimes, and leave out what has expired', async () => {
    const owner = await newOwner('names-from')
    const { shortendUrl = '' } = await owner.link('https://example.org/named', {
      alias: 'Named-Link',
      expiresIn: '1h',
    })
    const exported = linesOf((await owner.run(['export'])).stdout)
    const gone = JSON.stringify({
      type: 'link',
      url: 'https://example.org/gone',
      expiresAt: '2020-01-01T00:00:00Z',
    })
    const file = write('names.jsonl', [...exported, gone])
    const other = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const heir = await newOwner('names-to', other)
    const imported = await heir.run(['import', file, '--write'])
    expect(imported).toMatchObject({ code: 1, stderr: expect.stringContaining('line 2: has expired') })
    expect(imported.stdout).toStartWith('created 0 pastes and 1 short link;')
    const followed = await heir.get(new URL(shortendUrl).pathname)
    expect([followed.status, followed.headers.get('location')]).toEqual([302, 'https://example.org/named'])
    const [link = '{}'] = linesOf((await heir.run(['list', 'links', '--json'])).stdout)
    const left = Date.parse((JSON.parse(link) as { expiresAt: string }).expiresAt) - Date.now()
    expect(left).toBeWithin(3_400_000, 3_600_001)
    const again = await heir.run(['import', file, '--write'])
    expect(again.stdout).toStartWith('created 0 pastes and 0 short links; 1 there already')
    await other.stop()
  })

  test('name each line that cannot be imported, and import the others', async () => {
    const owner = await newOwner('import-wrong')
    const file = write('wrong.jsonl', [
      { type: 'link', url: 'ftp://example.org/' },
      '{"type":"link","url":',
      '',
      { type: 'file' },
      { type: 'paste', text: '' },
      { type: 'paste', text: 'x', title: 7 },
      { type: 'link' },
      { type: 'paste', text: 'x', language: 'pyton' },
      { type: 'link', url: 'https://example.org/good' },
    ])
    const { code, stdout, stderr } = await owner.run(['import', file, '--write'])
    expect(code).toBe(1)
    expect(stdout).toBe(
      'created 0 pastes and 1 short link; 0 there already, 6 cannot be imported, 1 not created\n',
    )
    expect(linesOf(stderr)).toEqual([
      expect.stringMatching(/^shortcrust: line 2: is not JSON\.$/),
      expect.stringMatching(/^shortcrust: line 4: "type" is neither/),
      expect.stringMatching(/^shortcrust: line 5: is a paste without "text"/),
      expect.stringMatching(/^shortcrust: line 6: "title", "description" or "language" is not text/),
      expect.stringMatching(/^shortcrust: line 7: is a link without "url"/),
      expect.stringMatching(/^shortcrust: line 1: Invalid URL format: it must begin with http/),
      expect.stringMatching(/^shortcrust: line 8: .*nearest one is "python"/),
    ])
    expect(await targetsOf(owner)).toEqual(['https://example.org/good'])
  })

  test('refuse a file that nobody knows, is missing, or is no text', async () => {
    const owner = await newOwner('import-unknown')
    const refusal = (file: string, says: RegExp) =>
      owner.run(['import', file]).then((result) => expect(result).toEqual(failure(1, says)))
    await refusal(write('unknown.csv', ['name,address', 'a,b']), /its first line is not known/)
    await refusal(write('empty.csv', []), /its first line is not known/)
    await refusal(write('broken.json', ['[{"shortlink":']), /begins like a JSON array/)
    await refusal(join(folder, 'none.jsonl'), /there is no such file/)
    writeFileSync(join(folder, 'latin'), Buffer.from([0x7b, 0xe9]))
    await refusal(join(folder, 'latin'), /is not UTF-8 text/)
  })

  test.each([
    [
      'YOURLS',
      'yourls.csv',
      ['https://example.org/say', 'https://example.org/?a=1,2', 'https://example.org/docs'],
      [/line 4: Invalid URL format: it must begin with http/],
    ],
    [
      'Shlink, oldest first',
      'shlink.csv',
      ['https://example.org/second', 'https://example.org/first'],
      [/line 5: has no "longUrl"/],
    ],
    ['chhoto-url', 'chhoto-url.csv', ['https://example.org/two', 'https://example.org/one'], []],
    [
      "chhoto-url's API",
      'chhoto-url.json',
      ['https://example.org/two', 'https://example.org/one'],
      [/entry 3: has no "longlink"/],
    ],
  ])('import the links of %s', async (_, name, targets, problems) => {
    const owner = await newOwner(`import-${name}`)
    const { stderr, code } = await owner.run(['import', fixture(name), '--write'])
    expect(linesOf(stderr)).toEqual(problems.map((problem) => expect.stringMatching(problem)))
    expect(code).toBe(problems.length === 0 ? 0 : 1)
    expect(await targetsOf(owner)).toEqual(targets)
    expect((await owner.run(['import', fixture(name)])).stdout).toMatch(/^would create 0 pastes and 0 short/)
  })

  test('leave no half export behind', async () => {
    const owner = await newOwner('export-half')
    const file = join(folder, 'half.jsonl')
    const refused = await owner.run(['export', file, '--key', 'a-key-that-nobody-has'])
    expect(refused).toEqual(failure(3, /not valid/))
    expect(readdirSync(folder).filter((name) => name.startsWith('half'))).toEqual([])
  })
})
