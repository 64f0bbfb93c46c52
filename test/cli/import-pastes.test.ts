import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createClient } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { run, temporaryFolder } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { failure, newUser } from '../support/user.ts'

const { server, client } = withServer()

/** Somebody who logged in with a key of their own. */
const newOwner = async (name: string) => {
  const key = (await run(['keys', 'add', name, '--data', server.data])).stdout.trim()
  const user = newUser()
  expect(await user.logIn(server.url, key)).toMatchObject({ code: 0 })
  const items = async (kind: 'pastes' | 'links') =>
    (await user.run(['list', kind, '--json', '--limit', '100'])).stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { ...user, ...createClient(server.url, key), items }
}

const made = new Date('2021-03-04T05:06:07.000Z')
const folderOf = (files: Readonly<Record<string, string | Uint8Array>>) => {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    utimesSync(path, made, made)
  }
  return folder
}
const rawOf = async (name: string) => (await client.get(`/p/raw/${name}`)).text()
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe('shortcrust import of a folder', () => {
  test('makes a paste of each file: its path is the title, its name the address, its time when it was made', async () => {
    const owner = await newOwner('folder')
    const texts = { 'notes.md': '# Notes\r\n', 'src/main.py': 'print("é")', 'no ending': ' \n' }
    const folder = folderOf({ ...texts, '.git/config': 'hidden' })
    symlinkSync('/etc/passwd', join(folder, 'linked'))
    const dry = await owner.run(['import', folder])
    expect(dry).toEqual({
      code: 0,
      stdout: 'would create 3 pastes and 0 short links; 0 there already, 0 cannot be imported\n',
      stderr: 'nothing was done: add --write to do it\n',
    })
    expect(await owner.items('pastes')).toEqual([])
    expect(await owner.run(['import', folder, '--write'])).toMatchObject({ code: 0, stderr: '' })
    const pastes = await owner.items('pastes')
    const facts = pastes.map(({ title, alias, language, createdAt }) => ({
      title,
      alias,
      language,
      createdAt,
    }))
    expect(facts.sort((a, b) => (String(a.title) < String(b.title) ? -1 : 1))).toEqual([
      { title: 'no ending', alias: undefined, language: 'text', createdAt: made.toISOString() },
      { title: 'notes.md', alias: 'notes', language: 'markdown', createdAt: made.toISOString() },
      { title: 'src/main.py', alias: 'main', language: 'python', createdAt: made.toISOString() },
    ])
    expect(await rawOf('notes')).toBe(texts['notes.md'])
    expect(await rawOf('main')).toBe(texts['src/main.py'])
  })

  test('goes on after a break: what is there is not created again, although its language was detected', async () => {
    const owner = await newOwner('again')
    const folder = folderOf({ 'go-on-1.py': 'a = 1', 'go-on-2.txt': '{"a": 1}', 'go-on-3': 'x' })
    await owner.run(['import', folder, '--write'])
    writeFileSync(join(folder, 'go-on-4.txt'), 'one more')
    expect((await owner.run(['import', folder, '--write'])).stdout).toBe(
      'created 1 paste and 0 short links; 3 there already, 0 cannot be imported\n',
    )
  })

  test('names each file that cannot be a paste, and imports the others', async () => {
    const owner = await newOwner('unfit')
    const folder = folderOf({
      'binary.png': Buffer.from([0x89, 0x50, 0xff, 0]),
      empty: '',
      'unfit.txt': 'fit',
    })
    const done = await owner.run(['import', folder, '--write'])
    expect(done).toMatchObject({ code: 1, stdout: expect.stringContaining('created 1 paste') })
    expect(done.stderr.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^shortcrust: binary\.png: is not UTF-8 text/),
      expect.stringMatching(/^shortcrust: empty: is empty/),
    ])
  })

  test('of the same name twice names only the first, and goes on where a name is another key’s', async () => {
    const owner = await newOwner('names')
    await client.paste({ alias: 'belongs-to-another' })
    const folder = folderOf({
      'twin.js': '1',
      'twin.py': '2',
      'belongs-to-another.txt': '3',
      'admin.txt': '4',
    })
    const done = await owner.run(['import', folder, '--write'])
    expect(done.stdout).toContain(
      'created 3 pastes and 0 short links; 0 there already, 0 cannot be imported, 1 not',
    )
    expect(done.stderr).toMatch(/^shortcrust: belongs-to-another\.txt: .*taken/)
    expect(await rawOf('twin')).toBe('1')
  })

  test('says with --json what becomes of each', async () => {
    const owner = await newOwner('json')
    const folder = folderOf({ 'json-1.txt': 'a', 'json-2.txt': '' })
    const linesOf = async (...flags: string[]) => {
      const { stdout } = await owner.run(['import', folder, '--json', ...flags])
      return stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as object)
    }
    const unusable = { place: 'json-2.txt', outcome: 'unusable', reason: expect.stringMatching(/is empty/) }
    const first = { place: 'json-1.txt', type: 'paste' }
    expect(await linesOf()).toEqual([unusable, { ...first, outcome: 'new' }])
    const address = `${server.url}/p/json-1`
    expect(await linesOf('--write')).toEqual([unusable, { ...first, outcome: 'created', address }])
    expect(await linesOf('--write')).toEqual([unusable, { ...first, outcome: 'known' }])
  })

  test('refuses one without a file, and one that is not there', async () => {
    const owner = await newOwner('nobody')
    const empty = folderOf({})
    expect(await owner.run(['import', empty])).toEqual(failure(1, /there is no file in this folder/))
    rmSync(empty, { recursive: true })
    expect(await owner.run(['import', empty])).toEqual(failure(1, /there is no such file/))
  })
})

