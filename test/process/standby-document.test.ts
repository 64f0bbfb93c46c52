import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { shellWord } from '../../src/shell-words.ts'
import { createClient } from '../support/client.ts'
import { endOf, repository, run, start, target, temporaryFolder } from '../support/process.ts'
import { blocksOf } from '../support/shown-commands.ts'

const page = readFileSync(join(repository, 'docs/standby.md'), 'utf8')
const [mirror = '', firstPass = '', overSsh = '', serve = '', rotate = ''] = blocksOf(page, 'sh')
const [crontab = ''] = blocksOf(page, 'cron')

/** A machine with a server that has a paste, another with its disk mounted here, and the programs of the page. */
const createScene = async () => {
  const server = await start({ args: ['--log', 'off'] })
  const client = createClient(server.url)
  const { rawUrl } = await client.paste({ text: 'kept' })
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  for (const name of ['bin', 'mnt', 'other']) mkdirSync(at(name))
  const copy = at('mnt/shortcrust')
  const script = (name: string, line: string) => {
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${line}\n`)
    chmodSync(at(`bin/${name}`), 0o755)
  }
  script('shortcrust', `exec ${target.map(shellWord).join(' ')} "$@"`)
  script('ssh', `cd ${at('other')} || exit; shift; exec sh -c "$*"`)
  script('sudo', 'if [ "$1" = -u ]; then shift 2; fi; exec "$@"')
  const inPlace = (line: string) =>
    line
      .replaceAll('/mnt/other/shortcrust', copy)
      .replaceAll('/var/lib/shortcrust', server.data)
      .replaceAll('-o shortcrust', `-o ${process.getuid?.()}`)
  /** Runs lines of the page in a folder beside `data`. */
  const sh = (lines: string) =>
    endOf(
      Bun.spawn(['sh', '-c', inPlace(lines)], {
        ...{ cwd: join(server.data, '..'), stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
        env: { PATH: `${at('bin')}:${process.env.PATH}` },
      }),
    )
  const textAt = async (data: string) => {
    const standby = await start({ data, args: ['--log', 'off'] })
    const answer = await fetch(standby.url + new URL(rawUrl ?? '').pathname)
    await standby.stop()
    return answer.text()
  }
  return { server, client, at, copy, sh, textAt }
}

describe('docs/standby.md', () => {
  let scene: Awaited<ReturnType<typeof createScene>>
  beforeAll(async () => {
    scene = await createScene()
  })
  afterAll(() => scene.server.stop())

  test('begins with a command that makes a copy, from which verify finds nothing missing', async () => {
    const { sh, copy } = scene
    expect(await sh(mirror)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(' 0 left as they were'),
    })
    const [, verify = ''] = /`(shortcrust verify [^`]*)`/.exec(page) ?? []
    expect(await sh(verify)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(': 0 damaged, 0 foreign'),
    })
    renameSync(copy, scene.at('first-copy'))
  })

  test('has lines for cron that are quiet while all is well, and print what is wrong', async () => {
    const { sh, copy, client, at } = scene
    const line = crontab.split('\n').find((one) => one.startsWith('* ')) ?? ''
    const pass = () => sh(line.split(' ').slice(5).join(' '))
    // Before the first pass, and when the disk is not mounted.
    expect((await pass()).stdout).toMatch(/^shortcrust: there is no copy at .*: is its disk mounted\?/)
    expect(existsSync(copy)).toBe(false)
    expect(await sh(firstPass)).toMatchObject({ code: 0 })
    await client.paste({ text: 'later' })
    expect(await pass()).toMatchObject({ stdout: '', stderr: '' })
    expect(await sh(`diff -r ${scene.server.data}/pastes ${copy}/pastes`)).toMatchObject({ code: 0 })
    renameSync(copy, at('unmounted'))
    expect((await pass()).stdout).toContain('is its disk mounted?')
    expect(existsSync(copy)).toBe(false)
    renameSync(at('unmounted'), copy)
    writeFileSync(join(scene.server.data, 'foreign'), '')
    expect((await pass()).stdout).toMatch(/^left as it was {2}foreign: .*\n.* 1 left as they were/)
    renameSync(join(scene.server.data, 'foreign'), at('foreign'))
  })

  test('starts a server on the copy, which has what is older than the last pass', async () => {
    const [name, flag, data] = serve.trim().replace('/mnt/other/shortcrust', scene.copy).split(' ')
    expect([name, flag]).toEqual(['shortcrust', '--data'])
    expect(await scene.textAt(data ?? '')).toBe('kept')
  })

  test('has lines for ssh that make a copy there and bring it up to date', async () => {
    const { sh, at, client, textAt } = scene
    const [whole = '', part = ''] = overSsh.trim().split('\n')
    expect(await sh(whole)).toMatchObject({ code: 0 })
    const { pasteUrl = '' } = await client.paste({ text: 'sent as a part' })
    expect(await sh(part)).toMatchObject({ code: 0 })
    const copy = at('other/shortcrust')
    const id = pasteUrl.split('/').at(-1) ?? ''
    expect(readFileSync(join(copy, 'pastes', id.slice(0, 2), `${id}.json`), 'utf8')).toContain(
      'sent as a part',
    )
    expect(await run(['verify', '--data', copy])).toMatchObject({ code: 0 })
    expect(await textAt(copy)).toBe('kept')
  })

  test('rotates archives', async () => {
    const { sh, server } = scene
    expect(await sh(rotate)).toMatchObject({ code: 0 })
    expect(readdirSync(join(server.data, '../backups'))).toEqual([
      expect.stringMatching(/^shortcrust-.*Z\.tgz$/),
    ])
  })
})
