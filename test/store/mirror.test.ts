import { describe, expect, test } from 'bun:test'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createClient } from '../support/client.ts'
import { run, start, temporaryFolder } from '../support/process.ts'
import { hasStrace } from '../support/strace.ts'
import { nothingWrong } from '../support/verified.ts'

const newCopy = () => join(temporaryFolder(), 'copy')
const startServer = (data?: string) =>
  start({ args: ['--rate-limit', 'off', '--log', 'off'], ...(data !== undefined && { data }) })
const mirror = (source: string, copy: string) => run(['mirror', source, copy])
const passed = (copied: number, removed = 0) => ({
  ...{ code: 0, stdout: '' },
  stderr: expect.stringContaining(`${copied} copied, ${removed} removed, 0 left`) as unknown as string,
})
const pathOf = (address = '') => new URL(address).pathname
const documentOf = (data: string, address = '') => {
  const id = address.split('/').at(-1) ?? ''
  return join(data, 'pastes', id.slice(0, 2), `${id}.json`)
}
/** Relative paths of all files of items and names. */
const filesOf = (data: string) =>
  (readdirSync(data, { recursive: true }) as string[])
    .filter((path) => /^(?:pastes|links|aliases)\/.*\.(?:json|gone)$/.test(path))
    .sort()

describe('shortcrust mirror', () => {
  test('makes a copy that serves everything older than the pass, after the first machine is lost', async () => {
    const first = await startServer()
    const client = createClient(first.url)
    const copy = newCopy()
    const { pasteUrl, rawUrl, deletionUrl } = await client.paste({ text: 'kept', alias: 'wiki' })
    const { shortendUrl } = await client.link('https://example.org/kept')
    const gone = await client.paste({ text: 'gone' })
    await fetch(gone.deletionUrl ?? '', { method: 'DELETE' })
    expect((await run(['keys', 'add', 'laptop', '--data', first.data])).code).toBe(0)
    expect(await mirror(first.data, copy)).toMatchObject({ code: 0 })
    const later = await client.paste({ text: 'later' })
    await first.kill()

    expect(await run(['verify', '--data', copy])).toMatchObject({ code: 0, stdout: nothingWrong })
    const standby = await startServer(copy)
    const get = (address = '') => fetch(standby.url + pathOf(address), { redirect: 'manual' })
    expect(await (await get(rawUrl)).text()).toBe('kept')
    expect((await get(pasteUrl)).status).toBe(200)
    expect((await get(shortendUrl)).headers.get('location')).toBe('https://example.org/kept')
    expect((await get(gone.rawUrl)).status).toBe(410)
    expect((await get(later.rawUrl)).status).toBe(404)
    const { search } = new URL(deletionUrl ?? '')
    expect((await fetch(`${standby.url}/paste/delete${search}`, { method: 'DELETE' })).status).toBe(200)
    expect((await run(['keys', 'list', '--data', copy])).stdout).toMatch(/^laptop /)
    await standby.stop()
  })

  test('copies only what changed, and removes what was erased', async () => {
    const server = await startServer()
    const client = createClient(server.url)
    const copy = newCopy()
    const [one, two] = [await client.paste({ text: 'one' }), await client.paste({ text: 'two' })]
    await mirror(server.data, copy)
    expect(await mirror(server.data, copy)).toEqual(passed(0))
    await client.change(pathOf(one.pasteUrl), { text: 'changed' })
    // The document and the version before it.
    expect(await mirror(server.data, copy)).toEqual(passed(2))
    await fetch(two.deletionUrl ?? '', { method: 'DELETE' })
    await fetch(one.deletionUrl ?? '', { method: 'DELETE' })
    // Two tombstones; two documents and the version.
    expect(await mirror(server.data, copy)).toEqual(passed(2, 3))
    expect(filesOf(copy)).toEqual(filesOf(server.data))
    await server.stop()
  })

  test('copies a file whose size stayed and whose time moved by a millisecond', async () => {
    const server = await startServer()
    const { pasteUrl } = await createClient(server.url).paste({ text: 'a' })
    const copy = newCopy()
    await mirror(server.data, copy)
    const file = documentOf(server.data, pasteUrl)
    const time = statSync(file).mtimeMs / 1000 + 0.001
    utimesSync(file, time, time)
    expect(await mirror(server.data, copy)).toEqual(passed(1))
    expect(await mirror(server.data, copy)).toEqual(passed(0))
    await server.stop()
  })

  test('keeps its good copy of a file that is damaged now, and ends with 1', async () => {
    const server = await startServer()
    const { pasteUrl } = await createClient(server.url).paste({ text: 'good' })
    const copy = newCopy()
    await mirror(server.data, copy)
    writeFileSync(documentOf(server.data, pasteUrl), '{"half')
    const { code, stderr } = await mirror(server.data, copy)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^left as it was {2}pastes\/.*\n.* 0 copied, 0 removed, 1 left as they were/)
    expect(readFileSync(documentOf(copy, pasteUrl), 'utf8')).toContain('good')
    await server.stop()
  })

  test('leaves what is in a folder that cannot be read as it was, copies the rest, and ends with 1', async () => {
    const server = await startServer()
    const client = createClient(server.url)
    const { pasteUrl } = await client.paste({ text: 'hidden' })
    const copy = newCopy()
    await mirror(server.data, copy)
    const shard = dirname(documentOf(server.data, pasteUrl))
    renameSync(shard, join(temporaryFolder(), 'shard'))
    // Nobody can read it, not even the administrator.
    symlinkSync(basename(shard), shard)
    const { shortendUrl } = await client.link()
    const { code, stderr } = await mirror(server.data, copy)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^left as it was {2}pastes\/..: ELOOP.*\n.* 1 copied, 0 removed, 1 left as they were/,
    )
    expect(readFileSync(documentOf(copy, pasteUrl), 'utf8')).toContain('hidden')
    expect(filesOf(copy).join()).toContain(pathOf(shortendUrl).split('/').at(-1) ?? '')
    await server.stop()
  })

  test('loses nothing that a server took on the copy: it refuses to go on there', async () => {
    const server = await startServer()
    await createClient(server.url).paste()
    const copy = newCopy()
    await mirror(server.data, copy)
    const standby = await startServer(copy)
    expect(await mirror(server.data, copy)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is no copy, or a server has run on it since: nothing was changed/),
    })
    await standby.stop()
    expect(await mirror(server.data, copy)).toMatchObject({ code: 1 })
    await server.stop()
  })

  test('refuses folders that hold other things, and copies of others', async () => {
    const [one, other] = [await startServer(), await startServer()]
    const copy = newCopy()
    await mirror(one.data, copy)
    const refusal = (says: RegExp) => ({ code: 1, stderr: expect.stringMatching(says) as unknown as string })
    expect(await mirror(other.data, copy)).toMatchObject(refusal(/is a copy of .*, not of /))
    expect(await mirror(one.data, other.data)).toMatchObject(refusal(/is no copy/))
    await Promise.all([one.stop(), other.stop()])
  })
})

