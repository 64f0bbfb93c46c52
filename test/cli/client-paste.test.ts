import { beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder, testKey } from '../support/process.ts'
import { isRoot } from '../support/programs.ts'
import { withServer } from '../support/server.ts'
import { failure, newUser } from '../support/user.ts'

const user = newUser()
const folder = temporaryFolder()
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content)
  return name
}
const paste = (args: readonly string[], stdin?: string | Uint8Array) =>
  user.run(['paste', ...args], { cwd: folder, ...(stdin === undefined ? {} : { stdin }) })

const { server } = withServer()
beforeAll(async () => {
  await user.logIn(server.url)
})

type Stored = { text: string; title: string; description: string; language: string }

/** What the server keeps under an address that was printed. */
const stored = async (address: string) =>
  (await (await fetch(address.trim(), { headers: { Accept: 'application/json' } })).json()) as Stored

const addressLine = () => new RegExp(`^${server.url}/p/[a-z0-9]{10}\n$`)

describe('shortcrust paste', () => {
  test('prints the address alone, and sends title and language by the name of the file', async () => {
    const result = await paste([file('main.py', 'print(1)\n')])
    expect(result).toEqual({ code: 0, stdout: expect.stringMatching(addressLine()), stderr: '' })
    expect(await stored(result.stdout)).toMatchObject({
      text: 'print(1)\n',
      title: 'main.py',
      description: '',
      language: 'python',
    })
  })

  test('takes title, description and language from flags', async () => {
    const flags = ['--title', 'T', '--description=D', '--language', 'C++']
    const { stdout } = await paste([file('a.txt', 'x'), ...flags])
    expect(await stored(stdout)).toMatchObject({ title: 'T', description: 'D', language: 'cpp' })
  })

  test('names a file in another folder by its last part', async () => {
    mkdirSync(join(folder, 'sub'), { recursive: true })
    const { stdout } = await paste([file('sub/a.rs', 'x')])
    expect(await stored(stdout)).toMatchObject({ title: 'a.rs', language: 'rust' })
  })

  test.each([
    ['without a word', []],
    ['with -', ['-']],
  ])('reads standard input %s, without a title, its language by the #! line', async (_, words) => {
    const text = '#!/usr/bin/env bash\necho hi\n'
    const { stdout, stderr } = await paste(words, text)
    expect(stderr).toBe('')
    expect(await stored(stdout)).toMatchObject({ text, title: '', language: 'shellscript' })
  })

  const python =
    'import os\n\ndef main(args):\n    for name in args:\n        print(os.path.join("a", name))\n'

  test.each([
    ['standard input', () => [], python],
    ['a file without an ending', () => [file('script', python)], undefined],
    ['a file with an unknown ending', () => [file('script.unknown', python)], undefined],
    ['an input with --language auto', () => ['--language', 'auto'], python],
  ])('lets the server find the language of %s', async (_, words, stdin) => {
    const { stdout, stderr } = await paste(words(), stdin)
    expect(stderr).toBe('')
    expect(await stored(stdout)).toMatchObject({ text: python, language: 'python' })
  })

  test('sends every byte as it is', async () => {
    const text = '\ufeffa\r\nb\tc\0d\u2028e😀\x1b[31m\x7f'
    const { stdout } = await paste([file('bytes', text)])
    const raw = await fetch(stdout.trim().replace('/p/', '/p/raw/'))
    expect(Buffer.from(await raw.arrayBuffer())).toEqual(Buffer.from(text))
  })

  test('takes a name that begins with a dash behind --, and what a pipe gives as a file', async () => {
    expect(await paste(['--', file('-x.c', 'int a;')])).toMatchObject({ code: 0 })
    const { stdout } = await paste(['/dev/stdin'], 'piped')
    expect(await stored(stdout)).toMatchObject({ text: 'piped', title: 'stdin' })
  })

  test('makes one paste of each file and of standard input, in order', async () => {
    const { stdout, code } = await paste([file('1.js', '1'), '-', file('3.js', '3')], '2')
    expect(code).toBe(0)
    const texts = await Promise.all(stdout.trim().split('\n').map(stored))
    expect(texts.map(({ text }) => text)).toEqual(['1', '2', '3'])
  })

  test('gives a name, for one file only', async () => {
    const { stdout } = await paste(['--alias', 'Build-1', file('1.js', '1')])
    expect(stdout).toEndWith('/p/build-1\n')
    expect(await stored(stdout)).toMatchObject({ text: '1' })
    expect(await paste(['--alias', 'build-1', file('2.js', '2')])).toEqual(failure(1, /"build-1" is taken/))
    expect(await paste(['--alias', 'b', file('1.js', '1'), file('2.js', '2')])).toEqual(
      failure(2, /one file/),
    )
  })

  test('prints with --json the whole answer of the server, one line each', async () => {
    const { stdout } = await paste(['--json', file('1.js', '1'), file('2.js', '2')])
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(answers).toHaveLength(2)
    for (const answer of answers)
      expect(answer).toEqual({
        success: true,
        message: 'Paste created',
        pasteUrl: expect.stringContaining('/p/'),
        rawUrl: expect.stringContaining('/p/raw/'),
        deletionUrl: expect.stringContaining('/paste/delete?key='),
      })
  })
})

