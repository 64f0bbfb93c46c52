import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { run, start, target, temporaryFolder } from '../support/process.ts'
import { fill, mountOver, requireMount } from '../support/small-disk.ts'
import { openTerminal } from '../support/terminal.ts'
import { failure } from '../support/user.ts'

let data: string
let whole: string
let part: string
let file: string
beforeAll(async () => {
  const server = await start({ args: ['--log', 'off'] })
  await createClient(server.url).paste({ text: crypto.randomUUID().repeat(200) })
  await server.stop()
  data = server.data
  const folder = temporaryFolder()
  whole = join(folder, 'whole.tgz')
  part = join(folder, 'part.tgz')
  file = join(folder, 'file')
  writeFileSync(file, '')
  expect((await run(['backup', whole, '--data', data])).code).toBe(0)
  expect((await run(['backup', part, '--since', '5m', '--data', data])).code).toBe(0)
})

const missing = () => join(temporaryFolder(), 'missing')
const linkTo = (folder: string) => {
  const link = join(temporaryFolder(), 'link')
  symlinkSync(folder, link)
  return link
}

describe('a folder that is a disk of its own', () => {
  test('is copied, saved and verified without its lost+found', async () => {
    const [folder, copy, archives] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    for (const disk of [folder, copy]) mkdirSync(join(disk, 'lost+found'))
    expect(await run(['restore', whole, '--merge', '--data', folder])).toMatchObject({ code: 0 })
    expect(await run(['mirror', folder, copy])).toMatchObject({ code: 0 })
    for (const disk of [folder, copy]) {
      expect(await run(['verify', '--data', disk])).toMatchObject({ code: 0 })
      const backup = ['backup', join(archives, `${disk.length}${disk.slice(-6)}.tgz`), '--data', disk]
      expect(await run(backup)).toMatchObject({ code: 0 })
      expect(readdirSync(disk)).toContain('lost+found')
    }
  })
})

describe('shortcrust mirror', () => {
  test('says which of its two folders is wrong, and advises no flag that it does not take', async () => {
    const wrong = async (source: string, copy: string, says: RegExp) =>
      expect(await run(['mirror', source, copy])).toEqual(failure(1, says))
    await wrong(
      missing(),
      missing(),
      /there is no data folder at \/.*; give the data folder of a server as SOURCE/,
    )
    await wrong(
      file,
      missing(),
      /there is no data folder at \/.*; give the data folder of a server as SOURCE/,
    )
    await wrong(data, file, /file cannot be the copy: .* is a file, not a folder; choose another DEST/)
    await wrong(
      data,
      join(file, 'x'),
      /cannot write the copy .*\/x: part of its path is a file, not a folder/,
    )
    await wrong(data, '/proc/x', /cannot write the copy \/proc\/x .*; choose another DEST, or/)
  })

  test('refuses a copy in its source, and a source in its copy, also by way of a link', async () => {
    const inside = join(data, 'inside')
    const refused = async (source: string, copy: string) =>
      expect(await run(['mirror', source, copy])).toEqual(
        failure(1, /lie in each other; choose a folder apart/),
      )
    mkdirSync(inside)
    await refused(data, linkTo(inside))
    await refused(linkTo(data), inside)
    await refused(data, join(linkTo(data), 'new'))
    await refused(data, linkTo(join(data, '..')))
    expect(readdirSync(inside)).toEqual([])
    rmdirSync(inside)
  })

  test('takes a copy beside its source whose name only begins alike, and one behind a link', async () => {
    expect(await run(['mirror', data, `${data}-copy`])).toMatchObject({ code: 0 })
    expect(await run(['mirror', data, linkTo(temporaryFolder())])).toMatchObject({ code: 0 })
  })

  test('makes no folder above the copy: the disk that should be there may not be mounted', async () => {
    const disk = missing()
    const copy = join(disk, 'shortcrust')
    expect(await run(['mirror', data, copy])).toEqual(
      failure(1, /there is no folder .* for the copy: mount its disk, or make/),
    )
    expect(existsSync(disk)).toBe(false)
  })

  test('with --update makes no copy either', async () => {
    const copy = missing()
    const update = () => run(['mirror', '--update', data, copy])
    expect(await update()).toEqual(failure(1, /there is no copy at .*: is its disk mounted\? The first pass/))
    expect(existsSync(copy)).toBe(false)
    mkdirSync(copy)
    expect(await update()).toEqual(failure(1, /there is no copy at /))
    expect(readdirSync(copy)).toEqual([])
    expect(await run(['mirror', data, copy])).toMatchObject({ code: 0 })
    expect(await update()).toMatchObject({ code: 0 })
  })
})

