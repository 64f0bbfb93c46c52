import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import {
  comesIntoSight,
  exampleLink,
  examplePaste,
  type Fields,
  homePage,
  type Kind,
} from '../support/page-objects/home.ts'
import { run } from '../support/process.ts'

const ways = [
  ['with JavaScript', true],
  ['without JavaScript', false],
] as const

/** `needsScript`: without a script the browser itself refuses it. */
type Refusal = { status: number; kind: Kind; wrong: Fields; says: RegExp; needsScript?: true }
/** Each names one field that is wrong. */
const refusals: Refusal[] = [
  { status: 401, kind: 'paste', wrong: { key: 'wrong' }, says: /key is not valid/ },
  { status: 401, kind: 'link', wrong: { key: 'wrong' }, says: /key is not valid/ },
  { status: 422, kind: 'paste', wrong: { alias: 'a b' }, says: /^A custom name has/ },
  { status: 422, kind: 'link', wrong: { alias: 'docs' }, says: /Choose another/ },
  { status: 400, kind: 'link', wrong: { url: 'ftp://x' }, says: /^An address begins with http/ },
  { status: 422, kind: 'paste', wrong: { title: 'x'.repeat(1025) }, says: /^Shorten the title/ },
  { status: 422, kind: 'paste', wrong: { description: 'x'.repeat(8193) }, says: /^Shorten the description/ },
  { status: 413, kind: 'paste', wrong: { text: 'x'.repeat(1025) }, says: /larger than 1 KiB/ },
  { status: 422, kind: 'paste', wrong: { maxReads: '0' }, says: /from 1 to/, needsScript: true },
  { status: 422, kind: 'link', wrong: { maxVisits: '0' }, says: /from 1 to/, needsScript: true },
]

/** How a field shows that it is wrong. */
const lookOf = (field: Locator) =>
  field.evaluate((input) => {
    const page = input.ownerDocument
    const styleOf = page.defaultView.getComputedStyle
    const { borderWidth, boxShadow, borderColor } = styleOf(input)
    const danger = styleOf(page.querySelector('.field-error:not(:empty)')).color
    const spread = Number(/ (\d)px inset/.exec(boxShadow)?.[1])
    return {
      isInvalid: input.getAttribute('aria-invalid'),
      isFocused: page.activeElement === input,
      isRed: boxShadow.startsWith(danger) && (borderWidth === '0px' || borderColor === danger),
      is2px: Number.parseInt(borderWidth, 10) + spread === 2,
    }
  })

describe.skipIf(!requireChromium())('a refusal', () => {
  const suite = browserSuite('--max-paste', '1KiB', '--rate-limit', 'off')

  beforeAll(async () => {
    for (const [kind, only, says] of [
      ['paste', 'shorten', /may create short links only/],
      ['link', 'paste', /may create pastes only/],
    ] as const) {
      const { stdout } = await run(['keys', 'add', only, '--only', only, '--data', suite.server().data])
      refusals.push({ status: 403, kind, wrong: { key: stdout.trim() }, says })
    }
  })

  describe.each(ways)('%s', (_, javaScriptEnabled) => {
    test('is said once, at its field, which is marked, focused and in sight, and nothing typed is lost', async () => {
      for (const { status, kind, wrong, says, needsScript } of refusals) {
        if (needsScript && !javaScriptEnabled) continue
        // A tab of its own: in the same one the draft would come back.
        const page = await suite.open({ javaScriptEnabled })
        const home = homePage(page)
        // Without JavaScript the page comes back from the server, and no page of the server holds a key.
        const { key, ...kept } = { ...(kind === 'paste' ? examplePaste : exampleLink), ...wrong }
        const typed = javaScriptEnabled ? { ...kept, key } : kept
        await home.open()
        // The script of the page knows without asking that a text is too large.
        const isAsked = !(javaScriptEnabled && 'text' in wrong)
        const answer = isAsked && page.waitForResponse((response) => response.request().method() === 'POST')
        await home.create(kind, { ...kept, key })
        if (answer) expect((await answer).status()).toBe(status)
        await home.answered(kind)
        expect(await home.error(kind).innerText()).toMatch(says)
        const field = home.field(kind, Object.keys(wrong)[0] ?? '')
        const name = (await field.getAttribute('name')) ?? ''
        expect(await home.fieldError(name).innerText(), name).toMatch(says)
        expect(await page.locator('#create [aria-invalid]').count()).toBe(1)
        expect(await lookOf(field)).toEqual({ isInvalid: 'true', isFocused: true, isRed: true, is2px: true })
        expect(await field.getAttribute('aria-describedby')).toContain(`error-${name}`)
        if (!('text' in wrong)) await comesIntoSight(field)
        await comesIntoSight(home.fieldError(name))
        expect(await home.typed(kind, Object.keys(typed))).toEqual(typed)
        expect(await page.getByText(says).count()).toBe(1)
        const other = page.locator(kind === 'paste' ? '#link-form' : '#paste-form')
        expect(await other.locator(':is(.error, .field-error):not(:empty)').count()).toBe(0)
        expect(await home.result.isVisible()).toBe(false)
      }
    })

    test('of more than the server reads at all loses nothing either', async () => {
      const page = await suite.open({ javaScriptEnabled })
      const home = homePage(page)
      const fields = { ...examplePaste, text: 'x'.repeat(200_000) }
      const { key, ...kept } = fields
      await home.open()
      await home.create('paste', fields)
      await page
        .getByText(/larger than|the limit of this server is/)
        .first()
        .waitFor()
      if (!javaScriptEnabled) await page.goBack()
      expect(await home.typed('paste', Object.keys(kept))).toEqual(kept)
    })
  })

  test('because the server is away loses nothing, and the same form works when it is back', async () => {
    const page = await suite.open()
    const home = homePage(page)
    await home.open()
    await page.route('**/paste', (route) => route.abort())
    await home.create('paste', examplePaste)
    expect(await home.error('paste').innerText()).toContain('cannot be reached')
    expect(await page.locator('#paste-form .send .error').innerText()).toContain('cannot be reached')
    expect(await page.locator('#create [aria-invalid]').count()).toBe(0)
    expect(await home.typed('paste', Object.keys(examplePaste))).toEqual(examplePaste)
    await page.unroute('**/paste')
    await home.submitButton('paste').click()
    await home.made.waitFor()
  })
})
