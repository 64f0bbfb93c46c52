import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync, watch, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createClient } from '../support/client.ts'
import { cleanEnv, endOf, run, start, target, temporaryFolder } from '../support/process.ts'
import { hasStrace } from '../support/strace.ts'

let data: string
let archive: string
beforeAll(async () => {
  const server = await start({ args: ['--log', 'off'] })
  await createClient(server.url).paste()
  await server.stop()
  data = server.data
  archive = join(temporaryFolder(), 'whole.tgz')
  expect((await run(['backup', archive, '--data', data])).code).toBe(0)
})

const spawn = (args: readonly string[], prefix: readonly string[] = []) =>
  Bun.spawn([...prefix, ...target, ...args], {
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', env: cleanEnv({}) },
  })

/** A data folder with an item that nobody has finished writing, so its reader waits. */
const slowData = () => {
  const folder = join(temporaryFolder(), 'data')
  Bun.spawnSync(['cp', '-r', data, folder])
  const shard = join(folder, 'pastes', 'zz')
  const item = join(shard, 'zzzzzzzzzz.json')
  Bun.spawnSync(['sh', '-c', 'mkdir -p "$1" && mkfifo "$2"', 'sh', shard, item])
  return { folder, item }
}

/** Stops a command while it reads the slow item. */
const stopAt = async (signal: NodeJS.Signals, args: readonly string[], item: string, prefix?: string[]) => {
  const child = spawn(args, prefix)
  const writer = await open(item, 'w')
  child.kill(signal)
  await writer.close()
  return endOf(child)
}

/** Waits until a file whose name has this beginning is in the folder. */
const appears = async (folder: string, beginning: string) => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const look = () => {
    const found = readdirSync(folder).find((name) => name.startsWith(beginning))
    if (found !== undefined) resolve(join(folder, found))
  }
  const watcher = watch(folder, look)
  look()
  return promise.finally(() => watcher.close())
}

/** A restore that waits for the rest of its archive. */
const halfRestore = async (into: string, flags: readonly string[] = [], prefix: readonly string[] = []) => {
  const child = spawn(['restore', '-', '--data', into, ...flags], prefix)
  child.stdin.write(readFileSync(archive).subarray(0, 200))
  child.stdin.flush()
  return { child, beside: await appears(dirname(into), `${basename(into)}.restoring-`) }
}

const besides = (into: string) => readdirSync(dirname(into)).filter((name) => name.includes('.restoring-'))

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
const signals = Object.keys(codes) as (keyof typeof codes)[]

describe('a signal', () => {
  test.each(signals)('%s ends a backup, which leaves no file', async (signal) => {
    const { folder, item } = slowData()
    const to = temporaryFolder()
    const args = ['backup', '--keep', '2', to, '--data', folder]
    expect(await stopAt(signal, args, item)).toEqual({
      ...{ code: codes[signal], stdout: '' },
      stderr: `shortcrust: stopped by ${signal}; no backup was written.\n`,
    })
    expect(readdirSync(to)).toEqual([])
  })

  test('that nohup takes away does not end one', async () => {
    const { folder, item } = slowData()
    const file = join(temporaryFolder(), 'whole.tgz')
    const { stderr } = await stopAt('SIGHUP', ['backup', file, '--data', folder], item, ['nohup'])
    // An item without text is damaged.
    expect(stderr).toMatch(/ 1 left out\n$/)
    expect(existsSync(file)).toBe(true)
  })

  test.each(signals)('%s ends a restore, which leaves no folder', async (signal) => {
    const into = join(temporaryFolder(), 'new')
    const { child } = await halfRestore(into)
    child.kill(signal)
    expect(await endOf(child)).toEqual({
      ...{ code: codes[signal], stdout: '' },
      stderr: `shortcrust: stopped by ${signal}; nothing was restored.\n`,
    })
    expect(readdirSync(dirname(into))).toEqual([])
  })

  test('ends restore --merge, which leaves the copy as it was', async () => {
    const into = join(temporaryFolder(), 'copy')
    expect((await run(['restore', archive, '--merge', '--data', into])).code).toBe(0)
    const files = () =>
      (readdirSync(into, { recursive: true }) as string[]).filter((name) => name !== 'keys.lock').sort()
    const before = files()
    const { child } = await halfRestore(into, ['--merge'])
    child.kill('SIGTERM')
    expect(await endOf(child)).toMatchObject({ code: 143 })
    expect(files()).toEqual(before)
    expect(besides(into)).toEqual([])
  })

  test('ends a mirror, whose next pass goes on', async () => {
    const { folder, item } = slowData()
    const copy = join(temporaryFolder(), 'copy')
    expect(await stopAt('SIGTERM', ['mirror', folder, copy], item)).toEqual({
      ...{ code: 143, stdout: '' },
      stderr: 'shortcrust: stopped by SIGTERM; the next pass goes on.\n',
    })
    expect(readdirSync(join(copy, 'tmp'))).toEqual([])
    Bun.spawnSync(['rm', item])
    expect(await run(['mirror', folder, copy])).toMatchObject({ code: 0 })
    expect(await run(['verify', '--data', copy])).toMatchObject({ code: 0 })
  })
})

