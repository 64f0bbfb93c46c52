import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkedJson } from '../../src/store/disk.ts'
import { createClient, examplePaste } from '../support/client.ts'
import { countsFileIn, storedRows } from '../support/counts.ts'
import { type RunningServer, run, start, temporaryFolder } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const unlimited = ['--rate-limit', 'off']

/** What `POST /paste` answers to this key. */
const statusOf = async ({ url }: RunningServer, key: string) =>
  (await createClient(url, key).post('/paste', examplePaste)).status

const expectOnlyKey = async (server: RunningServer, key: string) => {
  expect(await statusOf(server, key)).toBe(201)
  for (const other of [key.slice(0, -1), `${key}x`, key.toUpperCase(), ` ${key.slice(1)}`])
    expect(await statusOf(server, other)).toBe(401)
}

/** Every byte below a folder, as text. */
const contentsOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n')

describe('while the server runs', () => {
  const { server } = withServer({ args: unlimited, env: {} })
  const keys = (...words: string[]) => run(['keys', ...words, '--data', server.data])
  const add = async (name: string) => (await keys('add', name)).stdout.trim()

  test('a key counts from the next request after it was added', async () => {
    await expectOnlyKey(server, await add('added'))
  })

  test('a name that was revoked and added again has its new key only', async () => {
    const old = await add('again')
    await keys('revoke', 'again')
    const key = await add('again')
    expect(await statusOf(server, key)).toBe(201)
    expect(await statusOf(server, old)).toBe(401)
  })

  test('a damaged key file changes nothing, is logged once, and counts again once it is whole', async () => {
    const file = join(server.data, 'keys.json')
    const key = await add('good')
    expect(await statusOf(server, key)).toBe(201)
    const whole = readFileSync(file, 'utf8')
    const logged = () => server.stderr.text().split('keys cannot be read').length - 1
    for (const [at, damage] of [
      whole.slice(0, -9),
      checkedJson.encode({ keys: [{ name: 'x' }] }),
    ].entries()) {
      writeFileSync(file, damage)
      expect(await statusOf(server, key)).toBe(201)
      expect(await statusOf(server, 'some-other-key-here')).toBe(401)
      await server.stderr.waitFor(new RegExp(`(error keys cannot be read.*${file}.*\\n[^]*){${at + 1}}`))
      expect(logged()).toBe(at + 1)
      const refused = await keys('add', 'another')
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toStartWith(`shortcrust: ${file}: `)
      expect(readFileSync(file, 'utf8')).toBe(damage)
    }
    writeFileSync(file, whole)
    expect(await statusOf(server, await add('later'))).toBe(201)
    expect(await statusOf(server, key)).toBe(201)
  })
})

describe('the last use of a key', () => {
  const lines = async (data: string) => {
    const { code, stdout } = await run(['keys', 'list', '--data', data])
    expect(code).toBe(0)
    return stdout.trimEnd().split('\n')
  }
  const shape = /^used +\d{4}-\S+Z {2}last used \d{4}-\d\d-\d\dT\d\d:\d\dZ$/

  test('is listed to the minute, beside a running server and after it; nothing where the file does not tell', async () => {
    const server = await start({ args: unlimited, env: {} })
    const { data } = server
    const key = (await run(['keys', 'add', 'used', '--data', data])).stdout.trim()
    await run(['keys', 'add', 'unused', '--data', data])
    await run(['keys', 'revoke', 'default', '--data', data])
    const before = await lines(data)
    expect(before.join()).not.toContain('last used')
    const from = Math.floor(Date.now() / 60_000)
    // A key that lists was used as well, one that is refused was not.
    expect((await fetch(`${server.url}/pastes`, { headers: { key } })).status).toBe(200)
    expect(await statusOf(server, `${key}x`)).toBe(401)
    while (storedRows(data, 'SELECT name FROM keys').length === 0) await Bun.sleep(5)
    const during = await lines(data)
    expect(during).toEqual([expect.stringMatching(shape), before[1] as string])
    const minute = Date.parse(during[0]?.split('last used ')[1] ?? '') / 60_000
    expect(minute).toBeGreaterThanOrEqual(from)
    expect(minute).toBeLessThanOrEqual(Date.now() / 60_000)
    await server.stop()
    expect(await lines(data)).toEqual(during)
    // Another key of that name has not been used.
    const whole = readFileSync(join(data, 'keys.json'), 'utf8')
    const later = (JSON.parse(whole) as { document: { keys: object[] } }).document.keys.map((one) => ({
      ...one,
      createdAt: Date.now() + 60_000,
    }))
    writeFileSync(join(data, 'keys.json'), checkedJson.encode({ keys: later }))
    expect((await lines(data)).join()).not.toContain('last used')
    writeFileSync(join(data, 'keys.json'), whole)
    writeFileSync(countsFileIn(data), 'damaged')
    expect(await lines(data)).toEqual(before)
    rmSync(countsFileIn(data))
    expect(await lines(data)).toEqual(before)
  })
})

describe('a key from outside', () => {
  const outside = 'from-outside-0123456789'

  test.each(['SHORTCRUST_API_KEY', 'SHORTCRUST_API_KEY_FILE'])(
    'in %s works and is never on disk',
    async (name) => {
      const file = join(temporaryFolder(), 'key')
      writeFileSync(file, `${outside}\n`)
      const env = { [name]: name.endsWith('_FILE') ? file : outside }
      const server = await start({ args: unlimited, env })
      await expectOnlyKey(server, outside)
      await server.stop()
      const contents = contentsOf(server.data)
      expect(contents).toContain('"owner":"environment"')
      expect(contents).not.toContain(outside)
      expect(server.stdout.text() + server.stderr.text()).not.toContain(outside)
    },
  )

  test('works beside those of the data folder', async () => {
    const data = join(temporaryFolder(), 'data')
    const added = (await run(['keys', 'add', 'added', '--create', '--data', data])).stdout.trim()
    const server = await start({ args: unlimited, env: { SHORTCRUST_API_KEY: outside }, data })
    expect(await statusOf(server, added)).toBe(201)
    expect(await statusOf(server, outside)).toBe(201)
    await server.stop()
    const without = await start({ args: unlimited, env: {}, data })
    expect(await statusOf(without, outside)).toBe(401)
    await without.stop()
  })
})
