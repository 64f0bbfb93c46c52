import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packTar } from 'modern-tar'
import { createClient } from '../support/client.ts'
import { type RunningServer, repository, run, start, target, temporaryFolder } from '../support/process.ts'
import { hasStrace, parseTrace } from '../support/strace.ts'

type Item = { path: string; text: string; deletionPath: string }
const pathOf = (address = '') => new URL(address).pathname + new URL(address).search

/** Creates and deletes without pause until told to stop. */
const writeLoad = (client: ReturnType<typeof createClient>) => {
  let isOver = false
  const work = async () => {
    while (!isOver) {
      const { deletionUrl = '' } = await client.paste({ text: crypto.randomUUID().repeat(200) })
      await client.link()
      await fetch(deletionUrl, { method: 'DELETE' })
    }
  }
  const workers = Array.from({ length: 8 }, work)
  return async () => {
    isOver = true
    await Promise.all(workers)
  }
}

describe('a backup of a server under write load', () => {
  let server: RunningServer
  const before: Item[] = []
  const deleted: Item[] = []
  let stopLoad: () => Promise<void>
  const folder = temporaryFolder()

  beforeAll(async () => {
    server = await start({
      args: ['--rate-limit', 'off', '--log', 'off'],
      data: join(temporaryFolder(), 'data'),
    })
    const client = createClient(server.url)
    for (let at = 0; at < 60; at++) {
      const text = `${at} €😀\r\n\0`
      const { rawUrl, deletionUrl } = await client.paste({ text })
      const item = { path: pathOf(rawUrl), text, deletionPath: pathOf(deletionUrl) }
      if (at % 3) before.push(item)
      else {
        await fetch(server.url + item.deletionPath, { method: 'DELETE' })
        deleted.push(item)
      }
    }
    expect((await run(['keys', 'add', 'laptop', '--data', server.data])).code).toBe(0)
    stopLoad = writeLoad(client)
  })
  afterAll(async () => {
    await stopLoad()
    await server.stop()
  })

  /** Everything that was there before the load began is there, and verify finds nothing wrong. */
  const expectWhole = async (data: string) => {
    const { code, stdout } = await run(['verify', '--data', data])
    expect(stdout).toEndWith('verified: 0 damaged, 0 foreign\n')
    expect(code).toBe(0)
    const copy = await start({ data, args: ['--log', 'off'] })
    for (const { path, text } of before) expect(await (await fetch(copy.url + path)).text()).toBe(text)
    for (const { path } of deleted) expect((await fetch(copy.url + path)).status).toBe(410)
    expect((await run(['keys', 'list', '--data', data])).stdout).toMatch(/^laptop /)
    const [one] = before
    expect((await fetch(copy.url + one?.deletionPath, { method: 'DELETE' })).status).toBe(200)
    await copy.stop()
  }

  test('restores to the same items, deletions, keys and deletion links', async () => {
    const archive = join(folder, 'backup.tgz')
    const { code, stderr, stdout } = await run(['backup', archive, '--data', server.data])
    expect(stderr).toMatch(/^\d+ files of \/\S+ saved, 0 left out\n$/)
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    const data = join(folder, 'new/restored')
    expect(await run(['restore', archive, '--data', data])).toMatchObject({ code: 0, stdout: '' })
    expect(statSync(data).mode & 0o777).toBe(0o700)
    await expectWhole(data)
  })

  test('goes to standard output as "-", and is a tar archive that tar can read', async () => {
    const child = Bun.spawn([...target, 'backup', '-', '--data', server.data], {
      cwd: repository,
      stderr: 'ignore',
    })
    const bytes = await new Response(child.stdout).bytes()
    expect(await child.exited).toBe(0)
    const list = Bun.spawnSync(['tar', 'tz'], { stdin: bytes }).stdout.toString()
    expect(list).toMatch(/^shortcrust\.json$/m)
    expect(list).toMatch(/^keys\.json$/m)
  })

  test.each([
    ['cp -r', (from: string, to: string) => ['cp', '-r', from, to]],
    [
      'tar',
      (from: string, to: string) => ['sh', '-c', `mkdir ${to} && tar -C ${from} -c . | tar -C ${to} -x`],
    ],
  ])('may as well be a plain %s of the folder', async (name, copy) => {
    const to = join(folder, `copied-by-${name.split(' ')[0]}`)
    // A file that is deleted between listing and reading makes both end with 1; what was copied is whole all the same.
    Bun.spawnSync(copy(server.data, to), { stderr: 'ignore' })
    await expectWhole(to)
  })

  test('leaves out what is damaged, says so, and exits 1', async () => {
    const data = join(folder, 'damaged')
    Bun.spawnSync(['cp', '-r', server.data, data], { stderr: 'ignore' })
    const id = before[0]?.path.split('/').at(-1) as string
    writeFileSync(join(data, 'pastes', id.slice(0, 2), `${id}.json`), '{}')
    const archive = join(folder, 'partial.tgz')
    const { code, stderr } = await run(['backup', archive, '--data', data])
    expect(code).toBe(1)
    expect(stderr).toContain(`left out  pastes/${id.slice(0, 2)}/${id}.json`)
    expect((await run(['restore', archive, '--data', join(folder, 'from-partial')])).code).toBe(0)
  })
})

