// `npm run test:clients`: programs of others, as their registries have them, create here what is fetched back.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../../scripts/container/image.ts'
import { cleanEnv, endOf, type RunningServer, run, start, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { quiet } from '../support/server.ts'

const minutes = 60_000
setDefaultTimeout(minutes)

type Place = { folder: string; url: string; key: string }
/** Words of a command that runs in the folder. */
type Command = readonly string[]

type Program = {
  name: string
  /** Programs of the distribution that it needs, with their packages. */
  needs: Readonly<Record<string, string>>
  /** Puts it into an empty folder. */
  install: (folder: string) => Promise<unknown>
  /** What is created, and by which commands; they print its address, or a text that contains it. */
  creates: 'paste' | 'link'
  create: Readonly<Record<string, (place: Place, content: string) => Command>>
  /** Its standard input is the content. */
  isPiped?: true
  /** What it says where a key is refused, and its exit code. */
  refused: { code: number; says: RegExp }
  /** Other commands, in this order, and what they print; `made` is the address of what was created last. */
  others?: Readonly<Record<string, { command: (place: Place, made: string) => Command; says: RegExp }>>
}

const texts: Readonly<Record<string, string>> = {
  ASCII: 'hello\n',
  'UTF-8': 'é 😀\n',
  'line ends of Windows': 'one\r\ntwo\r\n',
  'a mebibyte': 'a'.repeat(1024 ** 2),
}
const targets: Readonly<Record<string, string>> = {
  'an address': 'https://example.org/a/long/address?with=query&more=%C3%A9#fragment',
  'a long one': `https://example.org/${'a'.repeat(2000)}`,
}

/** A package of npm, and a script that calls it. */
const npm = (name: string, script: string) => ({
  needs: { node: 'nodejs', npm: 'npm' },
  install: async (folder: string) => {
    await outputOf('npm', 'install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, name)
    writeFileSync(join(folder, 'script.mjs'), script)
  },
})
const script =
  (action: string) =>
  ({ url, key }: Place, what: string): Command => ['node', 'script.mjs', url, key, action, what]

const shlinkScript = `
import { ShlinkApiClient } from '@shlinkio/shlink-js-sdk'
import { NodeHttpClient } from '@shlinkio/shlink-js-sdk/node'
import { FetchHttpClient } from '@shlinkio/shlink-js-sdk/fetch'
const [baseUrl, apiKey, action, what] = process.argv.slice(2)
const http = action === 'node' ? new NodeHttpClient() : new FetchHttpClient()
const client = new ShlinkApiClient(http, { baseUrl, apiKey })
const shortCode = what.split('/').at(-1)
const create = async () => (await client.createShortUrl({ longUrl: what, title: 'A title' })).shortUrl
const actions = {
  node: create,
  fetch: create,
  list: async () => {
    const { data } = await client.listShortUrls({ searchTerm: 'title', orderBy: { field: 'dateCreated', dir: 'DESC' } })
    return data[0].shortUrl === what && data[0].title
  },
  edit: async () => (await client.updateShortUrl({ shortCode }, { title: 'Changed', validUntil: null })).title,
  get: async () => (await client.getShortUrl({ shortCode })).title,
  delete: async () => String(await client.deleteShortUrl({ shortCode })),
  gone: () => client.getShortUrl({ shortCode }).catch(({ type }) => type),
  health: async () => (await client.health()).status,
  tags: async () => (await client.listTags()).data.length + ' tags',
}
try {
  console.log(await actions[action]())
} catch (error) {
  console.error(error.type, error.detail)
  process.exitCode = 1
}
`

const kuttScript = `
import { Kutt } from 'kutt'
const [url, key, , target] = process.argv.slice(2)
const kutt = new Kutt().set('api', url + '/api/v2').set('key', key)
try {
  console.log((await kutt.links().create({ target, expire_in: '2 days' })).link)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
`

const programs: readonly Program[] = [
  {
    name: '@shlinkio/shlink-js-sdk',
    ...npm('@shlinkio/shlink-js-sdk', shlinkScript),
    creates: 'link',
    create: { 'with node:http': script('node'), 'with fetch': script('fetch') },
    refused: {
      code: 1,
      says: /^https:\/\/shlink\.io\/api\/error\/invalid-api-key This API key is not valid\.\n$/,
    },
    others: {
      lists: { command: script('list'), says: /^A title\n$/ },
      edits: { command: script('edit'), says: /^Changed\n$/ },
      shows: { command: script('get'), says: /^Changed\n$/ },
      deletes: { command: script('delete'), says: /^undefined\n$/ },
      'is told what is gone': { command: script('gone'), says: /\/short-url-not-found\n$/ },
      'learns the health': { command: script('health'), says: /^pass\n$/ },
      'lists tags': { command: script('tags'), says: /^0 tags\n$/ },
    },
  },
  {
    name: 'kutt',
    ...npm('kutt', kuttScript),
    creates: 'link',
    create: { 'with node:http': script('create') },
    refused: { code: 1, says: /^This API key is not valid\.\n$/ },
  },
]

const addressIn = (said: string) => {
  const found = /http:\/\/[\w.:]+\/(?:[ps]\/(?:raw\/)?)?[\w-]+/.exec(said)?.[0]
  if (!found) throw new Error(`no address in: ${said}`)
  return found
}

const fetched = async (kind: Program['creates'], address: string) => {
  if (kind === 'link') return (await fetch(address, { redirect: 'manual' })).headers.get('Location') ?? ''
  const { origin, pathname } = new URL(address)
  return (await fetch(`${origin}/p/raw/${pathname.split('/').at(-1)}`)).text()
}

describe.each(programs)('$name', (program) => {
  const { needs, install, creates, create, isPiped, refused, others = {} } = program
  const isPossible = !Object.entries(needs)
    .map(([one, debianPackage]) => requireProgram(one, debianPackage))
    .includes(false)
  let server: RunningServer
  let place: Place
  let made = ''
  beforeAll(async () => {
    if (!isPossible) return
    server = await start({ args: quiet, env: {} })
    const { stdout } = await run(['keys', 'add', 'clients', '--data', server.data])
    place = { folder: temporaryFolder(), url: server.url, key: stdout.trim() }
    await install(place.folder)
  }, 10 * minutes)
  afterAll(() => server?.stop())

  const says = async (command: Command, content = '') => {
    const child = Bun.spawn([...command], {
      cwd: place.folder,
      env: cleanEnv({ HOME: place.folder }),
      stdin: Buffer.from(isPiped ? content : ''),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    return endOf(child)
  }
  const contents = Object.entries(creates === 'paste' ? texts : targets)
  const ways = Object.entries(create).flatMap(([way, command]) =>
    contents.map(([what, content]) => ({ way, what, command, content })),
  )

  test.skipIf(!isPossible).each(ways)('creates $what $way', async ({ command, content }) => {
    const { code, stdout, stderr } = await says(command(place, content), content)
    expect([code, stderr]).toEqual([0, ''])
    made = addressIn(stdout)
    expect(await fetched(creates, made)).toBe(content)
  })

  test.skipIf(!isPossible).each(Object.entries(others))('%s', async (_, { command, says: expected }) => {
    const { code, stdout, stderr } = await says(command(place, made))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(expected)
  })

  test.skipIf(!isPossible).each(Object.entries(create))(
    'is refused %s with a wrong key',
    async (_, command) => {
      const [[, content] = ['', '']] = contents
      const { code, stdout, stderr } = await says(command({ ...place, key: 'sc_wrong' }, content), content)
      expect(code).toBe(refused.code)
      expect(stdout + stderr).toMatch(refused.says)
    },
  )
})
