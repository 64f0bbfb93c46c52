import { beforeAll, describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { exampleLink, examplePaste, type Fields, homePage, type Kind } from '../support/page-objects/home.ts'
import { run } from '../support/process.ts'

const ways = [
  ['with JavaScript', true],
  ['without JavaScript', false],
] as const

type Refusal = { status: number; kind: Kind; wrong: Fields; says: RegExp }
/** Each names one field that is wrong. */
const refusals: Refusal[] = [
  { status: 401, kind: 'paste', wrong: { key: 'wrong' }, says: /key is not valid/ },
  { status: 401, kind: 'link', wrong: { key: 'wrong' }, says: /key is not valid/ },
  { status: 422, kind: 'paste', wrong: { alias: 'a b' }, says: /^A custom name has/ },
  { status: 422, kind: 'link', wrong: { alias: 'docs' }, says: /Choose another/ },
  { status: 400, kind: 'link', wrong: { url: 'ftp://x' }, says: /^An address begins with http/ },
]

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
    test('stands in the form that caused it, and nothing typed is lost', async () => {
      for (const { status, kind, wrong, says } of refusals) {
        // A tab of its own: in the same one the draft would come back.
        const page = await suite.open({ javaScriptEnabled })
        const home = homePage(page)
        // Without JavaScript the page comes back from the server, and no page of the server holds a key.
        const { key, ...kept } = { ...(kind === 'paste' ? examplePaste : exampleLink), ...wrong }
        const typed = javaScriptEnabled ? { ...kept, key } : kept
        await home.open()
        const answer = page.waitForResponse((response) => response.request().method() === 'POST')
        await home.create(kind, { ...kept, key })
        expect((await answer).status()).toBe(status)
        expect(await home.error(kind).innerText()).toMatch(says)
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

  test('leads the keyboard to the field that has to change', async () => {
    for (const { kind, wrong, says } of refusals) {
      const page = await suite.open()
      const home = homePage(page)
      await home.open()
      await home.create(kind, { ...(kind === 'paste' ? examplePaste : exampleLink), ...wrong })
      await home.error(kind).waitFor()
      const name = await page.evaluate<string>('document.activeElement.name')
      const wanted = await home.field(kind, Object.keys(wrong)[0] ?? '').getAttribute('name')
      expect(name).toBe(wanted ?? '')
      expect(await home.fieldError(name).innerText()).toMatch(says)
    }
  })

  test('because the server is away loses nothing, and the same form works when it is back', async () => {
    const page = await suite.open()
    const home = homePage(page)
    await home.open()
    await page.route('**/paste', (route) => route.abort())
    await home.create('paste', examplePaste)
    expect(await home.error('paste').innerText()).toContain('cannot be reached')
    expect(await home.typed('paste', Object.keys(examplePaste))).toEqual(examplePaste)
    await page.unroute('**/paste')
    await home.submitButton('paste').click()
    await home.result.waitFor()
  })
})
