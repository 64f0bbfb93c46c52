import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { examplePaste } from '../support/client.ts'
import { type CommandCase, commandsThatPrint, createScene } from '../support/every-command.ts'
import { isHeldUp, openPipe, runInto, type SpawnOptions, spawnInto } from '../support/pipes.ts'
import { target, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const folder = temporaryFolder()
const foreign = join(folder, 'foreign')
const unusable = join(folder, 'unusable.jsonl')
const wanted = join(folder, 'wanted.jsonl')
const foreignFiles = 3000
const lines = 5000
const texts = Array.from({ length: 20 }, (_, at) => `${at}\n`.repeat(60_000))

const { server, client } = withServer()
beforeAll(async () => {
  for (const text of texts) await client.paste({ ...examplePaste, text })
  for (let made = 0; made < 100; made++) await client.link()
  mkdirSync(foreign)
  for (let at = 0; at < foreignFiles; at++) writeFileSync(join(foreign, `foreign-file-number-${at}`), '')
  writeFileSync(unusable, '{"type":"link"}\n'.repeat(lines))
  writeFileSync(wanted, '{"type":"link","url":"https://example.org/"}\n')
})

const commandOf = (args: readonly string[]) => [...target, ...args]
const env = () => ({ SHORTCRUST_SERVER: server.url, SHORTCRUST_KEY: testKey })

/** Runs a command whose reader takes nothing before the command waits for it. */
const readLate = async (args: readonly string[], output: 'stdout' | 'stderr', options: SpawnOptions = {}) => {
  const pipe = openPipe()
  const running = spawnInto(commandOf(args), { env: env(), ...options, [output]: pipe.writeEnd })
  expect(await isHeldUp(running.child), 'it waits for its reader').toBe(true)
  const read = await pipe.read()
  return {
    code: await running.child.exited,
    read,
    text: read.toString(),
    stdout: await running.stdout,
    stderr: await running.stderr,
  }
}

const countOf = (text: string) => text.split('\n').length - 1

describe('a reader that begins late gets all of', () => {
  test('export, each line whole', async () => {
    const { code, text, stderr } = await readLate(['export'], 'stdout')
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${texts.length + 100} items exported\n` })
    const items = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(items.flatMap((item) => item.text ?? []).sort()).toEqual(texts.toSorted())
    expect(items).toHaveLength(texts.length + 100)
  })

  test('the lines that import cannot use, on standard error', async () => {
    const { code, text } = await readLate(['import', unusable], 'stderr')
    expect(text).toMatch(/^(shortcrust: line \d+: is a link without "url"\.\n)+$/)
    expect(countOf(text)).toBe(lines)
    expect(code).toBe(1)
  })

  test('backup -, byte for byte', async () => {
    const { code, read, stderr } = await readLate(['backup', '-', '--data', server.data], 'stdout')
    expect(stderr).toMatch(/^\d+ files of \/\S+ saved, 0 left out\n$/)
    expect(code).toBe(0)
    const names = Bun.spawnSync(['tar', 'tz'], { stdin: read }).stdout.toString()
    expect(names.match(/^pastes\//gm)).toHaveLength(texts.length)
  })
})

describe('a reader that begins late gets the same as one that does not wait, of', () => {
  let scene: Awaited<ReturnType<typeof createScene>>
  beforeAll(async () => {
    scene = await createScene()
  })
  afterAll(() => scene.server.stop())

  /** What differs from one run to the next. */
  const alike = (text: string) =>
    text
      .replace(/sc_\w{32}|(?<=\/p\/(?:raw\/)?|\/s\/|key=)\w+/g, 'ID')
      .replace(/ +(now|\d+s ago|created) +/g, ' AGE ')
      .replace(/"at":"[^"]+"|"freeBytes":\d+|(?<=clock: |space: ).+|(?<=, in )[\d.]+ s$/gm, 'NOW')

  test.each(commandsThatPrint)('%s', async (name) => {
    const [now, later] = [await scene.toStdout(), await scene.toStdout()]
    const options = ({ stdin }: CommandCase) => ({ env: scene.env, ...(stdin !== undefined && { stdin }) })
    const [first, second] = [now[name], later[name]] as [CommandCase, CommandCase]
    const soon = await runInto(commandOf(first.args), options(first))
    const late = await readLate(second.args, 'stdout', options(second))
    if (name === 'backup') expect(late.read.length).toBeGreaterThan(500)
    else expect(alike(late.text)).toBe(alike(soon.stdout))
    expect(late.text.length).toBeGreaterThan(20)
    expect(late.code).toBe(soon.code)
  })
})

describe('a reader that goes away after a line', () => {
  /** Reads the beginning and closes its end. */
  const head = (args: readonly string[]) => {
    const script = '{ "$@"; echo "code $?" >&2; } | head -n 1'
    return runInto(['sh', '-c', script, 'sh', ...commandOf(args)], { env: env() })
  }

  test('lets export ask for nothing more', async () => {
    const seen: string[] = []
    const count = 200
    const item = (at: number) => ({ id: `a${at}`, createdAt: '2024-01-01T00:00:00.000Z', title: '' })
    const answer = (path: string) =>
      path === '/pastes'
        ? { success: true, pastes: Array.from({ length: count }, (_, at) => item(at)) }
        : { success: true, paste: { ...item(0), text: 'x'.repeat(300_000) } }
    const other = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) => {
        seen.push(url)
        return Response.json(answer(new URL(url).pathname))
      },
    })
    const args = ['export', '--server', `http://127.0.0.1:${other.port}`]
    expect((await head(args)).stderr).toBe('code 141\n')
    expect(seen.length).toBeLessThan(20)
    await other.stop(true)
  })
})
