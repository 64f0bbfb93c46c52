import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { YAML } from 'bun'
import { description, devDependencies, license, version } from '../../package.json' with { type: 'json' }
import { settings } from '../../src/settings/config.ts'
import { interpolate } from '../support/deploy.ts'
import { repository } from '../support/process.ts'

const read = (file: string) => Bun.file(join(repository, file)).text()
const dockerfile = await read('Dockerfile')
const ignored = await read('.dockerignore')
const compose = YAML.parse(interpolate(await read('compose.yaml'))) as {
  services: { shortcrust: Record<string, unknown> }
  volumes: Record<string, { name: string }>
  secrets: Record<string, { file: string }>
}
const service = compose.services.shortcrust

const variables = Object.values(settings).flatMap(({ variable }) => [variable, `${variable}_FILE`])

describe('the Dockerfile', () => {
  test('builds with the Bun of package.json, and bears the version and words of package.json', () => {
    expect(dockerfile).toContain(`ARG BUILD_BASE=docker.io/oven/bun:${devDependencies.bun}-slim\n`)
    expect(dockerfile).toContain(`ARG VERSION=${version}\n`)
    expect(dockerfile).toContain(`image.description="${description}"`)
    expect(dockerfile).toContain(`image.licenses="${license}"`)
  })

  test('names no setting that does not exist', () => {
    const named = [...dockerfile.matchAll(/SHORTCRUST_\w+/g)].map(([name]) => name)
    expect(named).toEqual(['SHORTCRUST_DATA'])
    expect(variables).toEqual(expect.arrayContaining(named))
  })

  test('exposes the default port and pins each base', () => {
    expect(dockerfile).toContain(`EXPOSE ${settings.port.default}\n`)
    const pins = [...dockerfile.matchAll(/^ARG \w+_BASE=(.*)$/gm)].map(([, base]) => base)
    expect(pins).toHaveLength(2)
    for (const base of pins) expect(base).toMatch(/^[^:@]+:(?!latest$)[\w.-]+(@sha256:[0-9a-f]{64})?$/)
  })
})

describe('.dockerignore', () => {
  const entries = ignored.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

  test('lets in nothing but named files and folders, each of which exists', () => {
    expect(entries[0]).toBe('*')
    for (const entry of entries.slice(1)) {
      expect(entry).toStartWith('!')
      expect(existsSync(join(repository, entry.slice(1))), entry).toBe(true)
    }
    for (const kept of ['!data', '!node_modules', '!.git', '!shortcrust-api-key'])
      expect(entries).not.toContain(kept)
  })

  test('lets in what the build imports', async () => {
    const imported = [...(await read('scripts/build.ts')).matchAll(/ from '\.\/(.+)'/g)].map(
      ([, file]) => file,
    )
    expect(imported).not.toBeEmpty()
    for (const file of imported) expect(entries).toContain(`!scripts/${file}`)
  })
})

describe('compose.yaml', () => {
  test('runs without rights, on a root that cannot be written', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
    })
    for (const left of ['privileged', 'cap_add', 'user', 'network_mode', 'healthcheck'])
      expect(service).not.toHaveProperty(left)
  })

  test('keeps /data in a named volume', () => {
    expect(service.volumes).toEqual(['data:/data'])
    expect(Object.keys(compose.volumes)).toEqual(['data'])
  })

  test('names container, image and volume as the commands of the documents do', async () => {
    const pages = await Promise.all(['README.md', 'docs/backup.md', 'docs/container.md'].map(read))
    const named = (pattern: RegExp) =>
      new Set(pages.flatMap((page) => [...page.matchAll(pattern)]).map(([, name]) => name))
    expect([...named(/docker (?:exec|logs|stop) ([\w-]+)/g)]).toEqual([String(service.container_name)])
    expect([...named(/(?:-v|--volume) ([\w-]+):\/data/g)]).toContain(String(compose.volumes.data?.name))
    expect([...named(/docker build (?:-t|--tag) ([\w-]+)/g)]).toEqual([String(service.image)])
  })

  test('gives every setting by a variable that exists, and the key by a file that Git ignores', async () => {
    const environment = service.environment as Record<string, string>
    expect(variables).toEqual(expect.arrayContaining(Object.keys(environment)))
    const [secret = ''] = service.secrets as string[]
    expect(environment).toEqual({ SHORTCRUST_API_KEY_FILE: `/run/secrets/${secret}` })
    const { file = '' } = compose.secrets[secret] ?? {}
    expect((await read('.gitignore')).split('\n')).toContain(file.slice(1))
  })

  test('publishes the default port and waits longer for the end than the server takes', async () => {
    expect(service.ports).toEqual([`${settings.port.default}:${settings.port.default}`])
    const [, drainMs] = /drainMs = (\d+)/.exec(await read('src/cli/server/serve.ts')) ?? []
    expect(Number.parseInt(String(service.stop_grace_period), 10) * 1000).toBeGreaterThan(Number(drainMs))
  })
})
