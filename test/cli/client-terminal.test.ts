import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'
import { newUser } from '../support/user.ts'

const { server } = withServer({ args: [...quiet, '--max-paste', '8MiB'] })

describe('login at a terminal', () => {
  test('asks for the key and never shows it; backspace takes a character back', async () => {
    const user = newUser()
    const { screen, type, exited } = user.atTerminal(['login', server.url])
    await screen.waitFor(/API key for http:\S+ \(not shown\): /)
    type(`${testKey}xy\x7f\b\r`)
    expect(await exited).toBe(0)
    await screen.waitFor(/logged in to/)
    expect(JSON.parse(readFileSync(user.loginFile, 'utf8')).key).toBe(testKey)
    expect(screen.text()).not.toContain(testKey.slice(0, 3))
  })

  test.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('is cancelled by %s, and changes nothing', async (_, character) => {
    const user = newUser()
    const { screen, type, exited } = user.atTerminal(['login', server.url])
    await screen.waitFor(/not shown/)
    type(`${testKey}${character}`)
    expect(await exited).toBe(130)
    await screen.waitFor(/cancelled; nothing was changed/)
    expect(existsSync(user.loginFile)).toBe(false)
  })
})

describe('paste at a terminal', () => {
  const folder = temporaryFolder()
  const env = () => ({ SHORTCRUST_SERVER: server.url, SHORTCRUST_KEY: testKey })
  const pasteFile = async (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    const { screen, exited } = newUser().atTerminal(['paste', path], env())
    expect(await exited).toBe(0)
    await screen.waitFor(/\/paste\/delete\?key=\w+'/)
    return screen.text()
  }

  test('reads what is typed up to Ctrl-D, and says so', async () => {
    const { screen, type, exited } = newUser().atTerminal(['paste'], env())
    await screen.waitFor(/reading from the terminal, end with Ctrl-D/)
    type('typed\n\x04')
    const [, address = ''] = await screen.waitFor(/(http:\S+\/p\/\w+)\r\n/)
    expect(await exited).toBe(0)
    expect(await (await fetch(address.replace('/p/', '/p/raw/'))).text()).toBe('typed\n')
  })

  test('shows how much of a large text was sent, and wipes it before the address', async () => {
    const shown = await pasteFile('large.txt', 'x'.repeat(5 * 1024 ** 2))
    const percents = [...shown.matchAll(/large\.txt: (\d+) % of 5 MiB sent/g)].map(([, percent]) =>
      Number(percent),
    )
    expect(percents.length).toBeGreaterThan(5)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(percents.at(-1)).toBe(100)
    expect(shown).toContain('100 % of 5 MiB sent\r\x1b[Khttp:')
  })

  test('shows nothing of the kind for a small one, and how to delete it', async () => {
    const shown = await pasteFile('small.txt', 'x')
    expect(shown).not.toContain('%')
    expect(shown).toMatch(/to delete it: shortcrust delete 'http:\S+'/)
  })

  test('shows no progress and no deletion address where standard error is piped', async () => {
    const { stderr } = await newUser().run(['paste', join(folder, 'large.txt')], { env: env() })
    expect(stderr).toBe('')
  })
})