describe('restore', () => {
  test('says that a file is no backup, and makes nothing', async () => {
    const data = join(folder, 'of-no-backup')
    for (const text of ['a text', '']) {
      const file = join(folder, 'no-backup.tgz')
      writeFileSync(file, text)
      const { code, stderr } = await run(['restore', file, '--data', data])
      expect(stderr).toMatch(
        /^shortcrust: this file is not a backup, or only a part of one \(.+\); nothing was restored\.\n$/,
      )
      expect([code, existsSync(data)]).toEqual([1, false])
    }
  })

  const folder = temporaryFolder()
  const archive = join(folder, 'backup.tgz')
  beforeAll(async () => {
    const server = await start({ args: ['--log', 'off'] })
    await createClient(server.url).paste()
    expect((await run(['backup', archive, '--data', server.data])).code).toBe(0)
    await server.stop()
  })

  test('refuses a folder that is not empty and leaves it as it was', async () => {
    const data = join(folder, 'full')
    mkdirSync(data)
    writeFileSync(join(data, 'mine'), 'mine')
    const { code, stderr } = await run(['restore', archive, '--data', data])
    expect(code).toBe(1)
    expect(stderr).toMatch(/is not empty/)
    expect(readdirSync(data)).toEqual(['mine'])
  })

  test.skipIf(!hasStrace)(
    'syncs each file, then each folder that holds files, and only then renames',
    async () => {
      const trace = join(folder, 'trace')
      const tracer = ['strace', '-f', '-yy', '-e', 'trace=fsync,rename,renameat,renameat2', '-o', trace]
      const data = join(folder, 'synced')
      expect(await run(['restore', archive, '--data', data], {}, tracer)).toMatchObject({ code: 0 })
      const calls = parseTrace(await Bun.file(trace).text())
      const renamed = calls.findIndex(
        ({ name, args }) => name.startsWith('rename') && args.includes('synced.restoring-'),
      )
      expect(renamed).toBeGreaterThan(0)
      const synced = calls.slice(0, renamed).map(({ args }) => args.replace(/^.*restoring-\d+|>.*$/g, ''))
      const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      )
      expect(files.length).toBeGreaterThan(1)
      for (const { parentPath, name } of files) {
        const inside = parentPath.slice(data.length)
        expect(synced).toContain(`${inside}/${name}`)
        expect(synced.lastIndexOf(inside)).toBeGreaterThan(synced.indexOf(`${inside}/${name}`))
      }
    },
  )

  const brokenArchives: readonly (readonly [string, (whole: Uint8Array) => Uint8Array])[] = [
    ['cut short', (whole) => whole.subarray(0, whole.length - 20)],
    ['of an empty tar', () => Bun.gzipSync(new Uint8Array(1024))],
    [
      'holding another file',
      () => Bun.gzipSync(new Uint8Array(Bun.spawnSync(['tar', '-C', folder, '-c', 'full/mine']).stdout)),
    ],
  ]
  test.each(brokenArchives)('refuses an archive that is %s, and makes no folder', async (_, damage) => {
    const broken = join(folder, 'broken.tgz')
    await Bun.write(broken, damage(await Bun.file(archive).bytes()))
    const data = join(folder, 'never')
    const { code, stderr } = await run(['restore', broken, '--data', data])
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([])
  })

  test.each([
    ['beside the folder', '../evil.txt'],
    ['beside it, by way of a folder that a backup has', 'pastes/ab/../../../evil.txt'],
    ['with the name of a file that a backup has', '../keys.json'],
    ['at a place of its own', `${folder}/evil.txt`],
    ['in a folder of its own', 'other/evil.txt'],
    ['beside the documents', 'pastes/ab/evil.txt'],
    ['under the name of a lock', 'keys.lock'],
  ])('writes nothing of an archive with a file %s', async (_, name) => {
    const body = new TextEncoder().encode('evil')
    const stamp = new TextEncoder().encode('{"product":"shortcrust","format":1}')
    const entries = [
      { header: { name: 'shortcrust.json', size: stamp.length }, body: stamp },
      { header: { name, size: body.length }, body },
    ]
    const evil = join(folder, 'evil.tgz')
    await Bun.write(evil, Bun.gzipSync(await packTar(entries)))
    const before = readdirSync(folder, { recursive: true }).sort()
    const { code, stderr } = await run(['restore', evil, '--data', join(folder, 'never')])
    expect(code).toBe(1)
    expect(stderr).toContain(`the backup holds "${name}", which no backup does`)
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before)
  })

  test('and backup say what is wrong with a file name that will not do', async () => {
    expect((await run(['restore', join(folder, 'none'), '--data', join(folder, 'x')])).stderr).toMatch(
      /there is no file/,
    )
    expect((await run(['backup', archive, '--data', join(folder, 'full')])).stderr).toMatch(
      /there is no data folder at \/\S+\/full; name it with --data/,
    )
    const data = join(folder, 'whole')
    await run(['restore', archive, '--data', data])
    expect((await run(['backup', archive, '--data', data])).stderr).toMatch(/exists already/)
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([])
  })
})
