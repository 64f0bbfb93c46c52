import { afterAll, describe, expect, test } from 'bun:test'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { isHeldUp, type OutputTarget, openPipe } from '../support/pipes.ts'
import { cleanEnv, follow, repository, run, start, target, temporaryFolder } from '../support/process.ts'

const children: Bun.Subprocess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A server whose outputs go where the test says; without a key from outside. */
const serveInto = (stdout: OutputTarget, stderr: OutputTarget = 'pipe') => {
  const data = join(temporaryFolder(), 'data')
  const child = Bun.spawn([...target, '--host', '127.0.0.1', '--port', '0', '--data', data], {
    cwd: repository,
    env: cleanEnv({}),
    stdin: 'ignore',
    stdout,
    stderr,
  })
  children.push(child)
  return { child, data, log: child.stderr instanceof ReadableStream ? follow(child.stderr) : undefined }
}

const hasNoKey = (data: string) => expect(existsSync(join(data, 'keys.json'))).toBe(false)

/** It serves: a key that is made now works. */
const expectServing = async (data: string, port: string) => {
  const { stdout } = await run(['keys', 'add', 'later', '--data', data])
  const url = `http://127.0.0.1:${port}`
  expect(await createClient(url, stdout.trim()).paste()).toMatchObject({ success: true })
}

const stopped = async (child: Bun.Subprocess) => {
  child.kill('SIGTERM')
  return child.exited
}

describe('a first start whose standard output cannot be written', () => {
  test.each([
    ['full', /the disk is full \(ENOSPC\)/, 1],
    ['gone', /its reader has gone \(EPIPE\)/, 141],
  ] as const)('because it is %s makes no key, says so once, and serves', async (what, why, code) => {
    const pipe = openPipe()
    const full = openSync('/dev/full', 'w')
    const { child, data, log } = serveInto(what === 'full' ? full : pipe.writeEnd)
    pipe.leave()
    closeSync(full)
    const [, port = ''] = (await log?.waitFor(/ started port=(\d+)/)) ?? []
    hasNoKey(data)
    await expectServing(data, port)
    expect(await stopped(child)).toBe(code)
    await log?.ended
    const lines = log?.text().match(/^shortcrust: .*$/gm) ?? []
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(why)
    expect(lines[0]).toEndWith('; no key was made; make one with: shortcrust keys add NAME')
  })

  test('because nobody reads it serves and stops all the same, with exit code 1 and no key', async () => {
    const pipe = openPipe()
    const { child, data } = serveInto(pipe.writeEnd)
    expect(await isHeldUp(child)).toBe(true)
    hasNoKey(data)
    expect(await stopped(child)).toBe(1)
    pipe.leave()
    hasNoKey(data)
  })
})

describe('a server whose log nobody reads', () => {
  test('stops all the same, with exit code 1', async () => {
    const pipe = openPipe()
    const { child } = serveInto('pipe', pipe.writeEnd)
    expect(await isHeldUp(child)).toBe(true)
    expect(await stopped(child)).toBe(1)
    pipe.leave()
  })

  test('and that is read ends with 0', async () => {
    expect(await (await start({ env: {} })).stop()).toBe(0)
  })
})
