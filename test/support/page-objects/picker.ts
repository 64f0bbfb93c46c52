import type { Page } from 'playwright-core'

/** The field for a language, with and without JavaScript. */
export const languagePicker = (page: Page) => {
  const field = page.locator('.picker')
  const input = field.getByRole('combobox')
  const list = page.locator('.picker-list')
  const options = list.getByRole('option')
  return {
    field,
    select: field.locator('select'),
    input: field.locator('input'),
    combobox: input,
    list,
    options,
    error: field.locator('.field-error'),
    /** Names of the options, in their order. */
    offered: (): Promise<string[]> =>
      page.evaluate(
        `[...document.querySelectorAll('.picker-list [role=option]')].map((o) => o.firstChild.data)`,
      ),
    /** The option that the keyboard is at. */
    active: (): Promise<string | undefined> =>
      page.evaluate(`(() => {
        const id = document.querySelector('.picker input').getAttribute('aria-activedescendant')
        return id ? document.getElementById(id).firstChild.data : undefined
      })()`),
  }
}

/** Chooses by any word that finds a language. */
export const chooseLanguage = async (page: Page, word: string) => {
  const { select, input } = languagePicker(page)
  if (!(await input.isVisible())) return void (await select.selectOption(word))
  await input.fill(word)
  await input.press('Enter')
}