describe('signals, however many', () => {
  test.skipIf(!hasStrace)('do not keep a restore from removing what it unpacked', async () => {
    const into = join(temporaryFolder(), 'new')
    // A disk that takes longer to remove a file than a server gives its second signal.
    const slow = ['strace', '-D', '-f', '-o', '/dev/null', '-e', 'inject=unlink,unlinkat:delay_enter=1500000']
    const { child } = await halfRestore(into, [], slow)
    while (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await Bun.sleep(10)
    }
    expect(await endOf(child)).toMatchObject({ code: 143 })
    expect(readdirSync(dirname(into))).toEqual([])
  })
})

/** Long enough that no command can still be writing. */
const longAgo = new Date(Date.now() - 3_700_000)
const partial = (name: string, letters = '0123abcd') => `${name}.${letters}.partial`

describe('what a killed command left', () => {
  test('is removed by the next backup --keep, once it has not been written for an hour', async () => {
    const to = temporaryFolder()
    const names = ['2026-01-01T00-00-00Z', '2026-01-02T00-00-00Z'].map((at) =>
      partial(`shortcrust-${at}.tgz`),
    )
    for (const name of [...names, partial('my.tgz')]) writeFileSync(join(to, name), '')
    for (const name of [names[0] ?? '', partial('my.tgz')]) utimesSync(join(to, name), longAgo, longAgo)
    expect((await run(['backup', '--keep', '2', to, '--data', data])).code).toBe(0)
    const left = readdirSync(to).filter((name) => name.endsWith('.partial'))
    // One may be of a backup that runs, the other is not ours.
    expect(left.sort()).toEqual([partial('my.tgz'), names[1] ?? ''])
  })

  test('does not keep the next backup from having the same name, which removes it an hour later', async () => {
    const { folder, item } = slowData()
    const to = temporaryFolder()
    const file = join(to, 'a.tgz')
    const child = spawn(['backup', file, '--data', folder])
    const writer = await open(item, 'w')
    child.kill('SIGKILL')
    await child.exited
    await writer.close()
    const [left = ''] = readdirSync(to)
    expect(left).toEndWith('.partial')
    expect((await run(['backup', file, '--data', data])).code).toBe(0)
    // It may be of a backup that runs.
    expect(readdirSync(to).sort()).toEqual([left, 'a.tgz'].sort())
    utimesSync(join(to, left), longAgo, longAgo)
    Bun.spawnSync(['rm', file])
    expect((await run(['backup', file, '--data', data])).code).toBe(0)
    expect(readdirSync(to)).toEqual(['a.tgz'])
  })

  test('of another file, or that a user named so, stays', async () => {
    const to = temporaryFolder()
    const names = [partial('b.tgz'), 'a.tgz.partial', partial('a.tgz', '0123ABCD')]
    for (const name of names) {
      writeFileSync(join(to, name), 'mine')
      utimesSync(join(to, name), longAgo, longAgo)
    }
    symlinkSync(join(to, names[0] ?? ''), join(to, partial('a.tgz')))
    expect((await run(['backup', join(to, 'a.tgz'), '--data', data])).code).toBe(0)
    for (const name of names) expect(readFileSync(join(to, name), 'utf8')).toBe('mine')
  })

  test.each([
    ['restore', []],
    ['restore --merge', ['--merge']],
  ])('is removed by the next %s', async (_, flags) => {
    const into = join(temporaryFolder(), 'new')
    const { child, beside } = await halfRestore(into, flags)
    child.kill('SIGKILL')
    await child.exited
    expect(existsSync(beside)).toBe(true)
    expect((await run(['restore', archive, '--data', into, ...flags])).code).toBe(0)
    expect(besides(into)).toEqual([])
  })

  test('is told apart from what another restore is unpacking, and from other names', async () => {
    const into = join(temporaryFolder(), 'new')
    const { child, beside } = await halfRestore(into)
    const others = ['new.restoring-mine', 'news.restoring-1', 'a new.restoring-1']
    for (const name of others) Bun.spawnSync(['mkdir', join(dirname(into), name)])
    // A folder of the user, which no restore made: it has no lock.
    others.push('new.restoring-20241101')
    Bun.spawnSync(['mkdir', join(dirname(into), 'new.restoring-20241101')])
    writeFileSync(join(dirname(into), 'new.restoring-20241101', 'mine.txt'), 'mine')
    expect((await run(['restore', archive, '--data', into])).code).toBe(0)
    expect(besides(into).sort()).toEqual([...others, basename(beside)].sort())
    child.kill('SIGTERM')
    await child.exited
    expect(besides(into).sort()).toEqual(others.sort())
  })

  test('is removed by the next mirror', async () => {
    const copy = join(temporaryFolder(), 'copy')
    await run(['mirror', data, copy])
    writeFileSync(join(copy, 'tmp', `${crypto.randomUUID()}-0-abcdefghjk.json`), 'half')
    expect(await run(['mirror', data, copy])).toMatchObject({ code: 0 })
    expect(readdirSync(join(copy, 'tmp'))).toEqual([])
  })

  test('is no reason to refuse a folder in which a mirror had only begun', async () => {
    const copy = join(temporaryFolder(), 'copy')
    Bun.spawnSync(['mkdir', '-p', join(copy, 'tmp')])
    writeFileSync(join(copy, 'lock'), '')
    writeFileSync(join(copy, 'tmp', `${crypto.randomUUID()}-0-standby`), 'half')
    expect(await run(['mirror', data, copy])).toMatchObject({ code: 0 })
    writeFileSync(join(copy, 'tmp', 'notes.txt'), 'mine')
    Bun.spawnSync(['rm', join(copy, 'standby')])
    expect(await run(['mirror', data, copy])).toMatchObject({ code: 1 })
  })
})
