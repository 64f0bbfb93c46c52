import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { type RunningServer, run, start, temporaryFolder } from '../support/process.ts'
import { fill, mountOver, requireMount } from '../support/small-disk.ts'
import { hasStrace } from '../support/strace.ts'
import { nothingWrong } from '../support/verified.ts'

// Each test starts several processes.
const canMount = requireMount()
const marksIn = (data: string) => readdirSync(data).filter((name) => name.startsWith('keys.revoked-'))
const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
const isAccepted = async ({ url }: RunningServer, key: string) =>
  (await createClient(url).get('/pastes', { key })).status === 200

const keysOf = (data: string) => ({
  keys: (...words: string[]) => run(['keys', ...words, '--data', data]),
  add: async (name: string) => (await run(['keys', 'add', name, '--create', '--data', data])).stdout.trim(),
})

describe.skipIf(!canMount)('on a disk that is full', () => {
  test('a key is revoked, for the server that runs too; adding one is refused, and comes with room', async () => {
    const folder = temporaryFolder()
    const unmount = mountOver(folder, 'size=512k,mode=0700')
    const data = join(folder, 'data')
    const { keys, add } = keysOf(data)
    const server = await start({ data, args: ['--rate-limit', 'off'], env: {} })
    try {
      const [filler, other] = [await add('filler'), await add('other')]
      const makeRoom = fill(folder)
      const text = 'x'.repeat(50_000)
      const body = { ...examplePaste, text }
      expect((await createClient(server.url, filler).post('/paste', body)).status).toBe(507)

      const before = readFileSync(join(data, 'keys.json'))
      expect(await keys('revoke', 'filler')).toMatchObject({
        code: 0,
        stderr: `API key "filler" revoked in ${data}\n`,
      })
      expect(await isAccepted(server, filler)).toBe(false)
      expect(await isAccepted(server, other)).toBe(true)
      expect(readFileSync(join(data, 'keys.json'))).toEqual(before)
      expect(marksIn(data)).toEqual([`keys.revoked-${sha256(filler)}`])
      expect((await keys('list')).stdout).not.toContain('filler')
      expect(await keys('revoke', 'filler')).toMatchObject({ code: 1 })
      const refused = await keys('add', 'more')
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('was not made')])
      expect(await isAccepted(server, refused.stdout.trim())).toBe(false)

      makeRoom()
      await add('more')
      expect(marksIn(data)).toEqual([])
      expect(readFileSync(join(data, 'keys.json'), 'utf8')).not.toContain('filler')
      expect(await isAccepted(server, filler)).toBe(false)
      expect(await isAccepted(server, other)).toBe(true)
    } finally {
      await server.stop()
      unmount()
    }
  })
})

/** A folder with the keys `bad` and `good`, of which the first was revoked when there was no room. */
const withMark = async () => {
  const data = join(temporaryFolder(), 'data')
  const { keys, add } = keysOf(data)
  const [bad, good] = [await add('bad'), await add('good')]
  writeFileSync(join(data, `keys.revoked-${sha256(bad)}`), '')
  return { data, keys, add, bad, good }
}

describe.skipIf(!hasStrace)('a write that fails', () => {
  const tracer = (fault: string) => ['strace', '-f', '-o', '/dev/null', '-e', `inject=pwrite64:${fault}`]

  test('for want of space revokes a key by a file of its own, for its owner alone', async () => {
    const data = join(temporaryFolder(), 'data')
    const { keys, add } = keysOf(data)
    const key = await add('bad')
    const revoked = await run(['keys', 'revoke', 'bad', '--data', data], {}, tracer('error=ENOSPC'))
    expect(revoked).toMatchObject({ code: 0, stderr: `API key "bad" revoked in ${data}\n` })
    const file = join(data, `keys.revoked-${sha256(key)}`)
    expect(Bun.spawnSync(['stat', '-c', '%a %s', file]).stdout.toString()).toBe('600 0\n')
    expect((await keys('list')).stdout).toBe('')
  })

  test('for another reason revokes nothing, and says so', async () => {
    const data = join(temporaryFolder(), 'data')
    const { keys, add } = keysOf(data)
    await add('bad')
    const refused = await run(['keys', 'revoke', 'bad', '--data', data], {}, tracer('error=EIO'))
    expect(refused).toMatchObject({ code: 1 })
    expect(marksIn(data)).toEqual([])
    expect((await keys('list')).stdout).toMatch(/^bad /)
  })
})

describe('a key with the file that revokes it', () => {
  test('is none for a server that starts later', async () => {
    const { data, bad, good } = await withMark()
    const server = await start({ data, args: ['--log', 'off'], env: {} })
    expect(await isAccepted(server, bad)).toBe(false)
    expect(await isAccepted(server, good)).toBe(true)
    await server.stop()
  })

  test('does not come back with a backup, of which the file is a part', async () => {
    const { data, bad, good } = await withMark()
    await (await start({ data, args: ['--log', 'off'], env: {} })).stop()
    expect(await run(['verify', '--data', data])).toMatchObject({ code: 0, stdout: nothingWrong })
    const [archive, restored] = [join(data, '../b.tgz'), join(data, '../restored')]
    expect(await run(['backup', archive, '--data', data])).toMatchObject({ code: 0 })
    // What may go first is saved first.
    const saved = String(Bun.spawnSync(['tar', 'tzf', archive]).stdout).split('\n')
    expect(saved.slice(0, 2)).toEqual([`keys.revoked-${sha256(bad)}`, 'keys.json'])
    expect(await run(['restore', archive, '--data', restored])).toMatchObject({ code: 0 })
    const server = await start({ data: restored, args: ['--log', 'off'], env: {} })
    expect(await isAccepted(server, bad)).toBe(false)
    expect(await isAccepted(server, good)).toBe(true)
    await server.stop()
  })

  test('gives its name to a new key, and is gone with any change', async () => {
    const { data, bad, keys, add } = await withMark()
    await add('bad')
    expect((await keys('list')).stdout.match(/^bad /gm)).toHaveLength(1)
    expect(existsSync(join(data, `keys.revoked-${sha256(bad)}`))).toBe(false)
    expect(readFileSync(join(data, 'keys.json'), 'utf8')).not.toContain(sha256(bad))
  })

  test('is named by verify where somebody wrote into the file or gave it another name', async () => {
    const { data, bad } = await withMark()
    await (await start({ data, args: ['--log', 'off'], env: {} })).stop()
    writeFileSync(join(data, `keys.revoked-${sha256(bad)}`), 'x')
    writeFileSync(join(data, 'keys.revoked-me'), '')
    const { code, stdout } = await run(['verify', '--data', data])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^damaged +keys\.revoked-[0-9a-f]{64}: is not the empty file that revokes a key$/m)
    expect(stdout).toMatch(/^foreign +keys\.revoked-me: /m)
  })
})
