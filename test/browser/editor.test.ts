import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { exampleLink, examplePaste, homePage } from '../support/page-objects/home.ts'
import { focused } from '../support/page-objects/keyboard.ts'
import { testKey } from '../support/process.ts'

describe.skipIf(!requireChromium())('the start page', () => {
  const suite = browserSuite('--rate-limit', 'off', '--max-expiry', '4w')
  const openHome = async (path = '/', options: BrowserContextOptions = {}) => {
    const page = await suite.open(options)
    await page.goto(path)
    return { page, home: homePage(page) }
  }

  test('is the text: it has the focus and takes most of the window', async () => {
    const { page, home } = await openHome('/', { viewport: { width: 1280, height: 720 } })
    expect(await focused(page)).toBe('field-text')
    const box = await home.field('paste', 'text').boundingBox()
    expect((box?.width ?? 0) * (box?.height ?? 0)).toBeGreaterThan(1280 * 720 * 0.6)
  })

  test.each([360, 1280])('has its button in view at %i px, however long the text is', async (width) => {
    const { page, home } = await openHome('/', { viewport: { width, height: 640 } })
    await home.fill('paste', { text: 'line\n'.repeat(200), description: 'opens more fields' })
    await page.evaluate('scrollTo(0, 0)')
    const box = await home.submitButton('paste').boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeWithin(1, 641)
  })

  describe('in the text', () => {
    test('Tab indents, and after Esc it leaves', async () => {
      const { page, home } = await openHome()
      await page.keyboard.type('a')
      await page.keyboard.press('Tab')
      await page.keyboard.type('b')
      expect(await home.field('paste', 'text').inputValue()).toBe('a\tb')
      await page.keyboard.press('Control+Z')
      expect(await home.field('paste', 'text').inputValue()).not.toContain('b')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
      expect(await focused(page)).not.toBe('field-text')
    })

    test('Shift+Tab leaves at once, and the page says how the keys work', async () => {
      const { page, home } = await openHome()
      await page.keyboard.press('Shift+Tab')
      expect(await focused(page)).not.toBe('field-text')
      const description = await home.field('paste', 'text').getAttribute('aria-describedby')
      expect(description).toContain('text-keys')
      expect(await page.locator('#text-keys').innerText()).toMatch(/Tab indents\. Press Esc, then Tab/)
    })
  })

  describe('as tabs', () => {
    test('shows one part at each address, and loses no text between them', async () => {
      const { page, home } = await openHome()
      const parts = ['#paste-form', '#link-form', '#items']
      const shown = async () =>
        (await Promise.all(parts.map((part) => page.locator(`${part} :visible`).count()))).map(
          (count) => count > 0,
        )
      expect(await shown()).toEqual([true, false, false])
      await home.fill('paste', { text: 'kept' })
      await home.tab('Short link').click()
      expect([new URL(page.url()).search, await page.title()]).toEqual(['?link', 'Short link · Shortcrust'])
      expect(await shown()).toEqual([false, true, false])
      expect(await focused(page)).toBe('field-url')
      await home.tab('My items').click()
      await page.getByRole('heading', { name: 'My items' }).waitFor()
      expect([new URL(page.url()).search, await shown()]).toEqual(['?items', [false, false, true]])
      await page.goBack()
      expect(await shown()).toEqual([false, true, false])
      await home.tab('New paste').click()
      expect(await home.field('paste', 'text').inputValue()).toBe('kept')
      expect(await home.tab('New paste').getAttribute('aria-current')).toBe('page')
    })

    test('opens the part of its address, also from another page', async () => {
      const { page, home } = await openHome('/?link')
      expect(await home.field('link', 'url').isVisible()).toBe(true)
      expect(await home.field('paste', 'text').isVisible()).toBe(false)
      await page.goto('/docs')
      await home.tab('Short link').click()
      await home.field('link', 'url').waitFor()
      expect(await home.field('paste', 'text').isVisible()).toBe(false)
    })

    test('without JavaScript has a page for each part, to which the bar leads', async () => {
      const { page, home } = await openHome('/docs', { javaScriptEnabled: false })
      const parts = [
        ['New paste', home.field('paste', 'text')],
        ['Short link', home.field('link', 'url')],
        ['My items', home.items.listButton],
      ] as const
      for (const [name] of parts) {
        await home.tab(name).click()
        await page.getByRole('heading', { name, level: 1 }).waitFor()
        expect(await page.title()).toBe(`${name} · Shortcrust`)
        expect(await home.tab(name).getAttribute('aria-current')).toBe('page')
        for (const [other, field] of parts)
          expect([other, await field.isVisible()]).toEqual([other, other === name])
        expect(await home.field('paste', 'key').isVisible()).toBe(true)
      }
    })

    test.each([360, 1280])('looks at %i px as it does with JavaScript: no part moves', async (width) => {
      const boxes = async (javaScriptEnabled: boolean) => {
        const { page, home } = await openHome('/', { javaScriptEnabled, viewport: { width, height: 720 } })
        const parts = [home.field('paste', 'text'), home.field('paste', 'key'), home.field('paste', 'title')]
        const found = await Promise.all(parts.map(async (part) => await part.boundingBox()))
        return { lefts: found.map((box) => box?.x), widths: found.map((box) => box?.width), page }
      }
      const [plain, scripted] = [await boxes(false), await boxes(true)]
      expect([plain.lefts, plain.widths]).toEqual([scripted.lefts, scripted.widths])
    })
  })

  describe('keeps what was typed', () => {
    test('when the tab is loaded again, until something was created', async () => {
      const { page, home } = await openHome()
      const typed = { text: 'a\n\tb', title: 'notes.py', expiresIn: 'after 1 week', alias: 'my-draft' }
      await home.fill('paste', typed)
      await page.getByLabel('Burn after reading').check()
      await page.reload()
      expect(await home.typed('paste', ['text', 'title', 'expiresIn', 'alias'])).toEqual({
        ...typed,
        expiresIn: '1w',
      })
      expect(await page.getByLabel('Burn after reading').isChecked()).toBe(true)
      await home.create('paste', { key: testKey })
      await home.addresses()
      await page.reload()
      expect(await home.typed('paste', ['text', 'title', 'alias'])).toEqual({
        text: '',
        title: '',
        alias: '',
      })
    })

    test('when another page is opened, without a question', async () => {
      const { page, home } = await openHome()
      const asked: string[] = []
      page.on('dialog', (dialog) => asked.push(dialog.type()))
      await home.field('paste', 'text').pressSequentially('typed')
      await page.goto('/docs')
      await page.goto('/')
      expect([await home.typed('paste', ['text']), asked]).toEqual([{ text: 'typed' }, []])
    })

    test('or asks before it is lost, where the browser keeps nothing', async () => {
      const { page, home } = await openHome()
      const asked: string[] = []
      page.on('dialog', (dialog) => asked.push(dialog.type()))
      await page.evaluate(`Storage.prototype.setItem = () => { throw new Error('full') }`)
      await page.goto('/docs')
      await page.goto('/')
      expect(asked).toEqual([])
      await page.evaluate(`Storage.prototype.setItem = () => { throw new Error('full') }`)
      await home.field('paste', 'text').pressSequentially('typed')
      await page.goto('/docs')
      expect(asked).toEqual(['beforeunload'])
    })

    test('but never the key', async () => {
      const { page, home } = await openHome()
      await home.fill('paste', { text: 'a', key: testKey })
      expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain(testKey)
    })
  })

  describe('shows a result', () => {
    test('that names what was created, when it expires and how often it can be read', async () => {
      const { page, home } = await openHome()
      await page.getByLabel('Burn after reading').check()
      await home.create('paste', { ...examplePaste, title: 'secret.txt' })
      await home.addresses()
      const card = await home.result.innerText()
      expect(card).toContain('Paste created, and the link is copied: secret.txt')
      expect(card).toContain('Can be read once.')
      // The default of this server, which nobody chose.
      expect(card).toMatch(/Expires in 4 weeks|Expires in 28 days/)
    })

    test('that goes when another creation begins, also one that fails', async () => {
      const { home } = await openHome()
      await home.create('link', exampleLink)
      await home.addresses()
      await home.create('link', { ...exampleLink, key: 'wrong' })
      await home.error('link').waitFor()
      expect(await home.result.isVisible()).toBe(false)
    })

    test('without JavaScript that no address shows again, and going on creates nothing twice', async () => {
      const { page, home } = await openHome('/', { javaScriptEnabled: false })
      await home.create('paste', { ...examplePaste, title: 'Only once' })
      const { url = '', deletion = '' } = await home.addresses()
      const { pathname, search } = new URL(page.url())
      expect(pathname + search).toBe('/')
      await page.goto(url)
      await page.goto('/')
      expect(await page.content()).not.toContain(deletion)
      expect(await home.result.isVisible()).toBe(false)
      await home.items.list(testKey)
      await page.getByRole('heading', { name: 'My items' }).waitFor()
      expect(await page.getByRole('link', { name: 'Only once' }).count()).toBe(1)
    })
  })

  describe('takes an address', () => {
    test('with white space around it', async () => {
      const { home } = await openHome('/?link')
      await home.create('link', { ...exampleLink, url: '  http://nas/files \t' })
      expect((await home.addresses()).url).toMatch(/\/s\/\w{7}$/)
    })

    test('without a scheme only after it was shown with one', async () => {
      const { home } = await openHome('/?link')
      await home.create('link', { ...exampleLink, url: 'grafana.lan' })
      expect(await home.error('link').innerText()).toContain('Did you mean http://grafana.lan?')
      expect(await home.field('link', 'url').inputValue()).toBe('http://grafana.lan')
      expect(await home.result.isVisible()).toBe(false)
      await home.submitButton('link').click()
      expect((await home.addresses()).url).toMatch(/\/s\/\w{7}$/)
    })

    test('by the Enter key, also without JavaScript', async () => {
      for (const javaScriptEnabled of [true, false]) {
        const { home } = await openHome('/?link', { javaScriptEnabled })
        await home.fill('link', exampleLink)
        await home.field('link', 'url').press('Enter')
        expect((await home.addresses()).url).toMatch(/\/s\/\w{7}$/)
      }
    })
  })

  test('asks for a kept key again when the server no longer knows it', async () => {
    const { page, home } = await openHome()
    await page.evaluate(`localStorage.setItem('shortcrust:key', 'sc_revoked-long-ago')`)
    await page.reload()
    expect(await home.field('paste', 'key').isVisible()).toBe(false)
    await home.create('paste', { text: 'a' })
    await home.error('paste').waitFor()
    expect(await home.field('paste', 'key').isVisible()).toBe(true)
    expect(await focused(page)).toBe('field-key')
  })

  test('shows where a file can be dropped', async () => {
    const { page } = await openHome()
    const dataTransfer = await page.evaluateHandle(
      `(() => { const t = new DataTransfer(); t.items.add(new File(['a'], 'a.txt')); return t })()`,
    )
    await page.dispatchEvent('main', 'dragover', { dataTransfer })
    expect(await page.locator('#drop').isVisible()).toBe(true)
    await page.dispatchEvent('main', 'drop', { dataTransfer })
    expect(await page.locator('#drop').isVisible()).toBe(false)
  })

  test('is filled with a paste to edit as new, in the place of a draft', async () => {
    const { page, home } = await openHome()
    await home.fill('paste', { text: 'a draft' })
    const { pasteUrl = '' } = await suite.client().paste({ ...examplePaste, text: 'the original' })
    await page.goto(`/?from=${pasteUrl.split('/').at(-1)}`)
    expect((await home.typed('paste', ['text', 'title'])).text).toBe('the original')
    await home.create('paste', { key: testKey })
    const { url } = await home.addresses()
    expect(await (await fetch(url.replace('/p/', '/p/raw/'))).text()).toBe('the original')
  })

  test.each([true, false])(
    'is filled by an address, which keeps its own draft, JavaScript: %p',
    async (isOn) => {
      const { page, home } = await openHome('/', { javaScriptEnabled: isOn })
      await home.fill('paste', { text: 'a draft' })
      await page.goto('/?text=from+elsewhere&title=T&language=py')
      const fields = ['text', 'title', 'language'] as const
      const typed = async () => Object.values(await home.typed('paste', fields))
      expect((await typed()).slice(0, 2)).toEqual(['from elsewhere', 'T'])
      await home.fill('paste', { text: 'from elsewhere, and more' })
      if (isOn) {
        await page.reload()
        expect((await typed())[0]).toBe('from elsewhere, and more')
        await page.goto('/')
        expect((await typed())[0]).toBe('a draft')
        return
      }
      await home.create('paste', { key: testKey })
      const { url } = await home.addresses()
      expect(await (await fetch(url.replace('/p/', '/p/raw/'))).text()).toBe('from elsewhere, and more')
    },
  )
})
