import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Album } from '../../scripts/look/album.tsx'
import { jobsOf } from '../../scripts/look/camera.ts'
import { states, wantedStates } from '../../scripts/look/list.ts'
import { describeAt } from '../support/description.ts'
import { parsePage } from '../support/html.ts'
import { repository } from '../support/process.ts'

const { paths } = await describeAt()

describe('the list of states', () => {
  test('has a state for each view that is a page', () => {
    const views = readdirSync(join(repository, 'views')).filter((file) => file.endsWith('-page.tsx'))
    expect(new Set(states.map(({ view }) => `${view}.tsx`))).toEqual(new Set(views))
  })

  test('has a state for each route that answers a page to a GET', () => {
    const pages = Object.entries(paths).filter(
      ([, { get }]) => 'text/html' in (get?.responses[200]?.content ?? {}),
    )
    const routes = new Set(states.map(({ route }) => route))
    expect(pages.map(([path]) => path).filter((path) => !routes.has(path))).toEqual([])
  })

  test('names no route that is not described, and nothing twice', () => {
    expect(states.filter(({ route }) => !(route in paths))).toEqual([])
    expect(new Set(states.map(({ name }) => name)).size).toBe(states.length)
  })

  test('is shown on a desk and a phone, and without JavaScript unless it needs it', () => {
    for (const state of states)
      expect(jobsOf([state]).map(({ opening: { width, isScripted } }) => `${width} ${isScripted}`)).toEqual([
        ...(state.isPlain ? [] : ['1280 true', '360 true']),
        ...(state.needsScript ? [] : ['1280 false', '360 false']),
      ])
  })
})

describe('--only', () => {
  const namesFor = (...names: string[]) =>
    wantedStates(names.flatMap((name) => ['--only', name])).map(({ name }) => name)

  test('takes a state, or every state of a page', () => {
    expect(namesFor('paste/log', 'docs/top')).toEqual(['paste/log', 'docs/top'])
    expect(namesFor('error')).toEqual(
      states.map(({ name }) => name).filter((name) => name.startsWith('error/')),
    )
    expect(namesFor()).toHaveLength(states.length)
  })

  test('refuses a name that is none', () => {
    expect(() => namesFor('pastes')).toThrow('there is no state "pastes"')
  })
})

test('the index shows each picture under its state, leads to it, and says what went wrong', () => {
  const shown = states.slice(0, 2)
  const pictures = shown.map(({ name }) => ({
    state: name,
    variant: '360 px, light',
    file: `${name}.png`,
    height: 640,
  }))
  const elements = parsePage(String(Album({ states: shown, pictures, problems: ['a <b> went wrong'] })))
  const leads = elements.filter(({ name }) => name === 'a').map(({ attributes }) => attributes.href)
  const files = pictures.map(({ file }) => file)
  expect(leads).toEqual([...shown.map(({ name }) => `#${name}`), ...files])
  expect(elements.filter(({ name }) => name === 'img').map(({ attributes }) => attributes.src)).toEqual(files)
  expect(elements.find(({ attributes }) => attributes.class === 'problems')?.text).toBe('a <b> went wrong')
  expect(elements.some(({ name }) => name === 'script')).toBe(false)
})