/** Backups as they go over ssh: out of standard output, into standard input. */
const ship = async (data: string, copy: string, ...flags: string[]) => {
  const archive = join(temporaryFolder(), 'archive.tgz')
  expect(await run(['backup', archive, '--data', data, ...flags])).toMatchObject({ code: 0 })
  return { ...(await run(['restore', archive, '--merge', '--data', copy])), archive }
}
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

describe('restore --merge', () => {
  test('brings a copy up to date with backups of what was written since', async () => {
    const server = await startServer()
    const client = createClient(server.url)
    const copy = newCopy()
    const kept = await client.paste({ text: 'kept' })
    const changed = await client.paste({ text: 'before' })
    const erased = await client.paste({ text: 'erased' })
    expect(await ship(server.data, copy)).toMatchObject({ code: 0 })
    for (const text of ['between', 'after']) await client.change(pathOf(changed.pasteUrl), { text })
    await fetch(erased.deletionUrl ?? '', { method: 'DELETE' })
    const added = await client.paste({ text: 'added', alias: 'added' })
    expect(await ship(server.data, copy, '--since', '5m')).toMatchObject({ code: 0 })
    expect(filesOf(copy)).toEqual(filesOf(server.data))
    expect(await run(['verify', '--data', copy])).toMatchObject({ code: 0 })
    const key = { key: client.key }
    await fetch(`${server.url}/pastes/${pathOf(changed.pasteUrl).split('/').at(-1)}/versions`, {
      ...{ method: 'DELETE', headers: key },
    })
    expect(await ship(server.data, copy, '--since', '5m')).toMatchObject({ code: 0 })
    expect(filesOf(copy)).toEqual(filesOf(server.data))
    const standby = await startServer(copy)
    const read = async (address = '') => (await fetch(standby.url + pathOf(address))).text()
    expect(await read(kept.rawUrl)).toBe('kept')
    expect(await read(changed.rawUrl)).toBe('after')
    expect(await read(added.rawUrl)).toBe('added')
    expect((await fetch(standby.url + pathOf(erased.rawUrl))).status).toBe(410)
    await Promise.all([server.stop(), standby.stop()])
  })

  test('leaves out what is older than the part, but for a minute', async () => {
    const server = await startServer()
    const client = createClient(server.url)
    const [old, recent] = [await client.paste({ text: 'old' }), await client.paste({ text: 'recent' })]
    const time = (Date.now() - 3_600_000) / 1000
    utimesSync(documentOf(server.data, old.pasteUrl), time, time)
    const archive = join(temporaryFolder(), 'part.tgz')
    await run(['backup', archive, '--data', server.data, '--since', '30m'])
    const listed = Bun.spawnSync(['tar', '-tzf', archive]).stdout.toString()
    expect(listed).not.toContain(pathOf(old.pasteUrl).split('/').at(-1) ?? '')
    expect(listed).toContain(pathOf(recent.pasteUrl).split('/').at(-1) ?? '')
    await server.stop()
  })

  test('refuses a part that begins after the copy ends, and says which one it needs', async () => {
    const server = await startServer()
    const whole = newCopy()
    expect(await ship(server.data, whole)).toMatchObject({ code: 0 })
    const marker = join(whole, 'standby')
    const ended = minutesAgo(90)
    writeFileSync(marker, `backups\n${ended}\n`)
    expect(await ship(server.data, whole, '--since', '1h')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /the copy ends at .*, and this backup begins only at .*; send one with --since/,
      ),
    })
    expect(await ship(server.data, whole, '--since', ended)).toMatchObject({ code: 0 })
    await server.stop()
  })

  test('changes nothing when the archive is cut off, and restore alone takes no part', async () => {
    const server = await startServer()
    await createClient(server.url).paste()
    const copy = newCopy()
    const { archive } = await ship(server.data, copy)
    const before = filesOf(copy)
    const cut = join(temporaryFolder(), 'cut.tgz')
    writeFileSync(cut, readFileSync(archive).subarray(0, 300))
    expect(await run(['restore', cut, '--merge', '--data', copy])).toMatchObject({ code: 1 })
    expect(filesOf(copy)).toEqual(before)
    const part = (await ship(server.data, copy, '--since', '5m')).archive
    expect(await run(['restore', part, '--data', newCopy()])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('this is a part of a backup (--since); restore it with --merge'),
    })
    await server.stop()
  })
})

