import { describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { run } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { newUser } from '../support/user.ts'

const { server } = withServer()

let owners = 0
const newOwner = async () => {
  const key = (await run(['keys', 'add', `finder${++owners}`, '--data', server.data])).stdout.trim()
  const user = newUser()
  expect(await user.logIn(server.url, key)).toMatchObject({ code: 0 })
  const titles = async (...flags: string[]) => {
    const { stdout } = await user.run(['list', '--json', ...flags])
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { title?: string; url?: string })
      .map(({ title, url }) => title ?? url)
  }
  return { ...user, ...createClient(server.url, key), titles }
}

describe('shortcrust list', () => {
  test('finds words, a language, a time, and sorts both kinds as one', async () => {
    const ann = await newOwner()
    await ann.paste({ title: 'build', text: `error: timeout ${'x'.repeat(500)}`, language: 'log' })
    await ann.paste({ title: 'notes', text: 'the error was ours', language: 'markdown', expiresIn: '1h' })
    await ann.link('https://example.org/error/page', { expiresIn: '2h' })
    expect(await ann.titles('--search', 'ERROR')).toEqual([
      'https://example.org/error/page',
      'notes',
      'build',
    ])
    expect(await ann.titles('--search', 'error timeout', '--language', 'log', '--since', '7d')).toEqual([
      'build',
    ])
    expect(await ann.titles('--sort', 'size')).toEqual(['build', 'https://example.org/error/page', 'notes'])
    expect(await ann.titles('--sort', 'expires', '--limit', '2')).toEqual([
      'notes',
      'https://example.org/error/page',
    ])
    expect(await ann.titles('--sort', 'reads')).toEqual(['notes', 'build'])
    expect(await ann.titles('--sort', 'visits')).toHaveLength(1)
    expect(await ann.titles('links', '--search', 'example')).toHaveLength(1)
  })

  test('says where nothing was found, and what is wrong', async () => {
    const ann = await newOwner()
    expect(await ann.run(['list', '--search', 'nowhere'])).toEqual({
      ...{ code: 0, stdout: '' },
      stderr: 'nothing found\n',
    })
    expect(await ann.run(['list', '--since', 'yesterday'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"since" must be a date'),
    })
    expect(await ann.run(['list', 'links', '--sort', 'reads'])).toMatchObject({
      stderr: expect.stringContaining('"sort" must be one of created, changed, visits'),
    })
  })
})
