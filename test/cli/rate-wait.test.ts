import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, withinRate } from '../../src/cli/client/send.ts'
import { temporaryFolder, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'
import { failure, newUser } from '../support/user.ts'

describe('what counts for the rate limit', () => {
  const limited = (retryAfterSeconds: number) => new Failure('too many', 4, { retryAfterSeconds })

  /** Refuses as often as there are waits, and slept through none. */
  const sent = async (waits: readonly number[], flags: { 'no-wait'?: boolean } = {}) => {
    const [slept, told]: [number[], number[]] = [[], []]
    let attempts = 0
    const attempt = async () => {
      const seconds = waits[attempts++]
      if (seconds !== undefined) throw limited(seconds)
      return 'done'
    }
    const terminal = { sleep: async (milliseconds: number) => slept.push(milliseconds) }
    const onWait = (seconds: number) => told.push(seconds)
    const outcome = await withinRate(attempt, { flags, terminal, onWait }).catch(String)
    return { outcome, attempts, slept, told }
  }
  const refused = 'Error: too many'

  test('waits as long as the server says and tells so, for a minute at most', async () => {
    expect(await sent([15, 60])).toEqual({
      ...{ outcome: 'done', attempts: 3 },
      ...{ slept: [15_000, 60_000], told: [15, 60] },
    })
    expect(await sent([61])).toEqual({ outcome: refused, attempts: 1, slept: [], told: [] })
  })

  test('waits five times at most: others may use up the rate of the same key', async () => {
    expect(await sent([1, 1, 1, 1, 1])).toMatchObject({ outcome: 'done', attempts: 6 })
    expect(await sent([1, 1, 1, 1, 1, 1])).toMatchObject({ outcome: refused, attempts: 6 })
  })

  test('is refused at once where the server names no wait', async () => {
    const attempt = () => Promise.reject(new Failure('no', 1))
    const terminal = { sleep: () => Promise.reject(new Error('slept')) }
    expect(withinRate(attempt, { flags: {}, terminal, onWait: () => {} })).rejects.toThrow('no')
  })
})

describe('at the rate limit', () => {
  const { server, client } = withServer({ args: quiet })
  const user = newUser()
  const folder = temporaryFolder()
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }

  /** Waits that the gate asks for before it lets a request through to the server. */
  let waits: number[] = []
  const gate = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request): Promise<Response> => {
      const { method, headers, url } = request
      const { pathname, search } = new URL(url)
      const seconds = method === 'GET' ? undefined : waits.shift()
      const body = method === 'GET' ? null : await request.arrayBuffer()
      if (seconds === undefined) return fetch(server.url + pathname + search, { method, headers, body })
      const refusal = { success: false, error: `Too many requests. Try again in ${seconds} s.` }
      return Response.json(refusal, { status: 429, headers: { 'Retry-After': `${seconds}` } })
    },
  })
  afterAll(() => gate.stop(true))
  beforeEach(() => {
    waits = []
  })

  const editor = file('editor', '#!/bin/sh\necho more >> "$1"\n')
  chmodSync(editor, 0o755)
  const env = () => ({
    ...{ SHORTCRUST_SERVER: gate.url.origin, SHORTCRUST_KEY: testKey },
    ...{ EDITOR: editor, TMPDIR: temporaryFolder() },
  })
  const run = (...args: string[]) => user.run(args, { env: env(), stdin: 'text' })

  let made = 0
  /** Each command that takes a token, and what its lines begin with. */
  const commands: Record<string, { args: () => Promise<string[]>; begins: string }> = {
    paste: { args: async () => ['paste'], begins: 'standard input: ' },
    shorten: { args: async () => ['shorten', 'https://example.org/'], begins: '' },
    edit: {
      args: async () => {
        await client.paste({ alias: `notes-${++made}` })
        return ['edit', `notes-${made}`]
      },
      begins: '',
    },
    import: {
      args: async () => [
        ...['import', '--write'],
        file('import.jsonl', `{"type":"link","url":"https://example.org/${++made}"}\n`),
      ],
      begins: '',
    },
  }

  test.each(Object.keys(commands))('%s waits and says so on standard error', async (name) => {
    const { args, begins } = commands[name] as (typeof commands)[string]
    const words = await args()
    waits = [1]
    const { code, stderr } = await run(...words)
    expect(stderr).toStartWith(`${begins}the rate limit is reached; waiting 1 s\n`)
    expect(stderr).not.toContain('Too many')
    expect(code).toBe(0)
    expect(waits).toEqual([])
  })

  test.each(Object.keys(commands))('%s ends at once with --no-wait: exit code 4', async (name) => {
    const words = await (commands[name] as (typeof commands)[string]).args()
    waits = [1]
    const { code, stderr } = await run(...words, '--no-wait')
    expect(stderr).toMatch(/^shortcrust: .*Too many requests\. Try again in 1 s/)
    expect(stderr).not.toContain('waiting')
    expect(code).toBe(4)
  })

  test('edit keeps the text that it could not send', async () => {
    await client.paste({ alias: 'kept' })
    waits = [1]
    expect((await run('edit', 'kept', '--no-wait')).stderr).toMatch(/; your text is in \S+\.\n$/)
  })

  test('a wait of more than a minute is left to the user: exit code 4 with the seconds', async () => {
    waits = [61]
    expect(await run('paste')).toEqual(failure(4, /Try again in 61 s/))
  })

  test('several files wait one by one; without a wait, those that were not sent are named', async () => {
    const names = ['1.js', '2.js', '3.js'].map((name) => file(name, name))
    waits = [1]
    const { code, stdout } = await run('paste', ...names)
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 3])
    waits = [61]
    const ended = await run('paste', ...names)
    expect(ended.stderr).toBe(
      `shortcrust: ${names[0]}: Too many requests. Try again in 61 s.\n` +
        `shortcrust: not sent: ${names[1]}, ${names[2]}.\n`,
    )
    expect(ended).toMatchObject({ code: 4, stdout: '' })
  })
})
