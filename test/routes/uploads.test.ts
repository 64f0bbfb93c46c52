import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { repository, start, temporaryFolder, testKey } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { quiet, withServer } from '../support/server.ts'

const maxBytes = 4096
const { server, client } = withServer({ args: [...quiet, '--max-paste', `${maxBytes}`] })
let folder: string
beforeAll(async () => {
  folder = temporaryFolder()
})

/** A file of this name in a folder of the test's own. */
const fileOf = async (name: string, content: string | Uint8Array) => {
  const path = join(folder, name)
  await Bun.write(path, content)
  return path
}

/** What curl prints; the words are those of a command line, `/…` at its end stands for this server. */
const curl = (
  words: readonly string[],
  stdin: string | Uint8Array = '',
  key: string[] = [`key: ${testKey}`],
) => {
  const headers = key.flatMap((header) => ['-H', header])
  const command = ['curl', '-s', ...headers, ...words.slice(0, -1), server.url + words.at(-1)]
  return Bun.spawnSync(command, { stdin: Buffer.from(stdin), stderr: 'inherit' }).stdout.toString()
}

const pasteAt = async (address: string) =>
  (await (await client.get(address.trim(), { Accept: 'application/json' })).json()) as Record<string, string>

const rawOf = async (address: string) => (await client.get(address.trim().replace('/p/', '/p/raw/'))).bytes()

const addressLine = /^http:\/\/127\.0\.0\.1:\d+\/p\/[a-z2-9]{10}\n$/

describe.skipIf(!requireProgram('curl', 'curl'))('a plain curl', () => {
  const content = 'print("é")\r\n\n'

  /** How a file is sent, and the title and language that its name gives it. */
  const ways: [way: string, words: (path: string) => string[], title: string, language: string][] = [
    ['--data-binary @file', (path) => ['--data-binary', `@${path}`, '/'], '', 'text'],
    ['--data-binary @-', () => ['--data-binary', '@-', '/'], '', 'text'],
    ['-T file to a name', (path) => ['-T', path, '/other.rs'], 'other.rs', 'rust'],
    ['-T file, which curl names itself', (path) => ['-T', path, '/'], 'name.py', 'python'],
    ['-T -', () => ['-T', '-', '/'], '', 'text'],
    ['-T - to a name', () => ['-T', '-', '/Dockerfile'], 'Dockerfile', 'docker'],
    ['-F file=@file', (path) => ['-F', `file=@${path}`, '/'], 'name.py', 'python'],
    ['-F with another field name', (path) => ['-F', `f:1=@${path}`, '/'], 'name.py', 'python'],
    ['-F file=@-', () => ['-F', 'file=@-', '/'], '', 'text'],
    ['-F to a name', (path) => ['-X', 'PUT', '-F', `file=@${path}`, '/a.rs'], 'name.py', 'python'],
  ]

  test.each(ways)('%s gets the address alone', async (_, words, title, language) => {
    const printed = curl(words(await fileOf('name.py', content)), content)
    expect(printed).toMatch(addressLine)
    const paste = await pasteAt(printed)
    expect(paste).toMatchObject({ text: content, title, description: '', language })
  })

  test.each(ways)('%s keeps every byte', async (_, words) => {
    const awkward = '\ufeffa\r\nb\rc\n\0\u001b[1m\t é 😀 =&%41+--\r\n--x\r\n'
    const printed = curl(words(await fileOf('name.py', awkward)), awkward)
    expect(await rawOf(printed)).toEqual(new TextEncoder().encode(awkward))
  })

  test.each(ways)('%s is told what is wrong with the content', async (_, words) => {
    const refused = async (content: string | Uint8Array) =>
      JSON.parse(curl(words(await fileOf('name.py', content)), content)).error
    expect(await refused(new Uint8Array([0x61, 0xff, 0x62]))).toMatch(/not UTF-8/)
    expect(await refused('')).toBe('The upload is empty.')
    expect(await refused('a'.repeat(maxBytes + 1))).toMatch(/larger than 4096 bytes/)
    expect(curl(words(await fileOf('name.py', 'a'.repeat(maxBytes))), 'a'.repeat(maxBytes))).toMatch(
      addressLine,
    )
  })

  test.each(ways.filter(([way]) => !way.startsWith('--data')))(
    '%s without a key is told so',
    async (_, words) => {
      const printed = curl([...words(await fileOf('name.py', content))], content, ['key;'])
      expect(JSON.parse(printed)).toEqual({ success: false, error: expect.stringMatching(/"key"/) })
    },
  )

  test('says in the form or in the address what the name does not', () => {
    const query = '?title=A%20title&description=Said%20shortly&language=C%2B%2B'
    const said = { title: 'A title', description: 'Said shortly', language: 'cpp' }
    const form = ['title=A title', 'description=Said shortly', 'language=C++'].flatMap((field) => [
      '-F',
      field,
    ])
    return Promise.all(
      [
        ['--data-binary', '@-', `/${query}`],
        ['-T', '-', `/name.py${query}`],
        ['-F', 'file=@-;filename=name.py', ...form, '/'],
        ['-F', 'file=@-;filename=name.py', ...form, '/?title=Other&language=rust'],
      ].map(async (words) => expect(await pasteAt(curl(words, content))).toMatchObject(said)),
    )
  })

  test('gets the language from a title that names a file', async () => {
    const printed = curl(['--data-binary', '@-', '/?title=main.go'], content)
    expect(await pasteAt(printed)).toMatchObject({ title: 'main.go', language: 'go' })
  })

  test('finds the way to delete in a header', async () => {
    const printed = curl(['-T', '-', '-w', '%header{deletion-url}', '/'], content)
    const [address = '', deletionUrl = ''] = printed.split('\n')
    expect((await client.get(deletionUrl, {}, { method: 'DELETE' })).status).toBe(200)
    expect((await client.get(address)).status).toBe(410)
  })

  test('sends one file at a time, and a file it must be', async () => {
    const path = await fileOf('name.py', content)
    for (const form of [
      ['-F', `a=@${path}`, '-F', `b=@${path}`],
      ['-F', `a=@${path}`, '-F', 'text=hello'],
      ['-F', 'title=hello'],
    ])
      expect(JSON.parse(curl([...form, '/'])).error).toMatch(/exactly one file/)
    expect(await rawOf(curl(['-F', 'text=hello', '/']))).toEqual(new TextEncoder().encode('hello'))
  })

  test('keeps a name with spaces, percent signs, slashes in code and other letters', async () => {
    for (const name of ['a b.py', '100%.py', 'ä😀.py', 'a+b&c?.py', 'a/b.py']) {
      const printed = curl(['-T', '-', `/${encodeURIComponent(name)}`], content)
      expect(await pasteAt(printed)).toMatchObject({ title: name, language: 'python' })
    }
  })

  test('does what docs/create.md shows', async () => {
    const docs = await Bun.file(join(repository, 'docs/create.md')).text()
    const lines = docs.match(/^.*\bcurl -H .*$/gm) ?? []
    expect(lines.length).toBe(5)
    for (const name of ['build.py', 'build.log']) await fileOf(name, content)
    for (const line of lines) {
      const script = `KEY=${testKey}; ${line.replace('curl ', 'curl -s ').replaceAll('http://nas', server.url)}`
      const printed = Bun.spawnSync(['sh', '-c', script], {
        cwd: folder,
        stderr: 'inherit',
      }).stdout.toString()
      expect(`${printed.split('\n')[0]}\n`, line).toMatch(addressLine)
    }
  })
})

