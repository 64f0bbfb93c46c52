import { describe, expect, test } from 'bun:test'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { hostileTexts } from '../../scripts/corpus/report.ts'
import { eachMark } from '../../src/highlight/languages/detect/classify.ts'
import { detectLanguage } from '../../src/highlight/languages/detect/detect-language.ts'
import { languages } from '../../src/highlight/languages/languages.ts'
import { repository } from '../support/process.ts'
import { anyText } from '../support/text.ts'

const known = new Set(languages.map(({ id }) => id))

/** Parts of every form that is looked for, in any order. */
const parts = fc.constantFrom(
  ...[
    '{',
    '[',
    '"a":',
    '1,',
    'a,b\n',
    '\t',
    '\n',
    '@@ -1 +1 @@\n',
    '--- a\n',
    '+++ b\n',
    '-----BEGIN X-----\n',
  ],
  ...[
    'vim: ft=',
    '-*- ',
    ' -*-',
    '#!',
    '/usr/bin/env ',
    '\x1b[',
    '31m',
    '<?xml ',
    '<?php',
    '<!doctype html',
    '[Unit]\n',
  ],
  ...[
    'Jan  1 00:00:00 ',
    '2024-01-01T00:00:00 ',
    'server {\n',
    '[a]\nb = c\n',
    '\ufeff',
    '\ud800',
    '\r\n',
    'é',
    '😀',
  ],
)
const formed = fc
  .array(fc.oneof(parts, fc.string({ maxLength: 5 })), { maxLength: 200 })
  .map((all) => all.join(''))

describe('the detection of any text', () => {
  test('says a language that can be rendered, the same each time', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, formed), fc.array(fc.string(), { maxLength: 2 }), (text, names) => {
        const language = detectLanguage(text, names)
        return known.has(language) && detectLanguage(text, names) === language
      }),
      { numRuns: 2000 },
    )
  })

  test('says plain text or JSON of texts that are made to be slow', () => {
    for (const [name, text] of Object.entries(hostileTexts)) {
      expect(text.length, name).toBeGreaterThanOrEqual(64 * 1024 - 2)
      expect(['text', 'json', 'jsonl'], name).toContain(detectLanguage(text))
    }
  })

  test('looks at each character a fixed number of times', () => {
    for (const [name, text] of Object.entries(hostileTexts)) {
      let marks = 0
      eachMark(text, () => marks++)
      expect(marks, name).toBeLessThanOrEqual(5 * text.length)
    }
  })

  test('has a model of 60 KB at most', async () => {
    const model = join(repository, 'src/highlight/languages/detect/model.json')
    expect((await stat(model)).size).toBeLessThanOrEqual(60_000)
  })
})
