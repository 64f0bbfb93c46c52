import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAssets } from '../../src/http/assets.ts'
import { createDiffTags } from '../../src/routes/diff/diff-view.ts'
import { clientCode } from '../../views/client-code.ts'
import { browser } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { repository, start, testKey } from '../support/process.ts'
import { storedPaste, withFakeHighlighter } from '../support/renderer.ts'
import { quiet, withServer } from '../support/server.ts'
import { blocksOf } from '../support/shown-commands.ts'
import { plainAssets } from '../support/site.ts'

const look = { name: 'The lab', accent: '#0b6e99', footer: { before: 'Run by Ada', after: '' } }
const none = { name: undefined, accent: undefined, footer: undefined }

const textOf = async ({ readAsset }: typeof plainAssets, path: string) => {
  const request = new Request(`http://nas/${path}`)
  const response = await readAsset({ name: path.replace('assets/', ''), request } as never)
  return response.text()
}

describe('a server without a look of its own', () => {
  test('has the name, the style sheet and the icon that the program has, byte for byte', async () => {
    const { name, footer, styles, icon } = plainAssets.siteAt('./')
    expect({ name, footer }).toEqual({ name: 'Shortcrust', footer: undefined })
    expect(styles).toHaveLength(1)
    expect(await textOf(plainAssets, styles[0] ?? '')).toBe(clientCode('../site.css'))
    expect(await textOf(plainAssets, icon)).toBe(await Bun.file(join(repository, 'views/icon.svg')).text())
  })
})

describe('a look', () => {
  test('adds to one style sheet of another name, and less than 700 bytes', async () => {
    const plain = plainAssets.siteAt('./').styles[0] ?? ''
    for (const given of Object.entries(look)) {
      const assets = createAssets({ ...none, ...Object.fromEntries([given]) })
      const { styles } = assets.siteAt('./')
      expect(styles).toHaveLength(1)
      expect(styles[0]).not.toBe(plain)
      const [own, usual] = [await textOf(assets, styles[0] ?? ''), await textOf(plainAssets, plain)]
      expect(own).toStartWith(usual)
      expect(own.length - usual.length).toBeLessThan(700)
    }
  })

  test('of another start never confirms a page of the one before', async () => {
    const tagWith = async (given: Partial<typeof look>) => {
      const { siteAt } = createAssets({ ...none, ...given })
      const response = await withFakeHighlighter({ siteAt }).page(storedPaste({ language: 'text' }))
      return response.headers.get('ETag')
    }
    const tags = await Promise.all([
      tagWith({}),
      ...Object.entries(look).map((given) => tagWith(Object.fromEntries([given]))),
    ])
    expect(tags).not.toContain(null)
    expect(new Set(tags).size).toBe(4)
    expect(await tagWith({})).toBe(tags[0] as string)
    const ofDiff = (given: Partial<typeof look>) =>
      createDiffTags('a program', createAssets({ ...none, ...given }).siteAt)('two pastes')
    expect(new Set([ofDiff({}), ofDiff({ name: look.name }), ofDiff({ accent: look.accent })]).size).toBe(3)
  })
})

describe('--name, --accent and --footer as docs/configuration.md gives them', () => {
  const document = readFileSync(join(repository, 'docs/configuration.md'), 'utf8')
  const command = blocksOf(document, 'sh').find((block) => block.includes('--footer')) ?? ''
  const words = Bun.spawnSync(['sh', '-c', `printf '%s\\0' ${command.replace(/^shortcrust /, '')}`])
  const flags = String(words.stdout).split('\0').slice(0, -1)
  const { server, client } = withServer({ args: [...quiet, ...flags] })
  const pageAt = async (address: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(address, server.url), { headers: browser, ...init })
    const html = await response.text()
    return { elements: parsePage(html), policy: response.headers.get('Content-Security-Policy') ?? '' }
  }

  test('are three flags', () => {
    expect(flags.filter((_, at) => at % 2 === 0)).toEqual(['--name', '--accent', '--footer'])
  })

  test('are on every page, under the same policy, without a style of its own', async () => {
    const [paste, other] = [await client.paste({ alias: 'one' }), await client.paste({ alias: 'two' })]
    const burning = await client.paste({ maxReads: 1 })
    const link = await client.link()
    const gone = await client.paste()
    await fetch(gone.deletionUrl ?? '', { method: 'DELETE' })
    const addresses = [
      ...[
        '/',
        '/?edit=one',
        '/docs',
        '/admin',
        '/nothing/here',
        '/p/zzzzzzzzzz',
        '/diff/one',
        '/diff/one/two',
      ],
      ...[paste.pasteUrl, other.deletionUrl, burning.pasteUrl, gone.pasteUrl, gone.deletionUrl],
      ...[`${link.shortendUrl}+`, link.deletionUrl],
    ]
    const opened = addresses.map((address = '') => pageAt(address))
    const form = { create: 'items', key: testKey }
    const listed = pageAt('/', { method: 'POST', body: new URLSearchParams(form) })
    for (const { elements, policy } of await Promise.all([...opened, listed])) {
      const find = (named: string) => elements.filter(({ name }) => name === named)
      expect(find('title')[0]?.text).toEndWith(' · The lab')
      expect(find('footer').map(({ text }) => text.trim())).toEqual([
        'Run by Ada, questions to ada@example.org',
      ])
      expect(elements.some(({ attributes }) => attributes.href === 'mailto:ada@example.org')).toBe(true)
      expect(elements.filter(({ name, attributes }) => name === 'style' || 'style' in attributes)).toEqual([])
      expect(policy).toContain("style-src 'self'")
      expect(find('body')[0]?.text).not.toContain('Shortcrust')
    }
  })

  test('leave the description of the API, which programs read, as it is', async () => {
    const { info } = (await (await fetch(`${server.url}/openapi.json`)).json()) as { info: { title: string } }
    expect(info.title).toBe('Shortcrust')
  })

  test('that are wrong stop the start with a line each', async () => {
    const wrong = ['--name', 'a\u202eb', '--accent', 'reddish', '--footer', `${'x'.repeat(10_000)}`]
    const problem = await start({ args: wrong }).catch((error: Error) => error.message)
    const lines = String(problem)
      .split('\n')
      .filter((line) => line.startsWith('shortcrust: --'))
    expect(lines.map((line) => line.split(' expected ')[0])).toEqual([
      'shortcrust: --name:',
      'shortcrust: --accent:',
      'shortcrust: --footer:',
    ])
    for (const line of lines) expect(line.length).toBeLessThan(700)
  })
})
