import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { run, target, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { openTerminal } from '../support/terminal.ts'

/** Red, a title, CSI as one character, a change of direction: what a terminal should never get from others. */
const nasty = 'x\x1b[31my\x1b]0;t\x07\x9b2J\x7f\u202ez'
const folder = temporaryFolder()

const { server } = withServer()

const env = () => ({ SHORTCRUST_SERVER: server.url, SHORTCRUST_KEY: testKey })

/** What a command shows on a terminal, without what the program itself does: line ends, and wiping its progress. */
const shownBy = async (args: readonly string[], variables: Record<string, string> = env()) => {
  // The kernel does not say when a terminal has shown all; what comes behind it does.
  const command = ['sh', '-c', '"$@"; printf "%s" END-OF-ALL', 'sh', ...target, ...args]
  const { screen, exited } = openTerminal(command, { env: { XDG_CONFIG_HOME: folder, ...variables } })
  const { index } = await screen.waitFor(/END-OF-ALL$/)
  await exited
  return screen.text().slice(0, index).replaceAll('\r\x1b[K', '').replaceAll('\r\n', '\n')
}

const expectHarmless = (text: string, says: RegExp) => {
  expect(text).toMatch(says)
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
}

describe('no control character of others reaches a terminal', () => {
  test('by a line that import cannot use', async () => {
    const file = join(folder, 'import.jsonl')
    writeFileSync(file, JSON.stringify({ type: 'link', url: 'https://example.org/', expiresAt: nasty }))
    expectHarmless(await shownBy(['import', file]), /line 1: has expired: x \[31my/)
  })

  test('by the name of a file, in verify and backup', async () => {
    const data = join(folder, 'data')
    mkdirSync(data)
    writeFileSync(join(data, 'shortcrust.json'), '{"product":"shortcrust","format":1}')
    writeFileSync(join(data, nasty), '')
    const verified = await shownBy(['verify', '--data', data], {})
    expectHarmless(verified, /foreign {2}x \[31my.*z: does not belong here\n/)
    const archive = join(folder, 'foreign.tgz')
    expectHarmless(await shownBy(['backup', archive, '--data', data], {}), /left out {2}x \[31my/)
    expectHarmless(await shownBy(['paste', join(folder, nasty)]), /x \[31my.*z: there is no such file/)
  })

  test('by a name in an archive', async () => {
    const archive = join(folder, 'nasty.tgz')
    writeFileSync(join(folder, nasty), '')
    const { exitCode } = Bun.spawnSync(['tar', '-C', folder, '-czf', archive, nasty])
    expect(exitCode).toBe(0)
    const shown = await shownBy(['restore', archive, '--data', join(folder, 'restored')], {})
    expectHarmless(shown, /the backup holds "x \[31my/)
  })

  test('by a title, in list, list --json and export', async () => {
    const titled = (await createClient(server.url).paste({ title: nasty })).pasteUrl ?? ''
    for (const args of [['list'], ['list', '--json'], ['export']])
      expectHarmless(await shownBy(args), new RegExp(titled.slice(-10)))
    const { stdout } = await run(['list', 'pastes', '--json'], env())
    expect(JSON.parse(stdout).title).toBe(nasty)
  })

  test('by what a server answers, and by words of the command line', async () => {
    const hostile = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => Response.json({ success: false, error: nasty }, { status: 422 }),
    })
    const there = { ...env(), SHORTCRUST_SERVER: `http://127.0.0.1:${hostile.port}` }
    expectHarmless(await shownBy(['shorten', 'https://example.org/'], there), /^shortcrust: x \[31my/)
    await hostile.stop(true)
    for (const args of [[nasty], ['list', nasty], ['completions', nasty], ['login', nasty]])
      expectHarmless(await shownBy(args), /"x \[31my.*z"/)
  })
})

describe('a line that is printed to be copied into a shell', () => {
  const mark = join(folder, 'ran')
  const tools = join(folder, 'tools')
  const tool = (name: string) => {
    mkdirSync(tools, { recursive: true })
    writeFileSync(join(tools, name), '#!/bin/sh\nprintf "%s\\n" "$0" "$@"\n')
    chmodSync(join(tools, name), 0o755)
  }

  /** Runs a line in a shell in which the programs it names only print their words. */
  const typed = (line: string) => {
    const { stdout } = Bun.spawnSync(['sh', '-c', line], {
      cwd: folder,
      env: { PATH: `${tools}:${process.env.PATH}` },
    })
    return stdout.toString().trimEnd().split('\n').slice(1)
  }

  test('runs nothing of a hostile deletionUrl', async () => {
    tool('shortcrust')
    const deletionUrl = `http://nas/paste/delete?key=a';touch\${IFS}${mark};'$(touch\${IFS}${mark})`
    const hostile = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => Response.json({ success: true, pasteUrl: 'http://nas/p/a', deletionUrl }, { status: 201 }),
    })
    const file = join(folder, 'a.txt')
    writeFileSync(file, 'text')
    const there = { ...env(), SHORTCRUST_SERVER: `http://127.0.0.1:${hostile.port}` }
    const shown = await shownBy(['paste', file], there)
    await hostile.stop(true)
    const [, line = ''] = /to delete it: (shortcrust .*)\n/.exec(shown) ?? []
    expect(typed(line)).toEqual(['delete', deletionUrl])
    expect(existsSync(mark)).toBe(false)
  })

  test('names a folder with quotes and spaces as it is', async () => {
    tool('sudo')
    const data = `/proc/it's; touch ran`
    const { stderr } = await run(['--data', data, '--host', '127.0.0.1', '--port', '0'])
    const [, line = ''] = /type: (sudo .*)\n/.exec(stderr) ?? []
    expect(typed(line)).toEqual(['install', '-d', '-o', String(process.getuid?.()), data])
  })

  test('names a server with a quote in its path as it is', async () => {
    tool('shortcrust')
    const address = `http://127.0.0.1:1/it's;touch`
    const { stderr } = await run(['list', '--server', address], { XDG_CONFIG_HOME: folder })
    const [, line = ''] = /run (shortcrust login .*) once/.exec(stderr) ?? []
    expect(typed(line)).toEqual(['login', address])
  })
})