describe('of the data of haste-server', () => {
  test('keeps the addresses: the files are named by the MD5 of their keys', async () => {
    const owner = await newOwner('haste')
    const texts = { eqiyotoqir: 'const a = 1\n', Ab3: 'ünï\r\n' }
    const files = Object.entries(texts).map(([key, text]) => [md5(key), text] as const)
    const done = await owner.run(['import', folderOf(Object.fromEntries(files)), '--write'])
    expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('created 2 pastes') })
    for (const [key, text] of Object.entries(texts)) {
      expect(await (await client.get(`/raw/${key}`)).text()).toBe(text)
      expect(((await (await client.get(`/documents/${key}`)).json()) as { data: string }).data).toBe(text)
      for (const path of [`/${key}`, `/${key}.js`, `/share/${key}`]) {
        const { status, headers } = await client.get(path)
        expect([path, status, headers.get('Location')]).toEqual([path, 302, `${server.url}/p/${md5(key)}`])
      }
    }
    await expectError(await client.get('/raw/eqiyotoqix'), 404)
    await expectError(await client.get('/eqiyotoqix'), 404)
    // Of another letter case is another key.
    await expectError(await client.get('/raw/ab3'), 404)
  })
})

describe('of the data of rustypaste', () => {
  const soon = Date.now() + 86_400_000
  const names = ['oneshot', 'oneshot_url', 'url']
  const dataOf = (files: Readonly<Record<string, string>>) => {
    const folder = folderOf(files)
    for (const name of names) mkdirSync(join(folder, name), { recursive: true })
    return folder
  }

  test('keeps names, expiry, what is used once, and addresses as short links', async () => {
    const owner = await newOwner('rustypaste')
    const folder = dataOf({
      'capital-mosquito.txt': 'kept',
      [`calm-otter.rs.${soon}`]: 'fn main() {}',
      'oneshot/once-only.txt': 'secret',
      'oneshot/used.txt.1700000000000': 'read already',
      'url/quick-fox': 'https://example.org/fox\n',
      'oneshot_url/one-hop': 'https://example.org/hop',
      'url/broken': 'no address',
    })
    const done = await owner.run(['import', folder, '--write'])
    expect(done.stdout).toBe('created 3 pastes and 2 short links; 0 there already, 2 cannot be imported\n')
    expect(done.stderr).toContain('oneshot/used.txt.1700000000000: has expired: 2023-11-14')
    expect(done.stderr).toMatch(/url\/broken: Invalid URL format/)
    const pastes = Object.fromEntries((await owner.items('pastes')).map((one) => [one.title, one]))
    expect(pastes['capital-mosquito.txt']).toMatchObject({
      alias: 'capital-mosquito',
      createdAt: made.toISOString(),
    })
    expect(pastes['calm-otter.rs']).toMatchObject({ alias: 'calm-otter', language: 'rust' })
    expect(Date.parse(String(pastes['calm-otter.rs']?.expiresAt)) - soon).toBeWithin(-10_000, 10_000)
    expect(pastes['once-only.txt']).toMatchObject({ maxReads: 1, readsLeft: 1 })
    const links = Object.fromEntries((await owner.items('links')).map((one) => [one.alias, one]))
    expect(links['quick-fox']).toMatchObject({ url: 'https://example.org/fox' })
    expect(links['one-hop']).toMatchObject({ maxVisits: 1 })
    expect((await owner.run(['import', folder, '--write'])).stdout).toStartWith(
      'created 0 pastes and 0 short links; 5 there already',
    )
  })

  test('says which name it cannot keep', async () => {
    const owner = await newOwner('rustypaste-names')
    const folder = dataOf({ 'aB3x.txt': 'one', 'Ab3x.txt': 'two', 'docs.txt': 'three' })
    const dry = await owner.run(['import', folder])
    expect(dry.stderr.split('\n').slice(0, 2)).toEqual([
      'shortcrust: aB3x.txt: does not keep the name "aB3x": another file has it.',
      'shortcrust: docs.txt: does not keep the name "docs": no item here can have it.',
    ])
  })
})

