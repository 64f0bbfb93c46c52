import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { keySetting, serverSetting } from '../../src/cli/client/login.ts'
import { settings } from '../../src/settings/config.ts'
import { repository } from '../support/process.ts'

const pages = ['*.md', 'docs/*.md']
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(repository)])
  .sort()
const textOf = async (path: string) => await Bun.file(join(repository, path)).text()
/** Without blocks of code, in which `#` and brackets mean something else. */
const proseOf = async (path: string) => (await textOf(path)).replace(/^([ \t]*)```[\s\S]*?^\1```$/gm, '')

type Link = { page: string; target: string; fragment: string }

const linksOf = async (page: string): Promise<Link[]> =>
  [...(await proseOf(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, address = '']) => address)
    .filter((address) => !/^[a-z]+:/.test(address))
    .map((address) => {
      const [path = '', fragment = ''] = address.split('#')
      return { page, target: path === '' ? page : join(dirname(page), path), fragment }
    })

/** As GitHub names a heading; a second one of the same words gets `-1`. */
const fragmentsOf = async (page: string) => {
  const seen = new Map<string, number>()
  return [...(await proseOf(page)).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  })
}

const links = (await Promise.all(pages.map(linksOf))).flat()
const sentence = ({ page, target, fragment }: Link) => `${page} → ${target}${fragment && `#${fragment}`}`

describe('a relative link of a document', () => {
  test('leads to a file of the repository', () => {
    expect(links.length).toBeGreaterThan(30)
    expect(links.filter(({ target }) => !existsSync(join(repository, target))).map(sentence)).toEqual([])
  })

  test('leads to a heading that is there', async () => {
    const named = links.filter(({ fragment }) => fragment !== '')
    const headings = new Map<string, readonly string[]>()
    for (const { target } of named) headings.set(target, await fragmentsOf(target))
    expect(named.length).toBeGreaterThan(3)
    expect(
      named.filter(({ target, fragment }) => !headings.get(target)?.includes(fragment)).map(sentence),
    ).toEqual([])
  })

  test('never leaves the repository', () => {
    expect(links.filter(({ target }) => target.startsWith('..')).map(sentence)).toEqual([])
  })
})

test('docs/README.md lists every other page of docs/', () => {
  const listed = links
    .filter(({ page }) => page === 'docs/README.md')
    .map(({ target }) => relative('docs', target))
  const others = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md')
  expect(others.map((page) => relative('docs', page)).filter((page) => !listed.includes(page))).toEqual([])
})

test('README.md and ARCHITECTURE.md lead to docs/README.md', () => {
  for (const page of ['README.md', 'ARCHITECTURE.md'])
    expect(links.filter((link) => link.page === page).map(({ target }) => target)).toContain('docs/README.md')
})

test('every npm script and every variable that a document names exists', async () => {
  const texts = (await Promise.all(pages.map(textOf))).join('\n')
  const scripts = texts.match(/(?<=npm run )[a-z:]+/g) ?? []
  expect(scripts.length).toBeGreaterThan(20)
  expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([])
  const known = [...Object.values(settings), serverSetting, keySetting].map(({ variable }) => variable)
  const variables = texts.match(/\bSHORTCRUST_(?!TARGET)[A-Z_]+/g) ?? []
  expect(variables.filter((name) => !known.includes(name.replace(/_FILE$/, '')))).toEqual([])
})

test('every test that a document names exists', async () => {
  const texts = await Promise.all(pages.map(textOf))
  const named = new Set(texts.flatMap((text) => text.match(/\btest\/[\w/-]+\.(?:test|check)\.ts\b/g) ?? []))
  expect(named.size).toBeGreaterThan(10)
  expect([...named].filter((path) => !existsSync(join(repository, path)))).toEqual([])
})