describe('shortcrust backup', () => {
  test('keeps no archives in standard output', async () => {
    const cwd = temporaryFolder()
    const result = await run(['backup', '-', '--keep', '3', '--data', data], {}, [], { cwd })
    expect(result).toEqual(failure(2, /--keep needs a folder instead of -, as in: /))
    expect(readdirSync(cwd)).toEqual([])
  })

  test('refuses a place in the data folder, also by way of a link, and writes nothing there', async () => {
    const before = readdirSync(data)
    const refused = async (...args: string[]) =>
      expect(await run(['backup', ...args, '--data', data])).toEqual(failure(1, /is in the data folder /))
    await refused(join(data, 'x.tgz'))
    await refused(join(linkTo(data), 'x.tgz'))
    await refused('--keep', '2', data)
    await refused('--keep', '2', join(data, 'backups'))
    expect(readdirSync(data)).toEqual(before)
  })

  test('says what is wrong with a folder for archives that is a file', async () => {
    expect(await run(['backup', '--keep', '2', file, '--data', data])).toEqual(
      failure(1, /cannot keep backups in .*file: a file has this name \(EEXIST\); write to another place/),
    )
  })

  test('writes no archive to a terminal, and says what to do', async () => {
    const terminal = openTerminal([...target, 'backup', '-', '--data', data])
    await terminal.screen.waitFor(/a backup is not for a terminal: name a file, or send it on/)
    expect(await terminal.exited).toBe(2)
  })
})

describe('shortcrust restore', () => {
  test('reads an archive from a named pipe, and says that a device is no backup', async () => {
    const pipe = join(temporaryFolder(), 'pipe')
    Bun.spawnSync(['mkfifo', pipe])
    const feeding = Bun.spawn(['sh', '-c', 'cat "$1" > "$2"', 'sh', whole, pipe])
    expect(await run(['restore', pipe, '--data', missing()])).toMatchObject({ code: 0 })
    await feeding.exited
    expect(await run(['restore', '/dev/null', '--merge', '--data', missing()])).toEqual(
      failure(1, /this file is not a backup, or only a part of one \(.*\); nothing was restored/),
    )
  })

  test('says what is wrong with its archive or its folder', async () => {
    const wrong = async (archive: string, into: string, says: RegExp) =>
      expect(await run(['restore', archive, '--data', into])).toEqual(failure(1, says))
    await wrong(temporaryFolder(), missing(), /is a folder; name a backup/)
    await wrong(
      whole,
      file,
      /cannot restore into .*: part of its path is a file, not a folder .*; write to another/,
    )
    await wrong(whole, '/proc/x', /cannot restore into \/proc\/x: there is no such file or folder/)
  })

  test('leaves no copy behind when the first part does not fit', async () => {
    const merge = (archive: string, into: string) => run(['restore', archive, '--merge', '--data', into])
    const copy = missing()
    expect(await merge(part, copy)).toEqual(failure(1, /begin the copy with a whole one/))
    expect(existsSync(copy)).toBe(false)
    mkdirSync(copy)
    expect(await merge(part, copy)).toMatchObject({ code: 1 })
    expect(readdirSync(copy)).toEqual([])
    expect(await merge(whole, copy)).toMatchObject({ code: 0 })
    expect(await merge('/dev/null', copy)).toMatchObject({ code: 1 })
    expect(await merge(part, copy)).toMatchObject({ code: 0 })
  })
})

describe.skipIf(!requireMount())('a full disk', () => {
  test('is named with its folder and what to do, and nothing is left on it', async () => {
    const disk = temporaryFolder()
    const unmount = mountOver(disk, 'size=64k')
    try {
      const empty = fill(disk)
      const at = (name: string) => join(disk, name)
      const advice = /the disk is full.*; free some space and try again/.source
      const full = async (args: string[], what: string) =>
        expect(await run(args)).toEqual(failure(1, new RegExp(`cannot ${what}[^;]*: ${advice}`)))
      await full(['mirror', data, at('copy')], `write the copy ${at('copy')}`)
      await full(['restore', whole, '--data', at('new')], `restore into ${at('new')}`)
      await full(['restore', whole, '--merge', '--data', at('new')], `write the copy ${at('new')}`)
      await full(['backup', at('x.tgz'), '--data', data], `write ${at('x.tgz')}`)
      expect(readdirSync(disk)).toEqual(['filler'])
      empty()
      expect(await run(['mirror', data, at('copy')])).toMatchObject({ code: 0 })
    } finally {
      unmount()
    }
  })

  test('that fills up in the middle of a mirror is named too, and the next pass goes on', async () => {
    const disk = temporaryFolder()
    const unmount = mountOver(disk, 'size=64k')
    try {
      const copy = join(disk, 'copy')
      // Two blocks are left. A paste takes them, and what says that this is a copy takes one more.
      writeFileSync(join(disk, 'ballast'), 'x'.repeat(56 * 1024))
      expect(await run(['mirror', data, copy])).toEqual(
        failure(1, /cannot write the copy .*: the disk is full \(ENOSPC\); free some space and try again/),
      )
      Bun.spawnSync(['rm', join(disk, 'ballast')])
      expect(await run(['mirror', data, copy])).toMatchObject({ code: 0 })
    } finally {
      unmount()
    }
  })
})
