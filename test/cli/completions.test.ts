import { beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnv, run, target, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { openTerminal } from '../support/terminal.ts'

const folder = temporaryFolder()
writeFileSync(join(folder, 'a file.txt'), '')
const programs = temporaryFolder()
writeFileSync(join(programs, 'shortcrust'), `#!/bin/sh\nexec ${target.join(' ')} "$@"\n`)
chmodSync(join(programs, 'shortcrust'), 0o755)
const path = `${programs}:${process.env.PATH}`
const scriptOf = (shell: string) => join(folder, `completion.${shell}`)

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await run(['completions', shell])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    writeFileSync(scriptOf(shell), stdout)
  }
})

/** Runs a shell's own script. @returns the lines it prints */
const linesOf = (command: readonly string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], {
    cwd: folder,
    env: cleanEnv({ HOME: folder, PATH: path }),
  })
  expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: '' })
  return stdout.toString().split('\n').slice(0, -1)
}

/** Types into a shell and waits for what it shows. */
const typeInto = async (command: readonly string[], setup: string, typed: string, shown: RegExp) => {
  const shell = openTerminal(command, { cwd: folder, env: { HOME: folder, PATH: path, TERM: 'dumb' } })
  try {
    // The word is put together by the shell: its echo is not mistaken for its answer.
    shell.type(`${setup}; echo rea"dy"\n`)
    await shell.screen.waitFor(/ready/)
    shell.type(typed)
    await shell.screen.waitFor(shown)
  } finally {
    await shell.end()
  }
}

describe('shortcrust completions', () => {
  test('knows three shells', async () => {
    const { code, stdout, stderr } = await run(['completions', 'powershell'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe('shortcrust: no completions for "powershell": there are bash, zsh and fish.\n')
  })
})

const allCommands =
  'backup check completions delete diff doctor edit export get healthcheck help import keys list login logout mirror open paste restore serve shorten stats verify versions'.split(
    ' ',
  )
const pasteFlags = [
  'alias',
  'burn',
  'copy',
  'description',
  'dry-run',
  'expires',
  'help',
  'json',
  'key',
  'language',
  'mask',
  'max-reads',
  'no-wait',
  'replace',
  'server',
  'tee',
  'timeout',
  'title',
  'unmask',
].map((name) => `--${name}`)

describe.skipIf(!requireProgram('bash', 'bash'))('in bash', () => {
  /** What bash offers for a line; readline cuts words at `=`. */
  const offered = (...words: string[]) => {
    const list = words.map((word) => `'${word}'`).join(' ')
    const call = `COMP_WORDS=(shortcrust ${list}); COMP_CWORD=${words.length}; COMPREPLY=(); _shortcrust`
    const code = `source '${scriptOf('bash')}'; ${call}; for one in "\${COMPREPLY[@]}"; do echo "$one"; done`
    return linesOf(['bash', '--norc', '-c', code]).sort()
  }

  test('the script is bash', () => {
    expect(linesOf(['bash', '-n', scriptOf('bash')])).toEqual([])
  })

  test.each([
    ['commands', [''], allCommands],
    ['the beginning of a command', ['sho'], ['shorten']],
    ['a command behind flags and their values', ['--port', '80', '--log=off', 'ser'], ['serve']],
    ['flags of the server without a command', ['--ra'], ['--rate-limit']],
    ['the flags of a command alone', ['paste', '--'], pasteFlags],
    ['no flag of another command', ['paste', 'a', '--po'], []],
    ['languages', ['paste', '--language', 'typesc'], ['typescript']],
    ['the language that is to be found', ['paste', '--language', 'aut'], ['auto']],
    ['only languages that were found, for a list', ['list', '--language', 'aut'], []],
    ['languages behind =', ['paste', '--language', '=', 'typesc'], ['typescript']],
    [
      'languages right behind =',
      ['paste', '--language', '='],
      expect.arrayContaining(['ansi', 'rust', 'text']),
    ],
    ['words of keys', ['keys', 're'], ['revoke']],
    ['the limits of keys beside its settings', ['keys', 'add', '--ra'], ['--rate']],
    ['languages behind a letter', ['paste', '-l', 'typesc'], ['typescript']],
    ['no word for the value of a letter', ['paste', '-t', 'pa'], []],
    ['no word for the value of a former name', ['paste', '--expires-in', 'pa'], []],
    ['a command behind a letter and its value', ['-t', 'paste', 'ser'], ['serve']],
    ['no limit of keys elsewhere', ['serve', '--on'], []],
    ['shells', ['completions', ''], ['bash', 'fish', 'zsh']],
    ['commands for help', ['help', 'lo'], ['login', 'logout']],
    ['no word for a value', ['paste', '--title', 'pa'], []],
    ['nothing for an address', ['shorten', ''], []],
  ])('offers %s', (_, words, expected) => {
    expect(offered(...words)).toEqual(expected as string[])
  })

  test('completes files for paste, quoted', async () => {
    await typeInto(
      ['bash', '--norc', '-i'],
      `source completion.bash`,
      'shortcrust paste a\t',
      /a\\ file\.txt/,
    )
  })
})

describe.skipIf(!requireProgram('zsh', 'zsh'))('in zsh', () => {
  const setup = `autoload -U compinit; compinit -u -D; source completion.zsh`

  test('the script is zsh', () => {
    expect(linesOf(['zsh', '-n', scriptOf('zsh')])).toEqual([])
  })

  test.each([
    ['commands', 'shortcrust sho\t', /shorten/],
    ['flags of the server without a command', 'shortcrust --rat\t', /--rate-limit/],
    ['flags', 'shortcrust paste --lang\t', /--language/],
    ['languages', 'shortcrust paste --language typesc\t', /typescript/],
    ['languages behind a letter', 'shortcrust paste -l typesc\t', /typescript/],
    ['words of keys', 'shortcrust keys rev\t', /revoke/],
    ['files', 'shortcrust paste a\t', /a\\ file\.txt/],
  ])('completes %s', async (_, typed, shown) => {
    await typeInto(['zsh', '-f', '-i'], setup, typed, shown)
  })
})

describe.skipIf(!requireProgram('fish', 'fish'))('in fish', () => {
  const offered = (line: string) =>
    linesOf(['fish', '--no-config', '-c', `source '${scriptOf('fish')}'; complete -C '${line}'`])
      .map((one) => one.split('\t')[0])
      .sort()

  test('the script is fish', () => {
    expect(linesOf(['fish', '-n', scriptOf('fish')])).toEqual([])
  })

  test.each([
    ['commands', 'shortcrust ', allCommands],
    ['the flags of a command alone', 'shortcrust paste --', pasteFlags],
    ['flags of the server without a command', 'shortcrust --rat', ['--rate-limit']],
    ['languages', 'shortcrust paste --language typesc', ['typescript']],
    ['the language that is to be found', 'shortcrust paste --language auto', ['auto']],
    ['only languages that were found, for a list', 'shortcrust list --language auto', []],
    ['languages behind a letter', 'shortcrust paste -l typesc', ['typescript']],
    ['words of keys', 'shortcrust keys re', ['revoke']],
    ['the limits of keys', 'shortcrust keys add --onl', ['--only']],
    ['files for paste', 'shortcrust paste a', ['a file.txt']],
    ['nothing for an address', 'shortcrust shorten ', []],
  ])('offers %s', (_, line, expected) => {
    expect(offered(line)).toEqual(expected)
  })
})
