import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { loginFilePath } from '../../src/cli/client/login.ts'
import { exitCodes } from '../../src/cli/client/send.ts'
import { repository } from '../support/process.ts'

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

test('docs/reference.md has the table of exit codes', async () => {
  const text = await Bun.file(join(repository, 'docs/reference.md')).text()
  const [, section = ''] = /^## Exit codes$(.*?)^## /ms.exec(text) ?? []
  const rows = [...section.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code, meaning]) => [
    code,
    meaning?.replaceAll('\\|', '|'),
  ])
  expect(Object.fromEntries(rows)).toEqual(exitCodes)
})
