import { describe, expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { repository } from '../support/process.ts'

const maxScreenshotBytes = 120 * 1024
const fileOf = (path: string) => Bun.file(join(repository, path))
const screenshots = [...new Bun.Glob('*.png').scanSync(join(repository, 'docs/screenshots'))]

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
    for (const path of ['README.md', 'docs/read.md']) {
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
