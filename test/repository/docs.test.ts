import { describe, expect, test } from 'bun:test'
import { languageChoices } from '../../src/highlight/languages/languages.ts'
import { createClient } from '../support/client.ts'
import { browser, expectPage } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { run, testKey } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { exchange } from '../support/raw-http.ts'
import { withServer } from '../support/server.ts'

const { server } = withServer()

type Described = {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, { operationId: string }>>
}
const description = async () => (await fetch(`${server.url}/openapi.json`)).json() as Promise<Described>
const elementsAt = async (path: string) =>
  parsePage(await expectPage(await fetch(server.url + path, { headers: browser })))

describe('/openapi.json', () => {
  test('describes this very address', async () => {
    const { openapi, servers } = await description()
    expect(openapi).toStartWith('3.1.')
    expect(servers).toEqual([{ url: server.url }])
    const asked = await exchange(server.url, ['GET /openapi.json HTTP/1.1', 'Host: nas:8080'])
    expect(((await asked.json()) as Described).servers).toEqual([{ url: 'http://nas:8080' }])
  })
})

describe('/docs', () => {
  test('shows each operation of the description but OPTIONS, with a way to it', async () => {
    const { paths } = await description()
    const operations = Object.values(paths).flatMap(({ options: _, ...item }) => Object.values(item))
    const elements = await elementsAt('/docs')
    const articles = elements.filter(({ name }) => name === 'article').map(({ attributes }) => attributes.id)
    const cards = articles.filter((id) => id !== 'languages')
    const links = elements.map(({ attributes }) => attributes.href)
    expect(cards).toHaveLength(operations.length)
    for (const { operationId } of operations) {
      expect(cards).toContain(operationId)
      expect(links).toContain(`#${operationId}`)
    }
  })

  test('lists each language with its id, its name and what else finds it', async () => {
    const elements = await elementsAt('/docs')
    const list = elements.find(({ attributes }) => attributes.id === 'languages')?.text ?? ''
    expect(languageChoices.length).toBeGreaterThan(200)
    for (const { id, name } of languageChoices) expect(list).toContain(`${name}${id} `)
    expect(list).toContain('JavaScriptjavascript js, ')
  })

  test('is linked from the start page, and links the description', async () => {
    expect((await elementsAt('/')).some(({ attributes }) => attributes.href === './docs')).toBe(true)
    expect((await elementsAt('/docs')).some(({ attributes }) => attributes.href === './openapi.json')).toBe(
      true,
    )
  })

  test('has no script and no style but those of every page, under the same policy', async () => {
    const response = await fetch(`${server.url}/docs`, { headers: browser })
    const home = await fetch(`${server.url}/`, { headers: browser })
    const policy = 'Content-Security-Policy'
    expect(response.headers.get(policy)).toBe(home.headers.get(policy))
    const elements = parsePage(await response.text())
    expect(elements.filter(({ name, text }) => name === 'style' || (name === 'script' && text))).toEqual([])
  })

  test.skipIf(!requireProgram('curl', 'curl'))('shows commands that work as they stand', async () => {
    const client = createClient(server.url)
    const elements = await elementsAt('/docs')
    const commands = elements.flatMap(({ attributes }) => attributes['data-copy'] ?? [])
    const style = (await elementsAt('/')).find(({ attributes }) => attributes.rel === 'stylesheet')
    expect(commands.length).toBeGreaterThan(20)
    const admin = (await run(['keys', 'add', 'boss', '--admin', '--data', server.data])).stdout.trim()
    for (const command of commands) {
      const isConsumed = /\/[ps]\/.*-X POST/s.test(command)
      const paste = await client.paste(isConsumed ? { maxReads: 1 } : {})
      const link = await client.link('https://example.org/', isConsumed ? { maxVisits: 1 } : {})
      const id = paste.pasteUrl?.slice(-10)
      const keyOf = ({ deletionUrl = '' }) => deletionUrl.split('=')[1] ?? ''
      const script = command
        .replace('YOUR_API_KEY', command.includes('/stats') ? admin : testKey)
        .replace(/(\/paste\/delete\?key=)\w+/, `$1${keyOf(paste)}`)
        .replace(/(\/shortener\/delete\?key=)\w+/, `$1${keyOf(link)}`)
        .replace(/(\/(?:(?:p|p\/raw|raw|documents|share|pastes)\/)?)\w{10}(?=[\s/]|$)/, `$1${id}`)
        .replace(/(\/diff\/)\w{10}(\/|\?with=)\w{10}/, `$1${id}$2${id}`)
        .replace('/versions/1/2', '/versions/1/1')
        .replace(/\/(s|links|short-urls)\/\w{7}/, `/$1/${link.shortendUrl?.slice(-7)}`)
        .replace(/assets\/[\w.-]+/, style?.attributes.href?.slice(2) ?? '')
      const { stdout } = Bun.spawnSync(['sh', '-c', `${script} -s -o /dev/null -w '%{http_code}'`])
      expect(String(stdout), script).toMatch(/^(200|201|204|302|303)$/)
    }
  })
})
