import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { run, start, target, temporaryFolder } from '../support/process.ts'
import { openTerminal } from '../support/terminal.ts'
import { failure } from '../support/user.ts'

let data: string
let file: string
beforeAll(async () => {
  const server = await start({ args: ['--log', 'off'] })
  await createClient(server.url).paste({ text: crypto.randomUUID().repeat(200) })
  await server.stop()
  data = server.data
  const folder = temporaryFolder()
  file = join(folder, 'file')
  writeFileSync(file, '')
})

const linkTo = (folder: string) => {
  const link = join(temporaryFolder(), 'link')
  symlinkSync(folder, link)
  return link
}

describe('shortcrust mirror', () => {
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
})

describe('shortcrust backup', () => {
  test('keeps no archives in standard output', async () => {
    const cwd = temporaryFolder()
    const result = await run(['backup', '-', '--keep', '3', '--data', data], {}, [], { cwd })
    expect(result).toEqual(failure(2, /--keep needs a folder in place of -, as in: /))
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
      failure(1, /cannot keep archives in .*file: a file has this name \(EEXIST\); write to another place/),
    )
  })

  test('writes no archive to a terminal, and says what to do', async () => {
    const terminal = openTerminal([...target, 'backup', '-', '--data', data])
    await terminal.screen.waitFor(/an archive is not for a terminal: name a file, or send it on/)
    expect(await terminal.exited).toBe(2)
  })
})
