import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository, start, target, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const documentedServer = 'http://127.0.0.1:8080'
const readme = await Bun.file(join(repository, 'README.md')).text()
const [, tour = ''] = /```console\n([\s\S]*?)```/.exec(readme) ?? []

/** `$ command` and the lines it shows. */
const steps = tour
  .split(/^\$ /m)
  .slice(1)
  .map((step) => {
    const [command = '', ...output] = step.trimEnd().split('\n')
    return { command, output: output.join('\n') }
  })

const idShape = /(?<=\/(?:p|s|raw)\/|key=|"id":")[a-z0-9]{7,}/g
const withoutIds = (text: string) => text.replace(idShape, '<id>')
const idsOf = (text: string) => [...text.matchAll(idShape)].map(([id]) => id)

describe('the curl tour of the README', () => {
  const { server } = withServer()

  test('gives what it shows, but for the ids', async () => {
    expect(steps.length).toBeGreaterThan(8)
    const realId = new Map<string, string>()
    const translate = (text: string) =>
      text.replaceAll(documentedServer, server.url).replace(idShape, (id) => realId.get(id) ?? id)

    for (const { command, output } of steps) {
      const script = `SERVER=${server.url}; KEY=${testKey}; ${translate(command)}`
      const shown = output.replaceAll(documentedServer, server.url)
      const given = Bun.spawnSync(['sh', '-c', script], { stderr: 'inherit' }).stdout.toString().trimEnd()
      expect(withoutIds(given), command).toBe(withoutIds(shown))
      const givenIds = idsOf(given)
      idsOf(shown).forEach((id, at) => {
        expect(realId.get(id) ?? givenIds[at], command).toBe(givenIds[at])
        realId.set(id, givenIds[at] as string)
      })
    }
    expect(realId.size).toBe(4)
  })
})

describe('the command line of the README', () => {
  const [, block = ''] = /```sh\n(shortcrust login [\s\S]*?)```/.exec(readme) ?? []
  const lines = block.trimEnd().split('\n')

  test('works line by line on the standard settings of a server', async () => {
    const server = await start({ args: ['--log', 'off'] })
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'main.py'), 'print(1)\n')
    const program = target.map((word) => `'${word}'`).join(' ')
    expect(lines.length).toBeGreaterThan(4)
    for (const line of lines) {
      const script = `shortcrust() { ${program} "$@"; }; ${line.replace('http://nas:8080', server.url)}`
      const env = { PATH: process.env.PATH ?? '', XDG_CONFIG_HOME: folder }
      const stdin = Buffer.from(line.startsWith('shortcrust login') ? testKey : '')
      const { exitCode, stderr } = Bun.spawnSync(['sh', '-c', script], { cwd: folder, env, stdin })
      expect({ exitCode, stderr: stderr.toString() }, line).toMatchObject({ exitCode: 0 })
    }
    await server.stop()
  })
})
