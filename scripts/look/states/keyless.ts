import { editPage } from '../../../test/support/page-objects/edit.ts'
import { exampleLink, examplePaste, homePage } from '../../../test/support/page-objects/home.ts'
import { itemsPage } from '../../../test/support/page-objects/items.ts'
import { testKey } from '../../../test/support/process.ts'
import { networkOfGuests, userHeader } from '../stage.ts'
import { type Show, type Stage, statesOf } from '../state.ts'

const [isLong, needsScript] = [true, true] as const

const guest = { 'X-Forwarded-For': networkOfGuests.replace('0/24', '7') }
const alice = { [userHeader]: 'alice' }
const longName = { [userHeader]: `${'a-very-long-name.'.repeat(6)}@example.org` }

/** Opens the server as a proxy passes somebody on. */
const as =
  (headers: Record<string, string>, show: (stage: Stage) => Promise<unknown>): Show =>
  async (stage) => {
    await stage.page.setExtraHTTPHeaders(headers)
    await show(stage)
  }

const { key: _, ...paste } = examplePaste
const { key: __, ...link } = exampleLink

/** Unfolds the field and sends a key that is none. */
const withWrongKey = async ({ page, open }: Stage) => {
  await open('/')
  await page.locator('.sender').click()
  const home = homePage(page)
  await home.create('paste', { ...paste, key: 'sc_wrong' })
  await home.answered('paste')
}

const createdPaste = async ({ page, open }: Stage) => {
  await open('/')
  const home = homePage(page)
  await home.create('paste', paste)
  await home.answered('paste')
}

/** @returns the name of a paste of alice */
const pasteOfAlice = async ({ client }: Stage) => {
  const headers = { ...alice, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ ...paste, title: 'Written by alice' })
  const answer = await client.get('/paste', headers, { method: 'POST', body })
  return ((await answer.json()) as { pasteUrl: string }).pasteUrl.split('/').at(-1) ?? ''
}

const home = statesOf('home', 'home-page', '/')
const linkPage = statesOf('link', 'home-page', '/')
const items = statesOf('items', 'home-page', '/')
const edit = statesOf('edit', 'edit-page', '/')

/** Pages of people who need no key: guests of the network, and users that a proxy names. */
export const keylessStates = [
  home('guest', 'A guest of the network', as(guest, ({ open }) => open('/')), { isLong }),
  home('guest-key', 'A guest unfolds the field for a key', as(guest, async ({ page, open }) => {
    await open('/')
    await page.locator('.sender').click()
  }), { isLong }),
  home('guest-key-kept', 'A guest whose browser keeps a key', as(guest, async ({ keep, open }) => {
    await keep({ key: testKey, 'key-name': 'laptop' })
    await open('/')
  }), { needsScript }),
  home('guest-error-key', 'A guest typed a key that is not valid', as(guest, withWrongKey), { isLong }),
  home('guest-created', 'A guest created a paste', as(guest, createdPaste), { isLong }),
  home('user', 'A user that the proxy names', as(alice, ({ open }) => open('/')), { isLong }),
  home('user-long', 'A user with a long name', as(longName, ({ open }) => open('/'))),
  linkPage('guest', 'A guest shortens an address', as(guest, async ({ page, open }) => {
    await open(homePage(page).path('link'))
    await homePage(page).fill('link', link)
  })),
  items('user', 'What a user created', as(alice, async (stage) => {
    await pasteOfAlice(stage)
    await stage.open('/?items')
    await itemsPage(stage.page).rows.first().waitFor()
  }), { needsScript }),
  edit('user', 'A user changes a paste without a key', as(alice, async (stage) => {
    await editPage(stage.page).open(await pasteOfAlice(stage), 'paste')
  }), { needsScript }),
] // biome-ignore format: a table to skim
