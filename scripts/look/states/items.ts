import { homePage } from '../../../test/support/page-objects/home.ts'
import { itemsPage } from '../../../test/support/page-objects/items.ts'
import type { Stage, State } from '../state.ts'
import { ownedCounts } from '../stock.ts'

const page = { view: 'home-page', route: '/', needsScript: true, isLong: true } as const

/** An item as the browser keeps it. */
const keptItem = (at: number) => ({
  kind: at % 3 === 2 ? 'link' : 'paste',
  name: at % 5 === 3 ? '' : `Item number ${at + 1} of this browser`,
  url: `http://127.0.0.1/${at % 3 === 2 ? 's/8xkwphv' : 'p/7y84tyt5ec'}`,
  deletionUrl: `http://127.0.0.1/paste/delete?key=${at}`,
  createdAt: new Date(Date.now() - at * 5_000_000).toISOString(),
})

/** Every third item is a short link, on a list of its own; fifty are listed at once. */
const openList = async ({ page: tab, open }: Stage, count: number) => {
  const { rows, untilCount } = itemsPage(tab)
  await open('/?items')
  const listed = Math.min(count - Math.floor(count / 3), 50)
  await (listed === 0 ? untilCount(0) : rows.nth(listed - 1).waitFor())
}

const ofBrowser = (count: number): State => ({
  ...page,
  name: `items/browser-${count}`,
  shows: `${count} items of this browser, no key`,
  show: async (stage) => {
    await stage.keep({ items: JSON.stringify(Array.from({ length: count }, (_, at) => keptItem(at))) })
    await openList(stage, count)
  },
})

const ofKey = (count: (typeof ownedCounts)[number]): State => ({
  ...page,
  name: `items/key-${count}`,
  shows: `${count} items of the kept key`,
  show: async (stage) => {
    await stage.keep({ key: await stage.stock.owner(count), 'key-name': `owner-${count}` })
    await openList(stage, count)
  },
})

/** Without a script the list is a page of its own. */
const onItsOwn = (count: (typeof ownedCounts)[number]): State => ({
  name: `items/page-${count}`,
  shows: `${count} items of the key that was typed`,
  view: 'items-page',
  route: '/',
  isLong: true,
  isPlain: true,
  show: async (stage) => {
    await stage.open('/')
    const home = homePage(stage.page)
    await home.fill('paste', { key: await stage.stock.owner(count) })
    const loaded = stage.page.waitForEvent('load')
    await home.items.listButton.click()
    await loaded
  },
})

/** My items, of this browser and of a key. */
export const itemStates: readonly State[] = [
  ...ownedCounts.map(ofBrowser),
  ...ownedCounts.map(ofKey),
  ...ownedCounts.map(onItsOwn),
]
