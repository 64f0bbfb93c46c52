import { describe, expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { nameReach, pasteName } from '../../src/items/name.ts'
import { createClient } from '../support/client.ts'
import { start, testKey } from '../support/process.ts'

const named = (text: string, title = '', readsLeft?: number) =>
  pasteName({ title, text, ...(readsLeft !== undefined && { readsLeft }) })

describe('the name of a paste', () => {
  test('is its title as it is, unless that is blank', () => {
    expect(named('text', ' A title ')).toBe(' A title ')
    expect(named('text', ' \t')).toBe('text')
  })

  test.each([
    ['  import a\n  import b', 'import a'],
    ['\n \r\n\t\u00a0\u2003\n  second \t\r\nthird', 'second'],
    ['only\rone', 'only'],
    ['one\u2028two', 'one'],
    ['\ufeffmarked', 'marked'],
    ['\x1b[1;32m  INFO\x1b[0m started\nmore', 'INFO started'],
    ['\x1b[0m\n\x1b[33mwarned', 'warned'],
    ['<b>"x" & y', '<b>"x" & y'],
  ])('is the first line of %j that is not blank, trimmed and without styling: %j', (text, name) => {
    expect(named(text)).toBe(name)
  })

  test('has at most 80 characters, and halves none', () => {
    expect(named('x'.repeat(81))).toBe('x'.repeat(80))
    expect(named('😀'.repeat(81))).toBe('😀'.repeat(80))
    expect(named(`${'x'.repeat(79)} y`)).toBe('x'.repeat(79))
  })

  test('shows nothing of a text that burns after reading', () => {
    expect(named('secret', '', 1)).toBe('Untitled paste')
    expect(named('secret', 'The title', 1)).toBe('The title')
  })

  test('is that of a text with no line to show, too', () => {
    for (const text of ['\n', ' \t\n\r\n', '\x1b[0m', '']) expect(named(text)).toBe('Untitled paste')
  })

  test('depends on no more than the beginning of a text', () => {
    const styled = `${'\x1b[31m'.repeat(nameReach / 5)}late`
    expect(named(styled)).toBe('Untitled paste')
    expect(named(`\n\n${styled}`)).toBe('Untitled paste')
  })
})

test('lists say the same names after the index was built again, also of what is larger than its head', async () => {
  const long = 'x'.repeat(40_000)
  const texts = [
    'a short one\n',
    `\n  é "quoted" \\ 😀 first\n${long}`,
    `${'\n'.repeat(8000)}after 8,000 blank lines\n${long}`,
    `${' '.repeat(30_000)}after 30,000 blanks\n${long}`,
    `${'\u0001'.repeat(600)}\n${long}`,
    long,
    '\n'.repeat(20_000),
  ]
  const expected = texts.map((text) => named(text))
  let server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
  const names = async () => {
    const response = await createClient(server.url).get('/pastes', { key: testKey })
    const { pastes } = (await response.json()) as { pastes: { name: string }[] }
    return pastes.map(({ name }) => name).reverse()
  }
  for (const text of texts) await createClient(server.url).paste({ text, title: '' })
  expect(await names()).toEqual(expected)
  await server.stop()
  const index = join(server.data, 'index.sqlite')
  expect(existsSync(index)).toBe(true)
  rmSync(index)
  server = await start({ data: server.data, args: ['--log', 'off'] })
  expect(await names()).toEqual(expected)
  await server.stop()
})
