import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, requireChromium } from '../support/browser.ts'
import { lookAt } from '../support/seen/seen.ts'

/** A small page without any fault. */
const page = (body: string, styles = '') => `<!doctype html><html lang="en"><head><title>A page</title>
  <style>body { margin: 0; font: 16px/1.5 sans-serif } .bar { position: sticky; top: 0; background: white } ${styles}</style></head>
  <body><header class="bar"><a href="#">Home</a> <button>Theme</button></header>
  <main><h1>A heading</h1><p>Some text with <a href="#">a link</a> in it.</p>${body}</main></body></html>`

const menu = (styles: string) =>
  page(
    '<details open><summary>Menu</summary><div class="popup"><button>One</button></div></details>',
    `details { position: relative; width: max-content } .popup { position: absolute; ${styles} }`,
  )

const error = (errorAttributes: string, inputAttributes: string, styles = '') =>
  page(
    `<label>Name <input name="name" ${inputAttributes}></label><p id="why" class="error" ${errorAttributes}>Not a name.</p>`,
    `label, input, .error { display: block; margin: 0 } ${styles}`,
  )
const described = 'aria-invalid="true" aria-describedby="why"'

describe.skipIf(!requireChromium())('a check', () => {
  let browser: Browser
  let tab: Page
  beforeAll(async () => {
    browser = await launchChromium()
    tab = await browser.newPage({ viewport: { width: 360, height: 640 } })
  })
  afterAll(() => browser?.close())

  const lookAtPage = async (html: string) => {
    await tab.setContent(html)
    return lookAt(tab)
  }

  const sound = page(`<p>${'A long text. '.repeat(200)}</p><textarea>text</textarea><button>Send</button>`)
  const dialog = '<dialog><p>Words</p></dialog><script>document.querySelector("dialog").showModal()</script>'

  test.each([
    ...(['stickingOut', 'popupsOutside', 'covered', 'overlaps', 'shifts'] as const).map(
      (check) => [check, 'nothing in a page without a fault', sound, []] as const,
    ),
    [
      'stickingOut',
      'a button beyond the right edge',
      page('<button class="far">Send</button>', '.far { position: relative; left: 330px }'),
      ['button "Send" reaches out at the side', expect.stringMatching(/^the page is 3\d\d px wide$/)],
    ],
    [
      'stickingOut',
      'a button that a box cuts off',
      page('<div class="box"><button>A longer word</button></div>', '.box { width: 40px; overflow: hidden }'),
      ['button "A longer word" reaches out at the side'],
    ],
    [
      'stickingOut',
      'nothing in a box that scrolls',
      page('<pre class="b"><a href="#">a long line</a></pre>', '.b { width: 40px; overflow: auto }'),
      [],
    ],
    [
      'popupsOutside',
      'a menu too far to the left',
      menu('right: 0; width: 200px'),
      ['div "One" is not wholly in the window'],
    ],
    [
      'popupsOutside',
      'a menu that is too low',
      menu('left: 0; height: 700px'),
      ['div "One" is not wholly in the window'],
    ],
    ['popupsOutside', 'nothing about a menu in the window', menu('left: 0; width: 200px'), []],
    [
      'popupsOutside',
      'a dialog that is larger than the window',
      page(dialog, 'dialog { width: 800px; max-width: none }'),
      ['dialog "Words" is not wholly in the window'],
    ],
    [
      'covered',
      'the last button of a page below a bar that stays at its bottom',
      page(
        `${'<p>Text</p>'.repeat(30)}<button>Last</button><footer>Bar</footer>`,
        'footer { position: fixed; bottom: 0; left: 0; right: 0; height: 60px; background: red }',
      ),
      ['button "Last" lies under footer "Bar"'],
    ],
    [
      'overlaps',
      'two texts one over the other',
      page('<p class="a">First text</p><p>Second text</p>', '.a { margin-bottom: -34px }'),
      ['p "First text" and p "Second text" overlap'],
    ],
    [
      'overlaps',
      'two texts in an open menu',
      page(
        '<details open><summary>Menu</summary><div class="popup"><p class="a">First</p><p>Second</p></div></details>',
        'details { position: relative } .popup { position: absolute; width: 200px } .a { margin-bottom: -34px }',
      ),
      ['p "First" and p "Second" overlap'],
    ],
    [
      'covered',
      'the last of many choices under a bar, in a list that scrolls in an open menu',
      page(
        `<details open><summary>Menu</summary><div class="popup"><div class="list" role="listbox">${'<div role="option">One</div>'.repeat(40)}</div><b>Bar</b></div></details>`,
        'details { position: relative } .popup { position: absolute } .list { height: 100px; overflow: auto } b { position: absolute; bottom: 0; height: 12px; width: 100% }',
      ),
      [expect.stringMatching(/^div "One" lies under b "Bar"$/)],
    ],
    [
      'overlaps',
      'nothing of a text that a box scrolls out of sight',
      page(
        `<p class="s">${'words '.repeat(200)}</p><p>Text below it</p>`,
        '.s { height: 100px; overflow: auto }',
      ),
      [],
    ],
  ] as const)('%s finds %s', async (check, _, html, faults) => {
    expect(await (await lookAtPage(html))[check]()).toEqual(faults as unknown as string[])
  })

  test('finds what moved after the first paint', async () => {
    // A document of its own: the one of the tests above has had its first paint.
    await tab.goto('about:blank')
    const looked = await lookAtPage(page('<div id="late"></div><p id="low">Words that move</p>'))
    await tab.waitForFunction(`performance.getEntriesByName('first-contentful-paint').length`)
    await tab.evaluate(
      `document.getElementById('late').innerHTML = '<p>A notice that came late</p>'.repeat(3)`,
    )
    expect(await looked.shifts()).toEqual(['p#low "Words that move" has moved'])
  })

  test.each([
    ['is as it should be', error('role="alert"', described), []],
    ['is hidden', error('role="alert" style="opacity: 0"', described), ['it cannot be seen']],
    [
      'is above the window',
      error('role="alert"', described, '.error { position: relative; top: -300px }'),
      [
        expect.stringMatching(/^it is outside the window, -\d+ px from its top$/),
        expect.stringMatching(/^it is \d+ px away from input "name"$/),
      ],
    ],
    [
      'stands far from its field',
      error('role="alert"', described, '.error { margin-top: 100px }'),
      ['it is 100 px away from input "name"'],
    ],
    ['is not announced', error('', described), ['it is not announced']],
    [
      'is not named by its field',
      error('role="alert"', 'aria-invalid="true"'),
      ['input "name" does not name it (aria-describedby)'],
    ],
    [
      'belongs to a field that is not marked',
      error('role="alert"', 'aria-describedby="why"'),
      ['input "name" is not marked as invalid'],
    ],
  ])('says of an error that it %s', async (_, html, faults) => {
    const looked = await lookAtPage(html)
    const found = await looked.errorFaults(tab.locator('.error'), tab.getByLabel('Name'), 16)
    expect(found).toEqual(faults as string[])
  })

  test('takes an error for announced that describes the field with the focus, and no other', async () => {
    const looked = await lookAtPage(error('', described))
    const faults = () => looked.errorFaults(tab.locator('.error'), tab.getByLabel('Name'), 16)
    expect(await faults()).toEqual(['it is not announced'])
    await tab.getByLabel('Name').focus()
    expect(await faults()).toEqual([])
  })
})
