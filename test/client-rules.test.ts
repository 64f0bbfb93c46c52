import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { exitCodes } from '../src/client/failures.ts'
import { guessLanguage } from '../src/client/guess-language.ts'
import { loginFilePath } from '../src/client/login-file.ts'
import { findLanguage } from '../src/highlight/languages.ts'
import { repository } from './support/process.ts'

describe('the language of an input', () => {
  test.each([
    ['a.py', '#!/bin/sh\n', 'python'],
    ['Makefile', '', 'make'],
    ['run', '#!/bin/sh', 'shellscript'],
    ['run', '#! /usr/bin/env bash\necho', 'shellscript'],
    ['run', '#!/usr/bin/python3.12 -u\n', 'python'],
    ['run', '#!/usr/bin/env -S A=1 node --test\r\n', 'javascript'],
    ['run', '#!/usr/bin/perl5.36.0\n', 'perl'],
    ['run', '#!/usr/bin/env\n', 'text'],
    ['run', '#!\n', 'text'],
    ['run', '#!/usr/bin/constructor\n', 'text'],
    ['run', ' #!/bin/sh\n', 'text'],
    ['-', 'text', 'text'],
  ])('%p beginning with %p is %s', (name, text, language) => {
    expect(guessLanguage(name, text)).toBe(language)
  })

  test('is one the server knows, whatever interpreter is named', () => {
    const programs =
      'sh bash dash ksh zsh node bun deno gawk tclsh pwsh Rscript runghc awk elixir fish groovy julia lua make perl php python racket raku ruby scala'
    for (const program of programs.split(' ')) {
      const language = guessLanguage('run', `#!/usr/bin/${program}\n`)
      expect(language).not.toBe('text')
      expect(findLanguage(language)).toMatchObject({ id: language })
    }
  })
})

describe('the login file', () => {
  const home = () => '/home/me'
  test.each([
    ['linux', {}, '/home/me/.config/shortcrust/login.json'],
    ['darwin', {}, '/home/me/.config/shortcrust/login.json'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/shortcrust/login.json'],
    ['linux', { XDG_CONFIG_HOME: 'x' }, '/home/me/.config/shortcrust/login.json'],
    ['win32', { APPDATA: '/a' }, '/a/shortcrust/login.json'],
    ['win32', {}, '/home/me/AppData/Roaming/shortcrust/login.json'],
  ])('lies on %s with %p at %s', (platform, env, path) => {
    expect(loginFilePath({ platform, env, home })).toBe(path)
  })
})

test('docs/clients.md has the table of exit codes', async () => {
  const text = await Bun.file(join(repository, 'docs/clients.md')).text()
  const [, section = ''] = /^### Exit codes$(.*?)^### /ms.exec(text) ?? []
  const rows = [...section.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code, meaning]) => [code, meaning])
  expect(Object.fromEntries(rows)).toEqual(exitCodes)
})
