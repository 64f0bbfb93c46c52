import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type RunningServer, repository, start, testKey } from './support/process.ts'

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
  let server: RunningServer
  beforeAll(async () => {
    server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
  })
  afterAll(() => server.stop())

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
