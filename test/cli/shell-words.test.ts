import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { shellWord } from '../../src/shell-words.ts'
import { temporaryFolder } from '../support/process.ts'

/** What a shell takes each word for. */
const wordsAsRead = (words: readonly string[]) => {
  const { stdout } = Bun.spawnSync(['sh', '-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`])
  return stdout.toString().split('\0').slice(0, -1)
}

test('a word that needs no quotes has none', () => {
  for (const word of ['/srv/data', 'http://nas:8080', 'a_b-1.old', 'NAME=x,y@z%+'])
    expect(shellWord(word)).toBe(word)
})

test('a word comes through a shell as it is, and runs nothing', () => {
  const mark = join(temporaryFolder(), 'ran')
  const words = [
    ...['', ' ', "'", "'; touch MARK; '", '$(touch MARK)', '`touch MARK`', '; touch MARK', '&touch MARK'],
    ...['a\ntouch MARK', '*', '~', '!!', '#', '\\', '"', '{a,b}', '> MARK', '-n', '\u00e4'],
  ].map((word) => word.replace('MARK', mark))
  expect(wordsAsRead(words)).toEqual(words)
  expect(existsSync(mark)).toBe(false)
})

test('any printable text comes through a shell as it is', () => {
  const text = fc.array(fc.string({ unit: 'grapheme-ascii' }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(text, (words) => expect(wordsAsRead(words)).toEqual(words)),
    { numRuns: 20 },
  )
})
