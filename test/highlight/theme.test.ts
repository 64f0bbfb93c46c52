import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import dark from 'shiki/themes/github-dark-default.mjs'
import light from 'shiki/themes/github-light-default.mjs'
import { palettes } from '../../scripts/make-code-css.ts'
import { contrast } from '../../src/highlight/contrast.ts'
import {
  classesOfToken,
  cube,
  indexOfColour,
  levels,
  mergedTheme,
  palette,
  plainOnColour,
  readableOnColour,
} from '../../src/highlight/theme.ts'
import { repository } from '../support/process.ts'

const read = (file: string) => Bun.file(join(repository, 'views', file)).text()
const codeCss = await read('code.css')
const terminalCss = await read('terminal.css')
const styleCss = await read('style.css')
const diffCss = await read('diff-rows.css')
const previewCss = await read('preview.css')

/** The light and the dark value behind a name or a class. */
const valuesOf = (css: string, subject: string) => {
  const pair = new RegExp(`${subject}:? ?[^;}]*light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`)
  return pair.exec(css)?.slice(1) ?? []
}
const classOf = (index: number, letter = 't') => `\\.${letter}${index.toString(36)} \\{[^}]*\\bcolor`

const schemes = ['light', 'dark'] as const

describe('the palettes of views/', () => {
  test('is what scripts/make-code-css.ts makes of the themes', () => {
    expect({ 'code.css': codeCss, 'terminal.css': terminalCss }).toEqual(palettes())
  })

  test('holds a light and a dark value, and one class, for each colour of the merged theme', () => {
    expect(palette.length).toBeGreaterThan(20)
    const names = palette.slice(1).map((_, at) => `t${(at + 1).toString(36)}`)
    for (const [at, name] of names.entries()) {
      expect(valuesOf(codeCss, classOf(at + 1)), name).toHaveLength(2)
      expect(codeCss.split(`.${name} {`), name).toHaveLength(2)
    }
    expect([...codeCss.matchAll(/^\.(t\w+) \{/gm)].map(([, name]) => name)).toEqual(names)
  })

  const places = schemes.flatMap((scheme) => ['--paper', '--mark'].map((name) => [scheme, name] as const))
  test.each(places)('has contrast enough in %s colours on %s', (scheme, name) => {
    const at = schemes.indexOf(scheme)
    const background = valuesOf(styleCss, name)[at] ?? ''
    expect(background).toMatch(/^#[0-9a-f]{6}$/)
    const ordinary = valuesOf(styleCss, '--ink')[at] as string
    const coloured = palette.slice(1).map((_, index) => valuesOf(codeCss, classOf(index + 1))[at] as string)
    const terminal = cube.map((_, index) => valuesOf(terminalCss, classOf(index, 'k'))[at] as string)
    const weak = valuesOf(terminalCss, '\\.q \\{\\s*color')[at] as string
    const unreadable = [ordinary, weak, ...coloured, ...terminal].filter(
      (colour) => !(contrast(colour, background) >= 4.5),
    )
    expect(unreadable).toEqual([])
  })

  test.each(schemes)('has contrast enough for what a comparison adds and removes in %s colours', (scheme) => {
    const at = schemes.indexOf(scheme)
    const of = (css: string, name: string) => valuesOf(css, name)[at] as string
    const ink = of(styleCss, '--ink')
    const pairs = ['--added', '--removed'].flatMap((name) => {
      const [line, word, own] = [name, `${name}-word`, `${name}-ink`].map((one) => of(diffCss, one))
      const papers = ['--paper', '--mark'].map((one) => of(styleCss, one))
      return [
        ...[line, word].map((background) => [ink, background]),
        ...palette.slice(1).map((_, index) => [of(codeCss, classOf(index + 1)), line]),
        ...[line, ...papers].map((background) => [own, background]),
      ]
    }) as [string, string][]
    expect(pairs.filter(([colour, background]) => !(contrast(colour, background) >= 4.5))).toEqual([])
  })

  test("has contrast enough in the names of a preview's alerts", () => {
    const kinds = [...previewCss.matchAll(/--kind: light-dark\((#\w+), (#\w+)\)/g)]
    expect(kinds).toHaveLength(5)
    const papers = valuesOf(styleCss, '--paper')
    for (const [, ...pair] of kinds)
      for (const [at, colour] of pair.entries())
        expect(contrast(colour, papers[at] as string), colour).toBeGreaterThanOrEqual(4.5)
  })

  test('leaves a colour alone that can be read already', () => {
    const readable = palette.findIndex((shade, at) => at > 0 && contrast(shade.light, '#ffffff') >= 5.5)
    expect(valuesOf(codeCss, classOf(readable))[0]).toBe(palette[readable]?.light.toLowerCase())
  })
})

describe('text on a colour of a terminal', () => {
  test('can be read, whatever both are', () => {
    const pairs = cube.flatMap((below, background) => [
      [below, plainOnColour(background)] as const,
      ...cube.map((_, wanted) => [below, readableOnColour(wanted, background)] as const),
    ])
    expect(pairs).toHaveLength(125 * 126)
    expect(pairs.filter(([below, text]) => !(contrast(below, cube[text] as string) >= 4.5))).toEqual([])
  })

  test('has the colour that was asked for, where that can be read', () => {
    const [white, black] = [cube.indexOf('#ffffff'), 0]
    expect(cube[readableOnColour(cube.indexOf('#ffff00'), black)]).toBe('#ffff00')
    expect(cube[readableOnColour(white, cube.indexOf('#800080'))]).toBe('#ffffff')
    expect(cube[readableOnColour(cube.indexOf('#ff0000'), cube.indexOf('#bf0000'))]).not.toBe('#ff0000')
  })

  test('is drawn in the very colours that were compared', () => {
    for (const [at, colour] of cube.entries())
      expect(terminalCss).toContain(`.k${at.toString(36)} { --k: ${colour}; `)
    for (const [step, level] of levels.entries())
      for (const channel of ['r', 'g', 'b'])
        expect(terminalCss).toContain(`.${channel}${step} { --${channel}: ${level} }`)
    expect(terminalCss.indexOf('\n.on {')).toBeGreaterThan(terminalCss.lastIndexOf('\n.k'))
  })
})

describe('the classes of a token', () => {
  const colours = (mergedTheme.tokenColors ?? []).flatMap(({ settings }) => settings.foreground ?? [])
  const colour = colours.find((one) => indexOfColour(one) === 10) ?? ''

  test.each([
    [{}, ''],
    [{ color: mergedTheme.fg as string }, ''],
    [{ color: '#000000' }, ''],
    [{ color: colour, fontStyle: -1 }, 'ta'],
    [{ color: colour, fontStyle: 3 }, 'ta i b'],
    [{ fontStyle: 12 }, 'u s'],
  ])('of %j are %j', (token, classes) => expect(classesOfToken(token)).toBe(classes))
})

describe('the contrast ratio', () => {
  test('is that of WCAG 2.2', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5)
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
    expect(contrast('#777777', '#ffffff')).toBeLessThan(4.5)
    expect(contrast('#336699', '#336699')).toBe(1)
  })
})

describe('the two themes', () => {
  const rulesOf = ({ tokenColors = [] }: typeof light) => tokenColors

  test('name the same scopes in the same order', () => {
    expect(rulesOf(light).length).toBeGreaterThan(40)
    expect(rulesOf(light).map(({ scope }) => scope)).toEqual(rulesOf(dark).map(({ scope }) => scope))
  })

  test('agree on which rules have a colour and on their font styles', () => {
    const looks = (theme: typeof light) =>
      rulesOf(theme).map(({ settings }) => [settings.foreground !== undefined, settings.fontStyle])
    expect(looks(light)).toEqual(looks(dark))
  })

  test('are merged rule by rule into indexes of the palette', () => {
    const shades = (mergedTheme.tokenColors ?? []).map(({ settings: { foreground } }) =>
      foreground === undefined ? undefined : palette[indexOfColour(foreground) ?? -1],
    )
    const pairs = rulesOf(light).map(({ settings }, at) => {
      const { foreground } = settings
      const other = rulesOf(dark)[at]?.settings.foreground
      return foreground === undefined || other === undefined ? undefined : { light: foreground, dark: other }
    })
    expect(JSON.stringify(shades).toLowerCase()).toBe(JSON.stringify(pairs).toLowerCase())
  })
})
