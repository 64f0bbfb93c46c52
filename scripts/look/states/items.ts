import { homePage } from '../../../test/support/page-objects/home.ts'
import type { State } from '../state.ts'

const page = { view: 'home-page', route: '/', needsScript: true } as const

/** An item as the browser keeps it. */
const keptItem = (at: number) => ({
  kind: at % 3 === 2 ? 'link' : 'paste',
  name: at % 5 === 3 ? '' : `Item number ${at + 1} of this browser`,
  url: `http://127.0.0.1/${at % 3 === 2 ? 's/8xkwphv' : 'p/7y84tyt5ec'}`,
  deletionUrl: `http://127.0.0.1/paste/delete?key=${at}`,
  createdAt: new Date(Date.now() - at * 5_000_000).toISOString(),
})

const kept = (count: number): State => ({
  ...page,
  name: `items/browser-${count}`,
  shows: `My items without a key: ${count} of this browser`,
  isLong: true,
  show: async (stage) => {
    await stage.keep({ items: JSON.stringify(Array.from({ length: count }, (_, at) => keptItem(at))) })
    const home = homePage(stage.page)
    await stage.open(home.path('items'))
    await home.items.untilShown(count)
  },
})

/** My items, of this browser. */
export const itemStates: readonly State[] = [0, 3, 300].map(kept)