const put = (path: string, body: string | ReadableStream, init: RequestInit = {}) =>
  fetch(server.url + path, { method: 'PUT', headers: { key: testKey }, body, ...init })

describe('an upload', () => {
  test('answers 201, text, and where the paste lies', async () => {
    const response = await put('/name.py', 'a')
    expect(response.status).toBe(201)
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(`${response.headers.get('Location')}\n`).toBe(await response.text())
  })

  test('has no other fault than that of a paste created by the API', async () => {
    await expectError(await put('/?language=pythn', 'a'), 422, /python/)
    await expectError(await put(`/?title=${'é'.repeat(513)}`, 'a'), 422, /title/)
    await expectError(await put(`/?title=${'é'.repeat(513)}`, 'a'.repeat(4097)), 413, /larger than 4096/)
    await expectError(await put('/', 'a', { headers: { key: 'wrong' } }), 401, /not valid/)
  })

  test('of a file whose name is too long for a title is refused, unless it is given a title', async () => {
    const name = `${'n'.repeat(1022)}.py`
    await expectError(await put(`/${name}`, 'a'), 422, /"title" is longer than 1 KiB/)
    expect((await put(`/${name}?title=short`, 'a')).status).toBe(201)
    expect((await put(`/${name.slice(1)}`, 'a')).status).toBe(201)
  })

  test('of unannounced length is read no further than it may go', async () => {
    const endless = new ReadableStream({ pull: (sink) => sink.enqueue(new Uint8Array(1024).fill(0x61)) })
    await expectError(await put('/', endless), 413, /larger than 4096 bytes/)
  })

  test.each(['/paste', '/shortener', '/documents', '/healthz', '/paste/delete', '/p/name.py', '/s/name.py'])(
    'cannot take the name of what is there already: PUT %s is 405',
    async (path) => {
      const response = await put(path, 'a')
      expect(response.headers.get('Allow')).not.toContain('PUT')
      await expectError(response, 405)
    },
  )

  test.each(['/a/b.py', '/a/b/c.py'])('has a name without slashes: PUT %s says so', async (path) => {
    await expectError(await put(path, 'a'), 404, /without slashes/)
  })

  test('takes a token of the same bucket as the API', async () => {
    const limited = await start({ args: ['--rate-limit', '3/9999s', '--log', 'off'] })
    const send = (method: string, path: string) =>
      fetch(limited.url + path, { method, headers: { key: testKey }, body: 'a' })
    expect((await send('POST', '/')).status).toBe(201)
    expect((await send('PUT', '/name.py')).status).toBe(201)
    expect((await send('POST', '/documents')).status).toBe(200)
    await expectError(await createClient(limited.url).post('/paste', examplePaste), 429)
    const refused = await send('PUT', '/name.py')
    expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/)
    await expectError(refused, 429)
    await limited.stop()
  })
})
