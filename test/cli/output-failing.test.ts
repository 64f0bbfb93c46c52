import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '../../src/cli/list.ts'
import { createClient } from '../support/client.ts'
import { commandsThatPrint, commandsThatTell, createScene } from '../support/every-command.ts'
import { openPipe, runInto, runToFile } from '../support/pipes.ts'
import { run, start, target } from '../support/process.ts'

let scene: Awaited<ReturnType<typeof createScene>>
beforeAll(async () => {
  scene = await createScene()
})
afterAll(() => scene.server.stop())

const caseOf = async (cases: 'toStdout' | 'toStderr', name: string) => {
  const { args, stdin } = (await scene[cases]())[name] ?? { args: [name] }
  return { command: [...target, ...args], options: { env: scene.env, ...(stdin !== undefined && { stdin }) } }
}

/** What a command says of standard output is its last line; before it stand lines on what could be done. */
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)

test('the tables of the test name every command', async () => {
  expect(Object.keys(await scene.toStdout()).sort()).toEqual(commandsThatPrint.toSorted())
  expect(Object.keys(await scene.toStderr()).sort()).toEqual(commandsThatTell.toSorted())
  const tested = [...Object.values(await scene.toStdout()), ...Object.values(await scene.toStderr())]
  const names = new Set(tested.map(({ args }) => args[0]))
  // The server has tests of its own.
  expect(Object.keys(commands).filter((name) => name !== 'serve' && !names.has(name))).toEqual([])
})

describe('standard output on a full disk', () => {
  test.each(commandsThatPrint)('of %s is told in one line, with exit code 1 and no stack', async (name) => {
    const { command, options } = await caseOf('toStdout', name)
    const { code, stderr } = await runToFile(command, '/dev/full', options)
    expect(lastLine(stderr)).toMatch(
      /^shortcrust: cannot write to standard output: the disk is full \(ENOSPC\); (free some space and try again|no key was made)\.$/,
    )
    expect(stderr.match(/cannot write/g)).toHaveLength(1)
    expect(stderr).not.toMatch(/ at |exported|verified|saved/)
    expect(code).toBe(1)
  })
})

describe('a failure that comes to light only at the end', () => {
  test('is seen before export or backup says that it is done', async () => {
    const data = scene.at('one-item')
    const lonely = await start({ args: ['--rate-limit', 'off', '--log', 'off'], data })
    await createClient(lonely.url).link()
    const env = { ...scene.env, SHORTCRUST_SERVER: lonely.url }
    for (const args of [['export'], ['backup', '-', '--data', scene.stamped]]) {
      const { code, stderr } = await runToFile([...target, ...args], '/dev/full', { env })
      expect(stderr).toMatch(/^shortcrust: cannot write to standard output: [^\n]*\n$/)
      expect(code).toBe(1)
    }
    await lonely.stop()
  })

  test('is seen before paste sends the next file', async () => {
    const count = async () => {
      const { stdout } = await run(['list', 'pastes', '--json', '--limit', '1000'], scene.env)
      return stdout.split('\n').length - 1
    }
    const before = await count()
    const file = scene.at('paste.txt')
    const { code } = await runToFile([...target, 'paste', file, file, file], '/dev/full', { env: scene.env })
    expect(code).toBe(1)
    expect(await count()).toBe(before + 1)
  })
})

describe('a reader that has gone', () => {
  test.each(commandsThatPrint)('ends %s quietly, with exit code 141', async (name) => {
    const { command, options } = await caseOf('toStdout', name)
    const pipe = openPipe()
    // The end that the program gets is the only one left.
    const running = runInto(command, { ...options, stdout: pipe.writeEnd })
    pipe.leave()
    const { code, stderr } = await running
    const says =
      /^API key .*\nshortcrust: cannot write .* its reader has gone \(EPIPE\); no key was made\.\n$/
    expect(stderr).toMatch(name === 'keys add' ? says : /^$/)
    expect(code).toBe(141)
  })
})

describe('standard error that cannot be written', () => {
  test.each(commandsThatTell)('gives %s an exit code that is not 0', async (name) => {
    const { command, options } = await caseOf('toStderr', name)
    const { code } = await runToFile(command, '/dev/full', { ...options, to: 'stderr' })
    expect(code).toBe(name === 'usage of a command' ? 2 : 1)
  })
})

describe('any other system call that fails', () => {
  test.each([
    [
      'reading a folder that is a file',
      ['verify', '--data', '/dev/null'],
      /^shortcrust: \/dev\/null: .* \(ENOTDIR\)\.\n$/,
    ],
    [
      'reading standard input',
      ['login', 'http://127.0.0.1:1'],
      /^shortcrust: it is a folder \(EISDIR\)\.\n$/,
    ],
  ])('is told in one line, with exit code 1: %s', async (_, args, says) => {
    const folder = openSync('/', 'r')
    const child = Bun.spawn([...target, ...args], { stdin: folder, stdout: 'ignore', stderr: 'pipe' })
    expect(await new Response(child.stderr).text()).toMatch(says)
    expect(await child.exited).toBe(1)
    closeSync(folder)
  })
})

describe('an API key that cannot be shown', () => {
  const names = () =>
    (
      JSON.parse(readFileSync(join(scene.keyed, 'keys.json'), 'utf8')) as {
        document: { keys: { name: string }[] }
      }
    ).document.keys.map(({ name }) => name)

  test('is not made', async () => {
    const before = names()
    const command = [...target, 'keys', 'add', 'unseen', '--data', scene.keyed]
    expect((await runToFile(command, '/dev/full')).code).toBe(1)
    expect(names()).toEqual(before)
    const pipe = openPipe()
    const running = runInto(command, { stdout: pipe.writeEnd })
    pipe.leave()
    expect((await running).code).toBe(141)
    expect(names()).toEqual(before)
    expect((await runInto(command)).code).toBe(0)
    expect(names()).toEqual([...before, 'unseen'])
  })
})
