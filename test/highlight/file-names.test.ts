import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  endingOf,
  endings,
  fileNameOf,
  guessLanguage,
  languageOfFile,
} from '../../src/highlight/languages/file-names.ts'
import { findLanguage, languages } from '../../src/highlight/languages/languages.ts'

describe('the language of a file', () => {
  test.each([
    ['main.ts', 'typescript'],
    ['/home/me/x.PY', 'python'],
    ['C:\\x\\y.cs', 'csharp'],
    ['Dockerfile', 'docker'],
    ['Makefile', 'make'],
    ['CMakeLists.txt', 'cmake'],
    ['notes.txt', undefined],
    ['tsconfig.json', 'jsonc'],
    ['package.json', 'json'],
    ['build.log', 'log'],
    ['archive.tar.yml', 'yaml'],
    ['README', undefined],
    ['r', undefined],
    ['sql', undefined],
    ['x.Dockerfile', 'docker'],
    ['.env', 'dotenv'],
    ['x.unknown', undefined],
    ['', undefined],
  ])('%s is %s', (name, language) => {
    expect(languageOfFile(name)).toBe(language as never)
  })

  test('is that of a terminal for a log with escape sequences, and only for a log', () => {
    expect(languageOfFile('build.log', 'INFO \x1b[32mok\x1b[0m')).toBe('ansi')
    expect(languageOfFile('build.log', 'INFO [ok]')).toBe('log')
    expect(languageOfFile('x.py', "print('\x1b[32m')")).toBe('python')
  })

  test('is always one that a paste may have', () => {
    const known = languages.map(({ id }) => id)
    expect(Object.keys(endings).length).toBeGreaterThan(80)
    expect(Object.keys(endings).filter((id) => !known.includes(id))).toEqual([])
  })

  test('is one only: no two languages share an ending', () => {
    for (const [id, list] of Object.entries(endings))
      for (const ending of list.split(' ')) expect(languageOfFile(`x.${ending}`), ending).toBe(id)
  })

  test('is that of the ending a paste is saved under', () => {
    for (const { id } of languages) {
      const ending = endingOf(id)
      // The text of one tells it from a plain log.
      if (ending !== 'txt' && id !== 'ansi') expect(languageOfFile(`x.${ending}`), id).toBe(id)
    }
  })
})

describe('the language of an input', () => {
  test.each([
    ['a.py', '#!/bin/sh\n', 'python'],
    ['Makefile', '', 'make'],
    ['run', '#!/bin/sh', 'shellscript'],
    ['run', '#! /usr/bin/env bash\necho', 'shellscript'],
    ['run', '#!/usr/bin/python3.12 -u\n', 'python'],
    ['run', '#!/usr/bin/env -S A=1 node --test\r\n', 'javascript'],
    ['run', '#!/usr/bin/perl5.36.0\n', 'perl'],
    ['run', '#!/usr/bin/env\n', undefined],
    ['run', '#!\n', undefined],
    ['run', '#!/usr/bin/constructor\n', undefined],
    ['run', ' #!/bin/sh\n', undefined],
    ['-', 'text', undefined],
    ['out.txt', 'text', undefined],
    ['run.txt', '#!/bin/sh\n', 'shellscript'],
  ])('%p beginning with %p is %p', (name, text, language) => {
    expect(guessLanguage([name], text)).toBe(language)
  })

  test('is one the server knows, whatever interpreter is named', () => {
    const programs =
      'sh bash dash ksh zsh node bun deno gawk tclsh pwsh Rscript runghc awk elixir fish groovy julia lua make perl php python racket raku ruby scala'
    for (const program of programs.split(' ')) {
      const language = guessLanguage(['run'], `#!/usr/bin/${program}\n`)
      expect(findLanguage(language ?? '')).toMatchObject({ id: language })
    }
  })

  test('is that of the first name that has a known ending, before that of the text', () => {
    expect(guessLanguage(['notes', 'foo.py'], '#!/bin/sh\n')).toBe('python')
    expect(guessLanguage(['a.rs', 'foo.py'], '')).toBe('rust')
    expect(guessLanguage(['', 'How to'], '#!/bin/sh\n')).toBe('shellscript')
    expect(guessLanguage([], '')).toBeUndefined()
  })

  test('is not that of a title which only ends like a sentence', () => {
    for (const title of [
      'Done. C',
      'Version 1.2',
      'Why?',
      'e.g. that',
      'What about r',
      'constructor',
      'x.constructor',
    ])
      expect(guessLanguage([title], ''), title).toBeUndefined()
  })
})

describe('the name a paste is saved under', () => {
  test.each([
    ['main.ts', 'typescript', 'main.ts'],
    ['My notes', 'markdown', 'My-notes.md'],
    ['a/b\\c', 'python', 'a-b-c.py'],
    ['../../etc/passwd', 'text', 'etc-passwd.txt'],
    ['', 'python', 'abcdefghjk.py'],
    ['   ', 'python', 'abcdefghjk.py'],
    ['...', 'python', 'abcdefghjk.py'],
    ['Dockerfile', 'docker', 'Dockerfile'],
    ['Go', 'go', 'Go.go'],
    ['SQL', 'sql', 'SQL.sql'],
    ['.hidden', 'text', 'hidden.txt'],
    ['a\nb\u202ec', 'text', 'a-b-c.txt'],
    [`${'x'.repeat(79)}😀`, 'text', `${'x'.repeat(79)}.txt`],
    [`${'x'.repeat(79)} y`, 'text', `${'x'.repeat(79)}.txt`],
    ['x.yml', 'yaml', 'x.yml'],
    ['x.TXT', 'text', 'x.TXT'],
    ['éß 日本', 'rust', 'éß-日本.rs'],
  ])('for "%s" in %s is %s', (title, language, name) => {
    expect(fileNameOf('abcdefghjk', title, language)).toBe(name)
  })

  test('is safe for any title: no path, no control character, not hidden, not long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (title) => {
        const name = fileNameOf('abcdefghjk', title, 'text')
        expect(name).not.toMatch(/[/\\:*?"<>|\p{C}]|^\.|^\s|\s$/u)
        expect(name).toMatch(/\.txt$/i)
        expect(name.length).toBeLessThanOrEqual(84)
      }),
    )
  })

  test('names its language, whatever the title', () => {
    const named = fc.constantFrom(...Object.keys(endings))
    fc.assert(
      fc.property(named, fc.string({ unit: 'grapheme', maxLength: 100 }), (language, title) => {
        expect(languageOfFile(fileNameOf('abcdefghjk', title, language))).toBe(language)
      }),
    )
  })
})