describe('of gists', () => {
  const created_at = '2020-01-02T03:04:05Z'
  const file = (filename: string, content: string, more: object = {}) => ({ filename, content, ...more })
  const github = {
    ...{ id: '0123456789abcdef0123456789abcdef', description: 'Of GitHub', created_at },
    files: { 'a.py': file('a.py', 'print(1)', { truncated: false, language: 'Python' }) },
  }
  const opengist = {
    ...{ id: 'my-gist', title: 'hello.md', description: '', created_at, visibility: 'public' },
    files: [file('hello.md', '# Hello', { truncated: false, type: 'Markdown' }), file('two.txt', 'Two')],
  }
  const importing = async (name: string, text: string, ...flags: string[]) => {
    const owner = await newOwner(name)
    const path = join(folderOf({ 'gists.json': text }), 'gists.json')
    return { done: await owner.run(['import', path, '--write', ...flags]), owner }
  }

  test.each([
    ['one', JSON.stringify(github, null, 2), 1],
    ['a list', JSON.stringify([github, opengist]), 3],
    ['one a line', `${JSON.stringify({ ...github, id: 'by-line' })}\n${JSON.stringify(opengist)}\n`, 3],
  ])('takes %s, each file as a paste', async (name, text, count) => {
    const { done, owner } = await importing(
      `gist-${name.replaceAll(' ', '-')}`,
      text.replace('0123', name[0] ?? ''),
    )
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining(`created ${count} paste`) })
    const pastes = await owner.items('pastes')
    expect(pastes.find(({ title }) => title === 'a.py')).toMatchObject({
      ...{ description: 'Of GitHub', language: 'python', createdAt: '2020-01-02T03:04:05.000Z' },
      alias: expect.stringMatching(/^(o|a)456789|^by-line$/),
    })
    if (count === 3) expect(pastes.find(({ title }) => title === 'hello.md')).not.toHaveProperty('alias')
  })

  test('leaves out what would be less secret, or not whole', async () => {
    const files = [
      file('cut.txt', 'a', { truncated: true }),
      file('image.png', 'iVBORw0KGgo=', { encoding: 'base64' }),
      { filename: 'listed.txt' },
    ]
    const { done } = await importing(
      'gist-unusable',
      JSON.stringify([
        { ...opengist, visibility: 'private' },
        { ...github, files },
      ]),
    )
    expect(done).toMatchObject({ code: 1, stdout: expect.stringContaining('4 cannot be imported') })
    expect(done.stderr.split('\n').slice(0, 4)).toEqual([
      expect.stringMatching(/entry 1: is private there/),
      expect.stringMatching(/entry 2, cut\.txt: is truncated/),
      expect.stringMatching(/entry 2, image\.png: is not text/),
      expect.stringMatching(/entry 2, listed\.txt: has no "content"/),
    ])
  })
})

describe('the time of an import', () => {
  test('is that of the export, and decides the place in the list', async () => {
    const owner = await newOwner('times')
    const line = (text: string, createdAt: string) =>
      JSON.stringify({ type: 'paste', text, title: text, description: '', language: 'text', createdAt })
    const lines = [line('older', '2019-01-01T00:00:00.000Z'), line('old', '2020-01-01T00:00:00.000Z')]
    await owner.paste({ title: 'new' })
    await owner.run(['import', join(folderOf({ 'a.jsonl': lines.join('\n') }), 'a.jsonl'), '--write'])
    expect(
      (await owner.items('pastes')).map(({ title, createdAt }) => [title, String(createdAt).slice(0, 4)]),
    ).toEqual([
      ['new', String(new Date().getUTCFullYear())],
      ['old', '2020'],
      ['older', '2019'],
    ])
  })

  test('that is still to come counts as now, and one that is none is refused', async () => {
    const { pasteUrl = '' } = await client.paste({
      madeAt: '2999-01-01T00:00:00Z',
      expiresIn: '1h',
    } as object)
    const paste = (await (await client.get(pasteUrl, { Accept: 'application/json' })).json()) as Record<
      string,
      string
    >
    expect(Date.now() - Date.parse(paste.createdAt ?? '')).toBeWithin(-1, 60_000)
    for (const madeAt of ['yesterday', '1969-01-01T00:00:00Z', 5, null])
      await expectError(
        await client.post('/shortener', { url: 'https://example.org/', madeAt }),
        422,
        /madeAt/,
      )
  })

  test('leaves the lifetime to begin now', async () => {
    const { shortendUrl = '' } = await client.link('https://example.org/', {
      madeAt: '2020-01-01T00:00:00Z',
      expiresIn: '1h',
    })
    expect((await client.get(shortendUrl)).status).toBe(302)
  })
})