describe('an input that cannot be sent', () => {
  test.each([
    ['a missing file', () => ['none.txt'], /none\.txt: there is no such file/],
    ['a file below a file', () => [`${file('a.txt', 'x')}/b`], /a\.txt\/b: there is no such file/],
    ['a folder', () => ['.'], /\.: is a folder; name the files in it/],
    ['an empty file', () => [file('empty', '')], /empty: is empty: there is nothing to paste/],
    ['a file of Latin-1', () => [file('latin', Buffer.from([0x61, 0xe9]))], /latin: is not UTF-8 text/],
    [
      'a text larger than the server takes',
      () => [file('big', 'x'.repeat(1024 ** 2 + 1))],
      /big: .* larger than 1048576 bytes/,
    ],
    [
      'a text so large that the server answers before it is sent',
      () => [file('huge', 'x'.repeat(20 * 1024 ** 2))],
      /huge: The request body is larger than \d+ bytes/,
    ],
    ['a file larger than any server takes', () => ['/dev/zero'], /zero: is larger than 64 MiB/],
    ['an unknown language', () => [file('a.txt', 'x'), '--language', 'pyton'], /nearest one is "python"/],
  ])('%s is named, with exit code 1', async (_, args, says) => {
    expect(await paste(args())).toEqual(failure(1, says))
  })

  test.skipIf(isRoot)('a file that may not be read is named, with exit code 1', async () => {
    chmodSync(join(folder, file('secret', 'x')), 0)
    expect(await paste(['secret'])).toEqual(failure(1, /secret: may not be read by you/))
  })

  test('nothing on standard input is named, with exit code 1', async () => {
    expect(await paste([], '')).toEqual(failure(1, /standard input: is empty/))
  })

  test('standard input can be named only once', async () => {
    expect(await paste(['-', '-'], 'x')).toEqual(failure(2, /only once/))
  })

  test('leaves the other files alone; the exit code is that of the first failure', async () => {
    const { code, stdout, stderr } = await paste([file('1.js', '1'), 'none', '.', file('2.js', '2')])
    expect(stdout.trim().split('\n')).toHaveLength(2)
    expect(stderr).toBe(
      'shortcrust: none: there is no such file.\nshortcrust: .: is a folder; name the files in it.\n',
    )
    expect(code).toBe(1)
  })

  test('of a key that is refused ends it at once, and names what was not sent', async () => {
    const names = [file('1.js', '1'), file('2.js', '2'), file('3.js', '3')]
    const { code, stdout, stderr } = await paste([...names, '--key', `${testKey}x`])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(
      /^shortcrust: 1\.js: .*not valid.*shortcrust login.*\nshortcrust: not sent: 2\.js, 3\.js\.\n$/,
    )
  })
})
