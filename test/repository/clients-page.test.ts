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

const shlink = (address: string) =>
  `curl -s -H "X-Api-Key: $KEY" -H "Content-Type: application/json" -d '{"longUrl":"https://example.org/"}' ${address}`

/** The lines of the section that has the files. */
const files = [...(page.split('### Files for programs\n')[1] ?? '').matchAll(/```sh\n(.*?)```/gs)]
  .slice(0, 2)
  .map(([, lines = '']) => lines)
  .join('')

/**
 * What a program that is not installed here sends after its set-up, as its source says. `test/repository/clients.check.ts`
 * runs the programs. A program that is not named here is run. `$1` is the address in its row.
 */
const sends: Readonly<Record<string, string>> = {
  '`posthaste-cli` (PyPI)':
    'curl -s -H "Authorization: Bearer $POSTHASTE_TOKEN" --data-binary @build.log $POSTHASTE_URL/documents',
  '`haste-client` (PyPI)': 'curl -s --data-binary @build.log "$(cut -d= -f2- ~/.hastec)/documents"',
  '`haste` (RubyGems)':
    'curl -s -H "Authorization: Bearer $HASTE_SERVER_TOKEN" --data-binary @build.log $HASTE_SERVER/documents',
  '`rpaste` (crates.io)':
    'curl -s -H "Authorization: $KEY" -A rustypaste-cli/0.10.0 -F file=@build.log http://nas',
  '`0x0` (PyPI: `nptr-cli`)': 'curl -s -F file=@build.log http://nas/',
  '`hastebin` (npm), from [guests](guests.md) alone': 'curl -s --data-binary @build.log $1/documents',
  '`wgetpaste`': 'curl -s -H "$HEADER_nas" -F "$ENGINE_nas=<build.log" $URL_nas',
  '`gist` (RubyGems)':
    'curl -s -H "Authorization: token $(cat ~/.gist.http.nas)" -H "Content-Type: application/json" -d \'{"files":{"a.txt":{"content":"of a file\\n"}}}\' $GITHUB_URL/api/v3/gists',
  '`yourls` (PyPI), a link':
    'curl -s "http://nas/yourls-api.php?signature=$KEY&format=json&action=shorturl&url=https://example.org/"',
  '`pyourls3` (PyPI), links':
    'curl -s -d signature=$KEY -d format=json -d action=shorturl -d url=https://example.org/ $1/yourls-api.php',
  '`@shlinkio/shlink-js-sdk` (npm), links': shlink('$1/rest/v3/short-urls'),
  'the web client of Shlink, links': shlink('$1/rest/v3/short-urls'),
  'PrivateBin, its button for links': shlink('$1'),
  '`kutt` (npm), links':
    'curl -s -H "X-API-KEY: $KEY" -H "Content-Type: application/json" -d \'{"target":"https://example.org/"}\' $1/links',
  'PrivateBin, links by YOURLS':
    'curl -s -d signature=$KEY -d format=json -d action=shorturl -d url=https://example.org/ $1',
  'Prism Launcher': 'curl -s --data-urlencode content@build.log $1/1/log',
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
      const quiet = ['--rate-limit', 'off', '--log', 'off', '--protocols', 'all,yourls-get']
      server = await start({ data, args: [...quiet, ...guests] })
      port = await netcatPort(server)
    })
    afterAll(() => server.stop())

    const atServer = (text: string) => {
      const { host } = new URL(server.url)
      return text
        .replaceAll('http://nas', server.url)
        .replace('@nas', `@${host}`)
        .replace('-b nas', `-b ${host}`)
        .replace('nas 9999', `127.0.0.1 ${port}`)
    }

    const shell = (script: string) => {
      const home = temporaryFolder()
      writeFileSync(join(home, 'build.log'), 'of a file\n')
      const says = 'dmesg() { echo of a command; }; ls() { echo of a command; }; cd; SERVICES='
      const env = cleanEnv({ KEY: testKey, HOME: home })
      const done = Bun.spawnSync(['bash', '-c', `${says}; ${script}`], { cwd: home, env })
      expect(done.exitCode, script + done.stderr.toString()).toBe(0)
      return done.stdout.toString()
    }

    const expectCreated = async (printed: string, isLink: boolean, text: string) => {
      const [, key] = /"key":"(\w+)"/.exec(printed) ?? []
      const [, place, name] = /http:\S+?\/([ps])\/(?:raw\/)?([\w-]+)/.exec(printed) ?? []
      if (isLink) {
        const answer = await fetch(`${server.url}/s/${name}`, { redirect: 'manual' })
        expect([place, answer.status, answer.headers.get('Location')]).toEqual([
          's',
          302,
          'https://example.org/',
        ])
      } else {
        const stored = await (await fetch(`${server.url}/p/raw/${key ?? name}`)).text()
        // pastebinit takes white space off the end.
        expect(stored.trimEnd()).toBe(text.trimEnd())
      }
    }

    test.each(rowsOf('In a shell'))('%s is set up and used as it says', async (program, codes) => {
      const [use = '', setUp] = codes.toReversed()
      expect(use).not.toBe('')
      const sent = Object.hasOwn(sends, program) ? sends[program] : use
      const isByFile = /^`(?:pastebinit|wgetpaste)`$/.test(program)
      const printed = shell(
        [isByFile ? files : (setUp ?? ':'), sent].map((one = '') => atServer(one)).join('\n'),
      )
      await expectCreated(
        printed,
        program.includes('link'),
        /dmesg|ls/.test(use) ? 'of a command\n' : 'of a file\n',
      )
    })

    test.each(rowsOf('In a program, and from another server'))(
      '%s is set up as it says',
      async (program, codes) => {
        const [address] = /http:\/\/nas[\w/.-]*/.exec(codes.join(' ')) ?? []
        const printed = shell(atServer(`set -- ${address}; ${sends[program]}`))
        await expectCreated(printed, program.includes('link'), 'of a file\n')
      },
    )

    test.each(rowsOf('On a desktop or a phone'))('%s finds what it says', async (_, [code = '']) => {
      const answer = await fetch(atServer(code).replace(/\{\w+\}$|(?<==)$/, 'a%20word'), { headers: browser })
      if (code.endsWith('.sxcu'))
        expect(((await answer.json()) as { RequestURL: string }).RequestURL).toStartWith(server.url)
      else if (code.includes('#')) expect(await expectPage(answer)).toContain(`id="${code.split('#')[1]}"`)
      else expect(await expectPage(answer)).toMatch(/>\s*a word<\/textarea>|name="url"[^>]*value="a word"/)
    })
  },
)
