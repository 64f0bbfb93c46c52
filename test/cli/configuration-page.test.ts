import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Config, settings } from '../../src/settings/config.ts'
import { repository } from '../support/process.ts'

const read = (path: string) => Bun.file(join(repository, path)).text()
const sectionOf = (page: string, heading: string) =>
  page.split(/^## /m).find((section) => section.startsWith(`${heading}\n`)) ?? ''

const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''))
const [head = [], , ...rows] = sectionOf(await read('docs/configuration.md'), 'Every setting')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map(cells)

describe('the table of settings in docs/configuration.md', () => {
  test('has one row per setting with the same flag, variable and default', () => {
    expect(head).toEqual(['flag', 'variable', 'default', 'example', 'meaning'])
    expect(rows.map((row) => row.slice(0, 3))).toEqual(
      Object.values(settings).map(({ flag, variable, default: standard }) => [
        flag === undefined ? '' : `--${flag}`,
        variable,
        standard,
      ]),
    )
  })

  test('gives each setting the meaning that --help gives, and may say more', () => {
    Object.values(settings).forEach(({ doc }, at) => {
      expect(rows[at]?.[4]).toStartWith(doc)
    })
  })

  test('has an example for each setting that it takes and that is not its default', () => {
    Object.keys(settings).forEach((name, at) => {
      const { variable, default: standard, parse } = settings[name as keyof Config]
      const example = rows[at]?.[3] ?? ''
      expect(example, variable).not.toBeOneOf(['', standard])
      expect(() => parse(example), variable).not.toThrow()
    })
  })
})

test('every flag and variable that README names under Settings exists', async () => {
  const section = sectionOf(await read('README.md'), 'Settings')
  const named = section.match(/--[a-z-]+|SHORTCRUST_[A-Z_]+/g) ?? []
  const all = Object.values(settings).flatMap(({ flag, variable }) => [
    `--${flag}`,
    variable,
    `${variable}_FILE`,
  ])
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((name) => !all.includes(name))).toEqual([])
})
