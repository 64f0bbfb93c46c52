import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { createClient } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { editPage } from '../support/page-objects/edit.ts'
import { chooseLanguage } from '../support/page-objects/picker.ts'
import { run, testKey } from '../support/process.ts'

describe.skipIf(!requireChromium())('the page that changes an item', () => {
  const suite = browserSuite('--rate-limit', 'off')
  let made = 0

  const change = (path: string, fields: object, key = testKey) =>
    fetch(suite.server().url + path, {
      method: 'PATCH',
      headers: { key, 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    })
  const recordOf = async (path: string) => (await suite.client().get(path, { key: testKey })).json()
  const pasteOf = async (name: string) =>
    ((await recordOf(`/pastes/${name}`)) as { paste: Record<string, string> }).paste

  /** A name of its own, and a paste that had each of these texts in turn. */
  const newPaste = async ([text = '', ...later]: readonly string[], fields = {}, key = testKey) => {
    const alias = `edit-${made++}`
    const client = createClient(suite.server().url, key)
    await client.paste({ text, title: 'notes.md', language: 'markdown', alias, ...fields })
    for (const text of later) await change(`/pastes/${alias}`, { text })
    return alias
  }
  const openTab = async (key = testKey, options = {}) => {
    const page = await suite.open(options)
    const edit = editPage(page)
    await edit.keepKey(key)
    return { page, edit }
  }
  const openNew = async (texts: readonly string[], fields = {}, options = {}) => {
    const name = await newPaste(texts, fields)
    const tab = await openTab(testKey, options)
    await tab.edit.open(name)
    return { name, ...tab }
  }
  const newKey = async (...limits: string[]) => {
    const name = `edit-key-${made++}`
    const { stdout } = await run(['keys', 'add', name, '--data', suite.server().data, ...limits])
    return stdout.trim()
  }

  test('is offered on the page of a paste and of a link, for the key that made it alone', async () => {
    const name = await newPaste(['one\n'])
    await suite.client().link('https://example.org/', { alias: `link-${name}` })
    const { page } = await openTab()
    const button = page.getByRole('link', { name: 'Edit', exact: true })
    for (const path of [`/p/${name}`, `/s/link-${name}+`]) {
      await page.goto(path)
      await button.waitFor()
      await button.click()
      await page.locator('.edit.loaded').waitFor()
    }
    const { page: stranger } = await openTab(await newKey())
    const asked = stranger.waitForResponse((response) => response.url().endsWith(`/pastes/${name}`))
    await stranger.goto(`/p/${name}`)
    expect([(await asked).status(), await stranger.locator('#edit').isVisible()]).toEqual([404, false])
  })

  test('asks nothing and offers nothing without a kept key, without JavaScript, and where it burns', async () => {
    const name = await newPaste(['one\n'])
    const asked: string[] = []
    for (const options of [{}, { javaScriptEnabled: false }]) {
      const page = await suite.open(options)
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.goto(`/p/${name}`)
      await page.waitForLoadState('networkidle')
      expect(await page.locator('#edit').isVisible()).toBe(false)
    }
    expect(asked.filter((path) => path.startsWith('/pastes'))).toEqual([])
    const { page } = await openTab()
    await page.goto(suite.local((await suite.client().paste({ maxReads: 3 })).pasteUrl))
    await page.locator('main form button').click()
    await page.locator('#code').waitFor()
    expect(await page.locator('#edit').count()).toBe(0)
  })

  test('sends what was changed and nothing else, and leads to the page of the paste', async () => {
    const { name, page, edit } = await openNew(['one\n'], { description: 'a\nb', expiresIn: '3d' })
    expect(await edit.heading.innerText()).toBe('Edit “notes.md”')
    expect(await edit.field('expiresIn').locator('option').first().innerText()).toBe('Keep (in 3 days)')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await edit.text.fill('two\n')
    await chooseLanguage(page, 'rust')
    await edit.field('expiresIn').selectOption('never')
    await edit.save.click()
    expect((await sent).postDataJSON()).toEqual({ text: 'two\n', language: 'rust', expiresIn: null })
    expect((await sent).headers()['if-match']).toMatch(/^"1\.\w+"$/)
    await page.waitForURL(`**/p/${name}`)
    expect(await pasteOf(name)).toMatchObject({ text: 'two\n', title: 'notes.md', description: 'a\nb' })
  })

  test('lets the server find the language, if the field is emptied', async () => {
    const { name, page, edit } = await openNew(['{"a": [1, 2]}\n'], { title: 'Notes' })
    await chooseLanguage(page, '')
    await edit.save.click()
    await page.waitForURL(`**/p/${name}`)
    expect(await pasteOf(name)).toMatchObject({ language: 'json', text: '{"a": [1, 2]}\n' })
  })

  test('keeps the line ends of a text', async () => {
    const { name, page, edit } = await openNew(['one\r\ntwo\r\n'])
    await edit.field('title').fill('Windows')
    await edit.save.click()
    await page.waitForURL(`**/p/${name}`)
    expect((await pasteOf(name)).text).toBe('one\r\ntwo\r\n')
    await edit.open(name)
    await edit.text.fill('one\n2\n')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(`**/p/${name}`)
    expect((await pasteOf(name)).text).toBe('one\r\n2\r\n')
  })

  test('changes the target of a short link, says what is wrong with it, and shows where it leads', async () => {
    const alias = `edit-${made++}`
    await suite.client().link('https://example.org/1', { alias })
    const { page, edit } = await openTab()
    await edit.open(alias, 'link')
    await edit.field('url').fill('https://user@/')
    await edit.save.click()
    await edit.fieldError('url').getByText('cannot be used').waitFor()
    await edit.field('url').fill('https://example.org/2')
    await edit.field('linkExpiresIn').selectOption('1d')
    await edit.save.click()
    await page.waitForURL(`**/s/${alias}+`)
    expect(await page.locator('.target').innerText()).toBe('https://example.org/2')
  })

  test('says beside the field what is wrong, and keeps what was typed', async () => {
    const { edit } = await openNew(['one\n'])
    await edit.text.fill('')
    await edit.save.click()
    await edit.fieldError('text').getByText('Enter the text').waitFor()
    await edit.text.fill('two')
    await edit.field('title').fill('long '.repeat(300))
    await edit.save.click()
    await edit.fieldError('title').getByText('Shorten the title').waitFor()
    expect(await edit.text.inputValue()).toBe('two')
    await edit.text.fill('one\n')
    await edit.field('title').fill('notes.md')
    await edit.save.click()
    await edit.alert.getByText('You changed nothing.').waitFor()
  })

  test('overwrites nothing that was changed meanwhile: compares both, and saves on top', async () => {
    const { name, page, edit } = await openNew(['one\n'])
    await edit.text.fill('mine\n')
    await change(`/pastes/${name}`, { text: 'theirs\n', title: 'their title' })
    await edit.save.click()
    await edit.alert.getByText('Someone saved version 2 in the meantime').waitFor()
    expect(await edit.text.inputValue()).toBe('mine\n')
    await edit.compareNewest.click()
    await edit.shown.locator('ins').waitFor()
    expect(await edit.shown.innerText()).toMatch(/−\s*theirs\n+\+\s*mine/)
    await edit.close.click()
    await edit.save.click()
    await page.waitForURL(`**/p/${name}`)
    expect(await pasteOf(name)).toMatchObject({ text: 'mine\n', title: 'their title', version: 3 })
  })

  test('keeps what was typed over a reload without a question, until it is discarded', async () => {
    const { name, page, edit } = await openNew(['one\n'])
    await edit.text.fill('typed\n')
    await edit.field('title').fill('')
    const asked: string[] = []
    page.on('dialog', (dialog) => asked.push(dialog.type()))
    await page.reload()
    expect(asked).toEqual([])
    await page.locator('.edit.loaded').waitFor()
    expect([await edit.text.inputValue(), await edit.field('title').inputValue()]).toEqual(['typed\n', ''])
    await page.goto('/')
    expect(await page.locator('#field-text').inputValue()).toBe('')
    await edit.open(name)
    await edit.cancel.click()
    await edit.sure.getByRole('button', { name: 'Cancel' }).click()
    expect(await edit.text.inputValue()).toBe('typed\n')
    await edit.cancel.click()
    await edit.sure.getByRole('button', { name: 'Discard' }).click()
    await page.waitForURL(`**/p/${name}`)
    await edit.open(name)
    expect(await edit.text.inputValue()).toBe('one\n')
  })

  test('shows, compares and brings back earlier versions', async () => {
    const { name, page, edit } = await openNew(['one\nsame\n', 'two\nsame\n', 'three\nsame\n'])
    expect((await edit.versions.allInnerTexts()).map((row) => row.split('\n')[0])).toEqual([
      'Version 3, the newest',
      'Version 2',
      'Version 1',
    ])
    await edit.version(1).click()
    await edit.shown.getByText('one').waitFor()
    expect(await edit.text.isVisible()).toBe(false)
    await edit.compareWith('3')
    await edit.shown.locator('ins').waitFor()
    expect(await edit.shown.innerText()).toMatch(/−\s*one\n+\+\s*three\s+same/)
    await edit.compareWith('2')
    await edit.shown.getByText('two').waitFor()
    await edit.bringBack.click()
    await edit.text.waitFor()
    expect(await edit.text.inputValue()).toBe('one\nsame\n')
    await edit.save.click()
    await page.waitForURL(`**/p/${name}`)
    expect(await pasteOf(name)).toMatchObject({ text: 'one\nsame\n', version: 4 })
  })

  test('shows a comparison side by side, and saves it as a patch', async () => {
    const { name, page, edit } = await openNew(['one\nsame\n', 'two\nsame\n'])
    await edit.version(1).click()
    await edit.shown.getByText('one').waitFor()
    expect(await edit.savePatch.isVisible()).toBe(false)
    await edit.compareWith('2')
    await edit.sideBySide.click()
    await edit.shown.locator('.pair').first().waitFor()
    expect(await edit.sideBySide.getAttribute('aria-pressed')).toBe('true')
    const [download] = await Promise.all([page.waitForEvent('download'), edit.savePatch.click()])
    expect(download.suggestedFilename()).toBe(`${name}-version-1-version-2.patch`)
    const patch = await Bun.file(await download.path()).text()
    expect(patch).toMatch(
      /^--- \S+\tversion 1\n\+\+\+ \S+\tversion 2\n@@ -1,2 \+1,2 @@\n-one\n\+two\n same\n$/,
    )
    await edit.close.click()
    await edit.text.fill('two\nsame\nmore\n')
    await edit.version(2).click()
    await edit.compareWith('typed')
    await edit.shown.locator('.pair ins').waitFor()
    await edit.sideBySide.click()
    await edit.shown.locator('.pair').first().waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await edit.sideBySide.isVisible()).toBe(false)
    expect(await edit.savePatch.isVisible()).toBe(true)
  })

  test('asks before a version replaces what was typed, and before it erases earlier ones', async () => {
    const { name, edit } = await openNew(['one\n', 'two\n'])
    await edit.text.fill('typed\n')
    await edit.version(1).click()
    await edit.bringBack.click()
    await edit.sure.getByRole('button', { name: 'Cancel' }).click()
    await edit.close.click()
    expect(await edit.text.inputValue()).toBe('typed\n')
    await edit.erase.click()
    await edit.sure.getByRole('button', { name: 'Erase' }).click()
    await edit.versions.first().waitFor({ state: 'hidden' })
    expect(await recordOf(`/pastes/${name}/versions`)).toMatchObject({ versions: [{ version: 2 }] })
    expect(await edit.text.inputValue()).toBe('typed\n')
  })

  test('gives up comparing texts that differ too much, and says so', async () => {
    // The same lines in another order take the longest.
    const texts = [7919, 104_729].map((step) =>
      Array.from({ length: 20_000 }, (_, at) => (at * step) % 20_000).join('\n'),
    )
    const { name, edit } = await openNew(texts)
    // A busy machine first says that it takes too long, and goes on.
    const ask = () => suite.client().get(`/pastes/${name}/versions/1/2`, { key: testKey, ...browser })
    while ((await ask()).status === 503) await Bun.sleep(250)
    await edit.version(1).click()
    await edit.compareWith('2')
    await edit.facts.getByText('differ too much').waitFor()
    expect(await edit.shown.innerText()).toBe('')
  })

  test('asks for a key where none is kept, says which key is wrong, and goes on with the right one', async () => {
    const name = await newPaste(['one\n'])
    const page = await suite.open()
    const edit = editPage(page)
    await page.goto(`/?edit=${name}`)
    await edit.openItem.click()
    await edit.fieldError('key').getByText('Enter the API key you created it with.').waitFor()
    for (const [key, says] of [
      ['sc_wrong', 'not valid'],
      [await newKey(), 'did not create this paste'],
    ] as const) {
      await edit.field('key').fill(key)
      await edit.field('key').press('Tab')
      await edit.fieldError('key').getByText(says).waitFor()
    }
    await edit.field('key').fill(testKey)
    await edit.field('key').press('Tab')
    await page.locator('.edit.loaded').waitFor()
    expect(await edit.text.inputValue()).toBe('one\n')
    expect(await edit.fieldError('key').innerText()).toBe('')
  })

  test('says that a key was revoked meanwhile, and keeps what was typed', async () => {
    const key = await newKey()
    const alias = await newPaste(['one\n'], {}, key)
    const { page, edit } = await openTab(key)
    await edit.open(alias)
    await edit.text.fill('typed\n')
    await page.route('**/pastes/*', (route) =>
      route.continue({ headers: { ...route.request().headers(), key: 'sc_revoked' } }),
    )
    await edit.save.click()
    await edit.fieldError('key').getByText('not valid').waitFor()
    expect(await edit.text.inputValue()).toBe('typed\n')
  })

  test('waits as long as a rate limit says', async () => {
    const key = await newKey('--rate', '1/1h')
    const name = await newPaste(['one\n'], {}, key)
    const { page, edit } = await openTab(key)
    await edit.open(name)
    await edit.text.fill('typed\n')
    await edit.save.click()
    await edit.alert.getByText('Too many requests').waitFor()
    expect(await page.locator('button[value=paste]').innerText()).toMatch(/^Try again in \d+ s$/)
  })

  test('cannot change what burns after reading', async () => {
    const alias = `edit-${made++}`
    await suite.client().paste({ maxReads: 3, alias })
    const { page, edit } = await openTab()
    await page.goto(`/?edit=${alias}`)
    await edit.alert.getByText('burns after reading, so it cannot be changed').waitFor()
    expect(await edit.text.isVisible()).toBe(false)
  })

  test('says without JavaScript what to do instead', async () => {
    const page = await suite.open({ javaScriptEnabled: false })
    await page.goto('/?edit=any')
    expect(await page.locator('main').innerText()).toMatch(/^Editing needs JavaScript/)
  })

  test('is in the menu of each item of a kept key that can be changed', async () => {
    const name = await newPaste(['one\n'], { title: 'to be changed' })
    await suite.client().paste({ maxReads: 3, title: 'to be burnt' })
    const { page } = await openTab()
    await page.goto('/?items')
    const burnt = page.locator('.item-list li', { hasText: 'to be burnt' }).first()
    await burnt.waitFor()
    expect(await burnt.locator('.edit-item').isHidden()).toBe(true)
    await page.getByLabel('More for “to be changed”').first().click()
    await page.locator('.item-list li', { hasText: 'to be changed' }).first().locator('.edit-item').click()
    await page.waitForURL(`**/?edit=${name}`)
  })
})
