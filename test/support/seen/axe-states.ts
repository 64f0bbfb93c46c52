import { expect, test } from 'bun:test'
import { colourRules, violationsOf } from '../page-objects/axe.ts'
import { huge, type Part, statesOf } from './parts.ts'
import { useStages } from './stages.ts'

/** At 360 px, no colour, name or role is another than at 320. */
const light = [1280, 768, 320].map((width) => ({ width, theme: 'light' as const, rules: {} }))
/** In the dark colours alone are others. */
const dark = [1280, 320].map((width) => ({ width, theme: 'dark' as const, rules: colourRules }))
/** Thousands of lines keep axe busy for minutes. */
const isTooLarge = (name: string) => huge.has(name) || name === 'paste/long'

/** Tests that let axe look at each state of a part. */
export const axeLooksAtStates = (part: Part) => {
  const states = statesOf(part).filter(({ name, isPlain }) => !isTooLarge(name) && !isPlain)
  const stages = useStages()

  test.each(states.map((state) => [state.name, state] as const))(
    'axe finds nothing wrong with %s, in both themes, from 320 to 1280 px',
    async (_, state) => {
      const { stage } = await stages.open({ width: 1280, height: 720, isScripted: true })
      await state.show(stage)
      const found: string[] = []
      for (const { width, theme, rules } of [...light, ...dark]) {
        await stage.page.setViewportSize({ width, height: 720 })
        await stage.page.emulateMedia({ colorScheme: theme })
        const violations = await violationsOf(stage.page, 'html', rules)
        found.push(...violations.map((violation) => `${width} px, ${theme}: ${violation}`))
      }
      expect(found).toEqual([])
    },
    120_000,
  )
}
