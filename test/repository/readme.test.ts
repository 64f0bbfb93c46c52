import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { settings } from '../../src/settings/config.ts'
import { cleanEnv, follow, repository, target, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { blocksOf, createReplay, stepsOf } from '../support/shown-commands.ts'

const documentedServer = 'http://127.0.0.1:8080'
const read = (path: string) => Bun.file(join(repository, path)).text()
const readme = await read('README.md')

describe('the commands of README.md, in their order', () => {
  const [starting = '', preparing = '', container = '', ...moreShell] = blocksOf(readme, 'sh')
  const [building = '', exporting = ''] = preparing.split(/(?<=^npm run build\n)/)
  const [tour = '', ...moreTours] = blocksOf(readme, 'console')
  const steps = stepsOf(tour)
  // The folder of a reader: the program is in dist/, the data folder beside it.
  const folder = temporaryFolder()
  const server = { url: '', key: '', end: async () => {} }

  beforeAll(async () => {
    mkdirSync(join(folder, 'dist'))
    const program = join(folder, 'dist/shortcrust')
    writeFileSync(program, `#!/bin/sh\nexec ${target.map((word) => `'${word}'`).join(' ')} "$@"\n`)
    chmodSync(program, 0o755)
    // Every setting but where it listens and what it writes is the default.
    const own = ['--host', '127.0.0.1', '--port', '0', '--data', join(folder, 'data')]
    const child = Bun.spawn([...starting.trim().split(' '), '--silent', '--', ...own], {
      cwd: repository,
      env: cleanEnv({ HOME: folder, npm_config_update_notifier: 'false' }),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
      // npm, its shell and the server end together.
      detached: true,
    })
    server.end = async () => {
      process.kill(-child.pid, 'SIGTERM')
      await child.exited
    }
    const stdout = follow(child.stdout)
    server.url = (await stdout.waitFor(/listening on (http:\/\/\S+)/))[1] ?? ''
    server.key = (await stdout.waitFor(/shown only this once: (\S+)\n[\s\S]*or try:/))[1] ?? ''
  })
  afterAll(() => server.end())

  test('begin with `npm start`, which ran, and with `npm run build`, which made what is tested', () => {
    expect([starting, building]).toEqual(['npm start\n', 'npm run build\n'])
    expect(manifest.scripts.build).toEndWith('bun scripts/build.ts')
    expect(server.key).toStartWith('sc_')
  })

  test('have two lines for a container, which fit the Dockerfile', async () => {
    const dockerfile = await read('Dockerfile')
    const [, port, , inside] = / -p (\d+):(\d+) -v shortcrust:(\S+) shortcrust$/m.exec(container) ?? []
    expect(container.trimEnd()).toStartWith('docker build -t shortcrust .\ndocker run -d --name shortcrust ')
    expect(port).toBe(settings.port.default)
    for (const line of [`EXPOSE ${port}`, `VOLUME ${inside}`, `SHORTCRUST_DATA=${inside}`])
      expect(dockerfile).toContain(line)
    expect([moreShell, moreTours]).toEqual([[], []])
  })

  test('are a tour of ten, which gives what it shows on default settings', () => {
    expect(steps).toHaveLength(10)
    const { realId, play } = createReplay(documentedServer, server.url, (script) => {
      const words = ['sh', '-ec', `${exporting.replace('sc_…', server.key)}\n${script}`]
      const env = cleanEnv({ XDG_CONFIG_HOME: folder })
      const { stdout, stderr, exitCode } = Bun.spawnSync(words, { cwd: folder, env })
      if (exitCode !== 0) throw new Error(`${script}: ${stderr}`)
      return { stdout: stdout.toString(), exitCode }
    })
    for (const step of steps) {
      const { given, shown, isSame } = play(step)
      if (shown !== '') expect({ given, isSame }, step.command).toEqual({ given: shown, isSame: true })
    }
    expect(realId.size).toBe(2)
  })
})

describe('the tour with curl of docs/api.md', async () => {
  const { server } = withServer()
  const steps = blocksOf(await read('docs/api.md'), 'console').flatMap(stepsOf)

  test('gives what it shows, but for the ids', () => {
    expect(steps.length).toBeGreaterThan(8)
    const { realId, play } = createReplay(documentedServer, server.url, (script) => {
      const words = ['sh', '-c', `SERVER=${server.url}; KEY=${testKey}; ${script}`]
      const { stdout, exitCode } = Bun.spawnSync(words, { stderr: 'inherit' })
      return { stdout: stdout.toString(), exitCode }
    })
    for (const step of steps) {
      const { given, shown, isSame } = play(step)
      expect({ given, isSame }, step.command).toEqual({ given: shown, isSame: true })
    }
    expect(realId.size).toBe(4)
  })
})
