import { describe, expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { drawingOf } from '../../scripts/demo/drawing.ts'
import { repository } from '../support/process.ts'

const maxDemoBytes = 150 * 1024
const maxScreenshotBytes = 120 * 1024
const fileOf = (path: string) => Bun.file(join(repository, path))
const readme = await fileOf('README.md').text()
const demo = await fileOf('docs/demo.svg').text()
const screenshots = [...new Bun.Glob('*.png').scanSync(join(repository, 'docs/screenshots'))]

test('the head of README.md shows a paste, and the command that made it', async () => {
  const [head = ''] = readme.split('\n## ')
  const files = [...head.matchAll(/(?:src|srcset)="([^"]+)/g)].map(([, path = '']) => path)
  expect(files).toEqual(['docs/screenshots/paste-dark.png', 'docs/screenshots/paste-light.png'])
  for (const path of files) expect([path, await fileOf(path).exists()]).toEqual([path, true])
  expect(head).toContain('`shortcrust paste rate-limiter.ts`')
})

describe('the demo', () => {
  test('stands beside the command line, still for anyone who wants no motion', async () => {
    const page = await fileOf('docs/command-line.md').text()
    expect(page).toContain('<source media="(prefers-reduced-motion: reduce)" srcset="demo.svg#still">')
    expect(page).toContain('<img src="demo.svg"')
    expect(demo).toContain('id="still"')
    expect(demo).toContain('#still:target')
  })

  test('is small, and needs no script and no address', () => {
    expect(demo.length).toBeLessThanOrEqual(maxDemoBytes)
    expect(demo).not.toMatch(/<script|<foreignObject|\son\w+=|@import|@font-face|url\(/i)
    const addresses = [...demo.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.map((address) => address.slice(0, 23))).toEqual(
      Array.from({ length: 4 }, () => 'data:image/webp;base64,'),
    )
  })

  test('is what the script draws of what it shows', () => {
    const texts = (kind: string) =>
      [...demo.matchAll(new RegExp(`class="${kind}"[^>]*>([^<]*)<`, 'g'))].map(([, text = '']) => text)
    const [address = '', marked = ''] = texts('address')
    const [first = '', second = ''] = texts('typed').map((text) => text.replaceAll('&quot;', '"'))
    const [firstLink = '', secondLink = ''] = texts('link')
    const hint = texts('printed').join('').replaceAll('&#x27;', "'")
    const pictures = [...demo.matchAll(/class="(light|dark)"[^>]*href="([^"]*)"/g)].map(
      ([, theme, href = ''], at) => ({ theme: theme as 'light' | 'dark', isMarked: at % 2 === 1, href }),
    )
    const steps = [
      { command: first, output: firstLink },
      { command: second, output: `${secondLink}\n${hint}` },
    ]
    expect(address).toBe(secondLink)
    expect(drawingOf({ steps, address, marked, pictures })).toBe(demo)
  })
})

describe('a screenshot', () => {
  test('is there in light and dark, and small', () => {
    expect(screenshots.length).toBeGreaterThan(6)
    for (const name of screenshots) {
      const other = name.includes('-light')
        ? name.replace('-light', '-dark')
        : name.replace('-dark', '-light')
      expect([name, screenshots.includes(other) && other !== name]).toEqual([name, true])
      expect(fileOf(`docs/screenshots/${name}`).size, name).toBeLessThanOrEqual(maxScreenshotBytes)
    }
  })

  test('is in a document, the dark one for a dark theme', async () => {
    const shown = new Set<string>()
    for (const path of ['README.md', 'docs/create.md', 'docs/read.md']) {
      const pair = /srcset="(\S+)-dark\.png">\n<img src="(\S+)-light\.png"/g
      for (const [, dark = '', light = ''] of (await fileOf(path).text()).matchAll(pair)) {
        expect(dark).toBe(light)
        const picture = join(dirname(path), light)
        for (const theme of ['dark', 'light']) shown.add(`${picture}-${theme}.png`)
      }
    }
    expect([...shown].sort()).toEqual(screenshots.map((name) => `docs/screenshots/${name}`).sort())
  })
})
