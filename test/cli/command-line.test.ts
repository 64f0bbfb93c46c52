import { describe, expect, test } from 'bun:test'
import { version } from '../../package.json' with { type: 'json' }
import { readArguments } from '../../src/cli/arguments.ts'
import { commandHelp, help } from '../../src/cli/help.ts'
import { commands } from '../../src/cli/list.ts'
import { commitOf } from '../support/git.ts'
import { type RunResult, repository, run } from '../support/process.ts'

const linesOf = (text: string) => text.split('\n').slice(0, -1)

/** Wrong usage: exit code 2, nothing on standard output, and one line on standard error for each problem. */
const expectProblems = ({ code, stdout, stderr }: RunResult, ...problems: RegExp[]) => {
  expect(linesOf(stderr)).toEqual(problems.map((problem) => expect.stringMatching(problem)))
  expect(stderr).toEndWith('\n')
  expect(stdout).toBe('')
  expect(code).toBe(2)
}

describe('--help and --version', () => {
  test('--help lists every command in its group, and no setting, as do -h and help', async () => {
    const help = await run(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    const groups = [...help.stdout.matchAll(/^([PMT].*)\n((?: {2}.*\n)+)/gm)].map(([, name, rows = '']) => [
      name,
      [...rows.matchAll(/^ {2}(\w+)/gm)].map(([, command]) => command),
    ])
    expect(groups.map(([name]) => name)).toEqual(['Paste and share', 'My items', 'This server'])
    expect(groups.flatMap(([, names = []]) => names)).toEqual(Object.keys(commands))
    expect(help.stdout).not.toMatch(/SHORTCRUST_|--port/)
    expect(await run(['-h'])).toEqual(help)
    expect(await run(['help'])).toEqual(help)
  })

  test('--version says which version, commit and Bun this is', async () => {
    const stdout = `shortcrust ${version} (commit ${commitOf(repository)}, Bun ${Bun.version})\n`
    expect(await run(['--version'])).toEqual({ code: 0, stdout, stderr: '' })
  })

  test('COMMAND --help and help COMMAND show the flags of the command, and no other', async () => {
    const paste = await run(['paste', '--help'])
    expect(paste).toMatchObject({ code: 0, stderr: '' })
    expect(paste.stdout).toMatch(/^Usage: shortcrust paste \[FILE \.\.\.\] \[OPTIONS\]\n/)
    for (const flag of ['--title', '--language', '--json']) expect(paste.stdout).toContain(flag)
    expect(paste.stdout).toContain('[SHORTCRUST_SERVER]')
    expect(paste.stdout).not.toContain('--port')
    expect(await run(['help', 'paste'])).toEqual(paste)
    expect(await run(['paste', '-h', '--title', 'x'])).toEqual(paste)
    const serve = (await run(['serve', '--help'])).stdout
    expect(serve).toMatch(/--port VALUE .*8080.*\s+\[SHORTCRUST_PORT\]/)
    expect(serve).toMatch(/^ +SHORTCRUST_API_KEY /m)
    expect(serve).not.toContain('--title')
    expect((await run(['delete', '--help'])).stdout).not.toContain('--title')
  })

  test('the help of each command shows two examples, which are right', async () => {
    for (const name of Object.keys(commands)) {
      const { stdout } = await run([name, '--help'])
      const [, block = ''] = /\nExamples\n((?: {2}.*\n)+)/.exec(stdout) ?? []
      const lines = linesOf(block).map((line) => line.trim())
      expect(lines, name).toHaveLength(2)
      for (const line of lines) {
        const script = `shortcrust() { for word; do printf '%s\\n' "$word"; done; }; ${line.replace(/^.*\| (?=shortcrust)| [<>|] .*$/g, '')}`
        const words = linesOf(Bun.spawnSync(['sh', '-c', script]).stdout.toString())
        expect(readArguments(words), line).toMatchObject({ what: 'run', entry: commands[name] })
      }
    }
  })

  const everyHelp = (columns?: number) => [
    help(columns),
    ...Object.keys(commands).map((name) => commandHelp(name, columns)),
  ]
  const wordsOf = (text: string) => text.split(/\s+/)

  test('fits 80 columns, and a narrower terminal, without a break inside a word', () => {
    const wide = everyHelp()
    for (const text of wide) for (const line of text.split('\n')) expect(line.length, line).toBeLessThan(81)
    // An example is for copying, so it stays on its line.
    const isProse = (line: string) => !line.startsWith('  shortcrust') && !line.includes(' | ')
    for (const [at, text] of everyHelp(50).entries()) {
      for (const line of text.split('\n').filter(isProse)) expect(line.length, line).toBeLessThan(51)
      expect(wordsOf(text)).toEqual(wordsOf(wide[at] ?? ''))
    }
    expect(commandHelp('shorten', 50)).toContain('\n      --burn\n        delete the link after one visit\n')
  })

  test('shows the names of today; the former ones work', () => {
    const paste = commandHelp('paste')
    for (const name of ['--burn ', '--max-reads NUMBER', '-e, --expires TIME']) expect(paste).toContain(name)
    expect(commandHelp('shorten')).toContain('--burn ')
    expect(everyHelp().join('\n')).not.toContain('--expires-in')
    const flagsOf = (...words: string[]) => {
      const asked = readArguments(words)
      return 'flags' in asked ? asked.flags : asked
    }
    expect(flagsOf('paste', '--expires-in', '7d')).toEqual({ expires: '7d' })
    expect(flagsOf('paste', '-e', '7d')).toEqual({ expires: '7d' })
    expect(flagsOf('paste', '--burn')).toEqual({ 'max-reads': '1' })
    expect(flagsOf('shorten', '--burn', 'https://example.org/')).toEqual({ 'max-visits': '1' })
  })

  test('of a command that reads what is stored names the settings for its place and no other', async () => {
    for (const name of ['keys', 'verify', 'backup', 'restore']) {
      const { stdout } = await run([name, '--help'])
      expect(stdout.match(/SHORTCRUST_\w+/g), name).toEqual(['SHORTCRUST_DATA', 'SHORTCRUST_STORE'])
    }
    expect((await run(['healthcheck', '--help'])).stdout.match(/SHORTCRUST_\w+/g)).toEqual([
      'SHORTCRUST_HOST',
      'SHORTCRUST_PORT',
    ])
  })

  test('both work where a setting is wrong', async () => {
    expect((await run(['--help'], { SHORTCRUST_PORT: 'x' })).code).toBe(0)
    expect((await run(['--version'], { SHORTCRUST_PORT: 'x' })).code).toBe(0)
  })
})

test('the word version asks for it, as its flag does', () => {
  expect(readArguments(['version'])).toEqual(readArguments(['--version']))
})

describe('wrong usage is answered in one line', () => {
  test.each([
    ['an unknown command', ['frobnicate'], /unknown command "frobnicate"/],
    ['a word that is no command but a property of every object', ['constructor'], /unknown command/],
    ['a command with a line end in it', ['a\nb'], /unknown command "a b"/],
    ['an unknown flag', ['--zigzag-mode'], /no --zigzag-mode; see: shortcrust serve --help/],
    ['an unknown short flag', ['-p'], /no -p; see: shortcrust serve --help/],
    ['a flag without its value', ['--port'], /'--port.*missing.*see: shortcrust serve --help/],
    [
      'a flag where the value should be',
      ['--port', '--host'],
      /'--port' .*ambiguous; see: shortcrust serve --help/,
    ],
    ['a value for a flag that takes none', ['--version=1'], /'--version' does not take/],
    ['an empty value', ['--data='], /--data: expected a folder, not ""/],
    ['a value with a line end in it', ['--port', '8\n0'], /--port: .*, not "8 0"/],
    ['a word too many', ['serve', 'now'], /usage: shortcrust serve/],
    ['help for an unknown command', ['help', 'frobnicate'], /unknown command "frobnicate"/],
    ['--help for an unknown command', ['frobnicate', '--help'], /unknown command "frobnicate"/],
    [
      'a flag of another command',
      ['serve', '--title', 'x'],
      /serve takes no --title; see: shortcrust serve --h/,
    ],
    ['a flag of another command, without one', ['--json'], /serve takes no --json/],
    [
      'a flag of the server for a client',
      ['paste', '--port', '1'],
      /paste takes no --port; see: shortcrust paste/,
    ],
    ['a flag without its value', ['paste', '--title'], /argument missing; see: shortcrust paste --help/],
    ['a setting that the command does not use', ['keys', 'list', '--port', '1'], /keys takes no --port/],
    ['a letter of a flag of another command', ['list', '-t', 'x'], /list takes no -t; see/],
    ['a letter without its value', ['paste', '-t'], /'-t, --title.*missing/],
    ['a command nearly right', ['psate', 'a'], /unknown command "psate"; did you mean paste\?$/],
    ['a command in capitals', ['LIST'], /unknown command "LIST"; did you mean list\?$/],
    ['help for a command nearly right', ['help', 'shorte'], /did you mean shorten\?$/],
    ['a command like no other', ['frobnicate'], /unknown command "frobnicate"; see: shortcrust --help$/],
    ['a flag nearly right', ['paste', '--titel', 'x'], /no --titel; did you mean --title\?$/],
    ['the beginning of a flag', ['paste', '--lang', 'c'], /no --lang; did you mean --language\?$/],
    ['a former name nearly right', ['paste', '--expire-in', '7d'], /did you mean --expires\?$/],
    ['a flag near one of another command', ['list', '--burns'], /no --burns; see: shortcrust list --help$/],
    ['a flag near none of the command', ['paste', '--url', 'x'], /no --url; see: shortcrust paste --help$/],
    [
      'a switch and what it stands for',
      ['paste', '--burn', '--max-reads', '3'],
      /only one of --burn and --max/,
    ],
    ['two names of a flag', ['paste', '--expires', '1d', '--expires-in', '2d'], /one of --expires and --exp/],
    ['a word of keys nearly right', ['keys', 'ad', 'x'], /unknown command "keys ad"; did you mean add\?$/],
    ['a title for delete', ['delete', 'x', '--title', 'y'], /delete takes no --title/],
    ['a value for --json', ['paste', '--json=1'], /'--json' does not take/],
    ['shorten without an address', ['shorten'], /usage: shortcrust shorten URL/],
    ['delete with two addresses', ['delete', 'a', 'b'], /usage: shortcrust delete ITEM/],
    ['login without a server', ['login'], /usage: shortcrust login SERVER/],
    ['keys without words', ['keys'], /usage: shortcrust keys add NAME/],
    ['keys with an unknown word', ['keys', 'rotate'], /usage: shortcrust keys add NAME/],
    ['keys add without a name', ['keys', 'add'], /usage: shortcrust keys add NAME/],
    ['keys add with two names', ['keys', 'add', 'one', 'two'], /usage: shortcrust keys add NAME/],
    ['keys list with a name', ['keys', 'list', 'one'], /usage: shortcrust keys add NAME/],
    ['keys revoke without a name', ['keys', 'revoke'], /usage: shortcrust keys add NAME/],
  ])('%s', async (_, args, problem) => {
    expectProblems(await run(args), problem)
  })
})

describe('wrong settings', () => {
  test('are all named at once, one line each', async () => {
    expectProblems(
      await run(['--port', '65536', '--rate-limit', '3'], {
        SHORTCRUST_LOG: 'loud',
        SHORTCRUST_MAX_PASTE: '1GB',
      }),
      /--port: expected a number from 0 to 65535, not "65536"/,
      /--rate-limit: expected .* such as 3\/15s, or off, not "3"/,
      /SHORTCRUST_MAX_PASTE: expected a size from 1 to 64MiB .*, not "1GB"/,
      /SHORTCRUST_LOG: expected text, json or off, not "loud"/,
    )
  })

  test('stop every command, not only the server', async () => {
    expectProblems(await run(['keys', 'list'], { SHORTCRUST_PORT: 'x' }), /SHORTCRUST_PORT/)
  })
})
