import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { contrast, hexOf, leastContrast } from '../../src/highlight/contrast.ts'
import { accentBackgrounds, accentIcon, accentStyle } from '../../src/http/assets.ts'
import { repository } from '../support/process.ts'

const read = (file: string) => Bun.file(join(repository, 'views', file)).text()
const [styleCss, icon] = await Promise.all(['style.css', 'icon.svg'].map(read))

/** The light and the dark value of a name in a style sheet. */
const valuesOf = (css: string | undefined, name: string) =>
  new RegExp(`${name}: ?light-dark\\((#[0-9a-f]{6}), ?(#[0-9a-f]{6})\\)`).exec(css ?? '')?.slice(1) ?? []

const steps = Array.from({ length: 9 }, (_, at) => Math.min(255, at * 32))
const colours = steps.flatMap((red) =>
  steps.flatMap((green) => steps.map((blue) => hexOf([red, green, blue]))),
)

const read45 = (colour: string, backgrounds: readonly string[]) =>
  backgrounds.every((background) => contrast(colour, background) >= leastContrast)

describe('an accent', () => {
  test('is read on the backgrounds of views/style.css', () => {
    const [light, dark] = ['light', 'dark'].map((_, at) =>
      ['--paper', '--wash', '--mark'].map((name) => valuesOf(styleCss, name)[at] as string),
    )
    expect([light, dark]).toEqual([accentBackgrounds.light, accentBackgrounds.dark])
  })

  test('of any colour can be read in both themes, and so can the text on it', () => {
    expect(colours).toHaveLength(729)
    for (const colour of colours) {
      const css = accentStyle(colour)
      const [light = '', dark = ''] = valuesOf(css, '--accent')
      expect(read45(light, accentBackgrounds.light), `${colour} light`).toBe(true)
      expect(read45(dark, accentBackgrounds.dark), `${colour} dark`).toBe(true)
      // Its contrast with text on it is that with paper, which is among the backgrounds.
      expect(css).toContain('--accent-ink:var(--paper)')
    }
  })

  test('is shown as it was given in each theme where it can be read', () => {
    let asGiven = 0
    for (const colour of colours)
      for (const [at, theme] of (['light', 'dark'] as const).entries())
        if (read45(colour, accentBackgrounds[theme])) {
          expect(valuesOf(accentStyle(colour), '--accent')[at], `${colour} ${theme}`).toBe(colour)
          asGiven++
        }
    expect(asGiven).toBeGreaterThan(500)
  })

  test('cannot be one colour for both themes: none can be read in both', () => {
    const everywhere = [...accentBackgrounds.light, ...accentBackgrounds.dark]
    expect(colours.filter((colour) => read45(colour, everywhere))).toEqual([])
  })

  test('is the colour of the icon as well', () => {
    const own = accentIcon('#0000ff', icon ?? '')
    expect(own).toContain('#0000ff')
    expect(own).not.toContain('#8a4b08')
    expect(own).not.toContain('#e8a75c')
  })
})
