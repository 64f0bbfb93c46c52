import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browser, expectPage } from '../support/expectations.ts'
import { netcatPort } from '../support/netcat.ts'
import {
  cleanEnv,
  type RunningServer,
  repository,
  run,
  start,
  temporaryFolder,
  testKey,
} from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

const page = readFileSync(join(repository, 'docs/clients.md'), 'utf8')

/** Each row of a table: its program, and the code in its other cells. */
const rowsOf = (heading: string) => {
  const [, section = ''] = page.split(`## ${heading}\n`)
  return [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (?!program|-)(.*) \|$/gm)].map(
    ([, row = '']) => {
      const [program = '', ...cells] = row.split(/(?<!\\) \| /)
      const codes = [...cells.join(' ').matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
        code.replaceAll('\\|', '|'),
      )
      return [program, codes] as const
    },
  )
}

/**
 * What a program that is not installed here sends after its set-up, as its source says. `test/repository/clients.check.ts`
 * runs the programs. A program that is not named here is run.
 */
const sends: Readonly<Record<string, string>> = {
  '`posthaste-cli` (PyPI)':
    'curl -s -H "Authorization: Bearer $POSTHASTE_TOKEN" --data-binary @build.log $POSTHASTE_URL/documents',
  '`haste-client` (PyPI)': 'curl -s --data-binary @build.log "$(cut -d= -f2- ~/.hastec)/documents"',
  '`haste` (RubyGems)':
    'curl -s -H "Authorization: Bearer $HASTE_SERVER_TOKEN" --data-binary @build.log $HASTE_SERVER/documents',
}

describe.skipIf(!requireProgram('curl', 'curl') || !requireProgram('nc', 'netcat-openbsd'))(
  'docs/clients.md',
  () => {
    let server: RunningServer
    let port = 0
    beforeAll(async () => {
      const data = temporaryFolder()
      await run(['keys', 'add', 'guests', '--create', '--data', data])
      const guests = ['--guest-key', 'guests', '--guest-from', '127.0.0.0/8,::1', '--netcat', '127.0.0.1:0']
      server = await start({ data, args: ['--rate-limit', 'off', '--log', 'off', ...guests] })
      port = await netcatPort(server)
    })
    afterAll(() => server.stop())

    const atServer = (text: string) =>
      text
        .replaceAll('http://nas', server.url)
        .replace('@nas', `@${new URL(server.url).host}`)
        .replace('nas 9999', `127.0.0.1 ${port}`)

    const shell = (script: string) => {
      const home = temporaryFolder()
      writeFileSync(join(home, 'build.log'), 'of a file\n')
      const says = 'dmesg() { echo of a command; }; ls() { echo of a command; }'
      const env = cleanEnv({ KEY: testKey, HOME: home })
      const done = Bun.spawnSync(['bash', '-c', `${says}; ${script}`], { cwd: home, env })
      expect(done.exitCode, script + done.stderr.toString()).toBe(0)
      return done.stdout.toString()
    }

    test.each(rowsOf('In a shell'))('%s is set up and used as it says', async (program, codes) => {
      const [use = '', setUp] = codes.toReversed()
      expect(use).not.toBe('')
      const sent = Object.hasOwn(sends, program) ? sends[program] : use
      const printed = shell([setUp ?? ':', sent].map((one = '') => atServer(one)).join('; '))
      const [, key] = /"key":"(\w+)"/.exec(printed) ?? []
      const address = key === undefined ? printed.trim() : `${server.url}/p/raw/${key}`
      if (program.includes('link')) {
        const answer = await fetch(address, { redirect: 'manual' })
        expect([answer.status, answer.headers.get('Location')]).toEqual([302, 'https://example.org/'])
        return
      }
      const text = await (await fetch(address.replace('/p/', '/p/raw/').replace('/raw/raw/', '/raw/'))).text()
      expect(text).toBe(/dmesg|ls/.test(use) ? 'of a command\n' : 'of a file\n')
    })

    test.each(rowsOf('On a desktop or a phone'))('%s finds what it says', async (_, [code = '']) => {
      const answer = await fetch(atServer(code).replace(/\{\w+\}$|(?<==)$/, 'a%20word'), { headers: browser })
      if (code.endsWith('.sxcu'))
        expect(((await answer.json()) as { RequestURL: string }).RequestURL).toStartWith(server.url)
      else if (code.includes('#')) expect(await expectPage(answer)).toContain(`id="${code.split('#')[1]}"`)
      else expect(await expectPage(answer)).toMatch(/>\s*a word<\/textarea>|name="url"[^>]*value="a word"/)
    })
  },
)
