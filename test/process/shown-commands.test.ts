import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { netcatPort, sendText } from '../support/netcat.ts'
import { repository, run, start, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { newUser } from '../support/user.ts'

const { server } = withServer()

const pageOf = (name: string) => readFileSync(join(repository, 'docs', name), 'utf8')

/** The words after the name of the program, of each line of a page that is this command alone. */
const linesOf = (page: string, command: string) =>
  [...pageOf(page).matchAll(new RegExp(`^shortcrust (${command}\\b.*)$`, 'gm'))].map(([, words = '']) =>
    words.split(' '),
  )

/** The settings of the server, as variables: the commands beside it find it by them. */
const besideServer = () => ({
  SHORTCRUST_HOST: '127.0.0.1',
  SHORTCRUST_PORT: new URL(server.url).port,
  SHORTCRUST_DATA: server.data,
})

test('the command of docs/lists.md checks the links of a key, also from cron', async () => {
  const user = newUser()
  await user.logIn(server.url)
  await createClient(server.url).link(`${server.url}/healthz`)
  const fromCron = /`(?:[\d*]+ ){5}shortcrust ([^`]+)`/.exec(pageOf('lists.md'))?.[1]?.split(' ')
  const commands = [...linesOf('lists.md', 'check'), ...(fromCron ? [fromCron] : [])]
  expect(commands.length).toBeGreaterThan(1)
  for (const words of commands) {
    const { code, stdout, stderr } = await user.run(words)
    expect(code, stdout + stderr).toBe(0)
    expect(stdout + stderr).toMatch(/\b1 link\b/)
  }
})

describe('docs/faults.md', () => {
  test('has commands that look at a server and its folder', async () => {
    const [looking, verifying] = [linesOf('faults.md', 'doctor'), linesOf('faults.md', 'verify')]
    expect([looking.length, verifying.length]).toEqual([1, 1])
    for (const words of [...looking, ...verifying]) {
      const { code, stdout, stderr } = await run(words, besideServer())
      expect(code, stdout + stderr).toBe(0)
    }
  })

  test('names the flag that asks through a proxy', async () => {
    const [, flag = '', address = ''] = /`(--url) (https:[^`]+)`/.exec(pageOf('faults.md')) ?? []
    const words = ['doctor', flag, address.replace('https://paste.example.org', server.url)]
    const { code, stdout } = await run(words, besideServer())
    expect(stdout).toContain(`address: ${server.url} `)
    expect(code).toBe(0)
  })
})

test('the variables of docs/container.md take texts from netcat', async () => {
  const [, paragraph = ''] =
    /^To take texts from \[netcat\]([\s\S]*?)\n\n/m.exec(pageOf('container.md')) ?? []
  const [, published] = /`--publish (\d+):\1`/.exec(paragraph) ?? []
  const [, variable = '', host = '', port] = /`(SHORTCRUST_\w+)=([\d.]+):(\d+)`/.exec(paragraph) ?? []
  expect([published, port]).toEqual(['9999', '9999'])
  const others: Readonly<Record<string, string>> = {
    SHORTCRUST_GUEST_FROM: '127.0.0.0/8',
    SHORTCRUST_GUEST_KEY: 'environment',
    SHORTCRUST_PUBLIC_URL: 'http://nas:8080',
  }
  const named = [...paragraph.matchAll(/`(SHORTCRUST_\w+)`/g)].map(([, name = '']) => name)
  expect(named.sort()).toEqual(Object.keys(others))
  const env = { ...others, [variable]: `${host}:0`, SHORTCRUST_API_KEY: testKey }
  const inContainer = await start({ data: temporaryFolder(), env })
  expect(await sendText(await netcatPort(inContainer), 'a text')).toStartWith('http://nas:8080/p/')
  await inContainer.stop()
})
