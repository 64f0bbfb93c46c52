import { describe, expect, test } from 'bun:test'
import { guessLanguage } from '../../src/highlight/languages/file-names.ts'
import { findLanguage } from '../../src/highlight/languages/languages.ts'

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
