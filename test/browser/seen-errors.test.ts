import { describe, expect, test } from 'bun:test'
import { states } from '../../scripts/look/list.ts'
import { requireChromium } from '../support/browser.ts'
import { editPage } from '../support/page-objects/edit.ts'
import { homePage, type Kind } from '../support/page-objects/home.ts'
import { lookAt } from '../support/seen/seen.ts'
import { useStages } from '../support/seen/stages.ts'

/** States with an error, the part of the page it is in, and the field it is about. */
const errors: readonly (readonly [state: string, kind: Kind, field?: string])[] = [
  ['home/error-key', 'paste', 'key'],
  ['home/error-name', 'paste', 'alias'],
  ['home/error-name-taken', 'paste', 'alias'],
  ['home/error-title', 'paste', 'title'],
  ['home/error-text', 'paste', 'text'],
  ['home/error-too-many', 'paste'],
  ['home/error-offline', 'paste'],
  ['link/error-address', 'link', 'url'],
  ['link/error-key', 'link', 'key'],
  ['edit/error-key', 'paste', 'key'],
  ['edit/error-title', 'paste', 'title'],
]

const farthestPx = 16

/** The frame of the wrong field has the colour of its error. */
const isRed = `getComputedStyle(document.querySelector('[aria-invalid=true]')).boxShadow
  .includes(getComputedStyle(document.querySelector('.field-error:not(:empty)')).color)`

const openings = [
  { width: 1280, height: 720, isScripted: true },
  { width: 360, height: 640, isScripted: true },
  { width: 1280, height: 720, isScripted: false },
  { width: 360, height: 640, isScripted: false },
]
const cases = errors.flatMap(([name, kind, field]) => {
  const state = states.find((one) => one.name === name)
  if (!state) throw new Error(`there is no state "${name}"`)
  return openings
    .filter(({ isScripted }) => isScripted || !state.needsScript)
    .map((opening) => ({ name, kind, field, state, opening, ...opening }))
})

test('every state with an error is looked at', () => {
  const names = states.map(({ name }) => name).filter((name) => name.includes('/error-'))
  expect(errors.map(([name]) => name).toSorted()).toEqual(names.toSorted())
})

describe.skipIf(!requireChromium())('an error of the form', () => {
  const stages = useStages()

  test.each(cases)(
    'is in the window once, beside what it is about, announced, and its field is red: $name at $width px, JavaScript: $isScripted',
    async ({ kind, field, state, opening }) => {
      const { stage } = await stages.open(opening)
      await state.show(stage)
      const edit = editPage(stage.page)
      const home = homePage(stage.page)
      const look = lookAt(stage.page)
      const [error, about] = state.name.startsWith('edit/')
        ? [edit.fieldError(field ?? ''), edit.field(field ?? '')]
        : field === undefined
          ? [home.error(kind), home.submitButton(kind)]
          : [home.fieldError(field), home.field(kind, field)]
      expect(await look.errorFaults(error, about, farthestPx)).toEqual([])
      expect(await stage.page.getByText(await error.innerText(), { exact: true }).count()).toBe(1)
      if (field !== undefined) expect(await stage.page.evaluate<boolean>(isRed)).toBe(true)
    },
    120_000,
  )
})