describe('backup --keep', () => {
  test('keeps the archive it made, whatever dates a wrong clock gave to others', async () => {
    const server = await startServer()
    const folder = join(temporaryFolder(), 'backups')
    mkdirSync(folder)
    const later = ['01', '02', '03'].map((day) => `shortcrust-2099-01-${day}T00-00-00Z.tgz`)
    for (const name of later) writeFileSync(join(folder, name), '')
    expect(await run(['backup', folder, '--keep', '1', '--data', server.data])).toMatchObject({ code: 0 })
    const left = readdirSync(folder).sort()
    expect(left.slice(1)).toEqual(later)
    expect(left[0]).toMatch(/^shortcrust-20[2-9]\d-/)
  })

  test('names archives by time, and keeps the newest', async () => {
    const server = await startServer()
    const folder = join(temporaryFolder(), 'backups')
    const keep = (most: string) => run(['backup', folder, '--keep', most, '--data', server.data])
    expect(await keep('2')).toMatchObject({ code: 0 })
    const [made = ''] = readdirSync(folder)
    expect(made).toMatch(/^shortcrust-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tgz$/)
    for (const day of ['01', '02', '03'])
      writeFileSync(join(folder, `shortcrust-2026-01-${day}T00-00-00Z.tgz`), '')
    writeFileSync(join(folder, 'my-notes.txt'), '')
    // Two archives of one second have one name.
    const older = 'shortcrust-2026-02-01T00-00-00Z.tgz'
    renameSync(join(folder, made), join(folder, older))
    expect(await keep('2')).toMatchObject({ code: 0 })
    const left = readdirSync(folder).sort()
    expect(left).toHaveLength(3)
    expect(left).toEqual(expect.arrayContaining(['my-notes.txt', older]))
    expect(await run(['restore', join(folder, left.at(-1) ?? ''), '--data', newCopy()])).toMatchObject({
      code: 0,
    })
    expect(await keep('none')).toMatchObject({ code: 2, stderr: expect.stringContaining('--keep: expected') })
    await server.stop()
  })
})

/** Rename and removal, by which a pass changes a copy. */
const steps = 'rename,unlink,unlinkat'

/** strace counts the calls of each thread, and all should count. */
const oneThread = { UV_THREADPOOL_SIZE: '1', GOMAXPROCS: '1' }

test.skipIf(!hasStrace)('a copy is whole for verify, whenever its pass is killed', async () => {
  const server = await startServer()
  const client = createClient(server.url)
  const kept = await client.paste({ text: 'one', alias: 'wiki' })
  const gone = await client.paste({ text: 'gone' })
  for (const { pasteUrl } of [kept, gone])
    for (const text of ['two', 'three']) await client.change(pathOf(pasteUrl), { text })
  const pass = async (copy: string, at: number) => {
    const inject = ['strace', '-f', '-o', '/dev/null', '-e', `inject=${steps}:signal=KILL:when=${at}`]
    const { code } = await run(['mirror', server.data, copy], oneThread, inject)
    expect(await run(['verify', '--data', copy])).toMatchObject({ code: 0 })
    return code
  }
  const passes = async () => {
    const copy = newCopy()
    // Each goes on where the one before was killed, and gets further by itself.
    for (let at = 2; (await pass(copy, at)) !== 0; at++) expect(at).toBeLessThan(50)
    return copy
  }
  const copy = await passes()
  await fetch(gone.deletionUrl ?? '', { method: 'DELETE' })
  await client.change(pathOf(kept.pasteUrl), { text: 'four' })
  for (let at = 1; (await pass(copy, at)) !== 0; at++) expect(at).toBeLessThan(50)
  expect(filesOf(copy)).toEqual(filesOf(server.data))
  await server.stop()
})
