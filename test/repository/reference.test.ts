import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { referencePage, settingExamples } from '../../scripts/reference.ts'
import { commands, flagsOfCommand } from '../../src/cli/list.ts'
import { type Config, settings } from '../../src/settings/config.ts'
import { describeAt } from '../support/description.ts'
import { repository } from '../support/process.ts'

const page = await Bun.file(join(repository, 'docs/reference.md')).text()
const notIn = (words: readonly string[]) => words.filter((word) => !page.includes(`\`${word}`))

describe('docs/reference.md', () => {
  test('is what `npm run reference` writes', async () => {
    expect(page).toBe(await referencePage())
  })

  test('has every setting by its flag and its variable', () => {
    const names = Object.values(settings).flatMap(({ flag, variable }) => [
      ...(flag === undefined ? [] : [`--${flag}\``]),
      `${variable}\``,
    ])
    expect(names.length).toBeGreaterThan(20)
    expect(notIn(names)).toEqual([])
  })

  test('has every command and every flag', () => {
    const names = Object.keys(commands)
    const flags = names.flatMap((name) => flagsOfCommand(name)).map(({ name }) => `--${name}`)
    expect(notIn([...names.map((name) => `shortcrust ${name}`), ...flags])).toEqual([])
  })

  test('has every route of the description, with every status that only some have', async () => {
    const { paths } = await describeAt()
    for (const [path, { servers: _, options: __, ...item }] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(item)) {
        const row =
          page.split('\n').find((line) => line.includes(`\`${method.toUpperCase()} ${path}\``)) ?? ''
        const words = row
          .replace(/\bcreate \|$/, '401 403 409 413 422 429 503 507')
          .replace(/\bstore \|$/, '503 507')
        const statuses = Object.keys(responses).filter((status) => !['400', '500'].includes(status))
        expect(
          statuses.filter((status) => !words.includes(status)),
          `${method} ${path}`,
        ).toEqual([])
      }
  })
})

test('each setting has an example that it takes and that is not its default', () => {
  for (const [name, example] of Object.entries(settingExamples)) {
    const { variable, default: standard, parse } = settings[name as keyof Config]
    expect(example, variable).not.toBeOneOf(['', standard])
    expect(() => parse(example), variable).not.toThrow()
  }
})
