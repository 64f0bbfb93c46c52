import { showAges } from './age.ts'
import { drawn, Refusal, requestText } from './api.ts'
import { element } from './dom.ts'

/** What to list: every word of `q`, in the order that `sort` names. Both may be empty. `owner` is for admin keys. */
export type Wanted = { kind: 'paste' | 'link'; q: string; sort: string; owner?: string }

/** Some rows, and a function that loads the next ones. `isPartial` is true if the server still reads texts. */
export type ItemPage = { rows: HTMLElement[]; next?: () => Promise<ItemPage>; isPartial?: boolean }

export const pageSize = 50

const uses = { paste: 'reads', link: 'visits' }
const nouns = { paste: 'paste', link: 'short link' }

/** `1 visit`, `1,000 visits` */
export const countOf = (count: number, word: string) =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

/** Items of a key, drawn by the server. @throws {Refusal} */
export const serverPage = async (wanted: Wanted, key: string, after?: string): Promise<ItemPage> => {
  const { kind, q, owner } = wanted
  const sort = wanted.sort === 'uses' ? uses[kind] : wanted.sort
  const query = new URLSearchParams({
    ...(owner && { owner }),
    limit: String(pageSize),
    ...(q && { q }),
    ...(sort && { sort }),
    ...(after && { after }),
  })
  const found = element('ul', drawn(await requestText(`key/${kind}s?${query}`, { headers: { key } })))
  const { after: following, partial } = found.dataset
  return {
    rows: [...found.children] as HTMLElement[],
    isPartial: partial !== undefined,
    ...(following && { next: () => serverPage(wanted, key, following) }),
  }
}

/** The list of a page. @param dress gets each row before it is shown */
export const createItemList = (dress: (row: HTMLElement) => void = () => {}) => {
  const list = element('.item-list')
  const more = element<HTMLButtonElement>('#more-items')
  let wanted: Wanted | undefined
  /** Loads the next page, or retries a failed one. */
  let next: (() => Promise<ItemPage>) | undefined
  /** Grows with each new list; responses for older lists are dropped. */
  let generation = 0
  let isPartial = false

  const showState = (state: string, error = '') => {
    element('#items-state').textContent = state
    element('#items-error').textContent = error
  }

  /** Says how many rows there are. Screen readers read it, since the place is a live region. */
  const showCount = () => {
    const { kind, q } = wanted as Wanted
    const count = list.childElementCount
    const reading = isPartial ? ' The server still reads texts; there may be more.' : ''
    const none = q ? `Nothing found for “${q}”.` : `No ${nouns[kind]}s yet.`
    const some = `${next ? 'The first ' : ''}${countOf(count, nouns[kind])}${q ? ' found' : ''}.`
    showState(count === 0 && next ? '' : (count === 0 ? none : some) + reading)
  }

  const showPage = (page: ItemPage, isFirst: boolean) => {
    for (const row of page.rows) dress(row)
    if (isFirst) list.replaceChildren(...page.rows)
    else list.append(...page.rows)
    showAges(list)
    next = page.next
    isPartial = page.isPartial === true
    more.textContent = 'Show more'
    showCount()
    return page.rows[0]
  }

  /** Adds a page to the list, or replaces the list by a first one. @returns its first row */
  const append = async (load: () => Promise<ItemPage>, isFirst: boolean) => {
    const mine = generation
    next = undefined
    list.ariaBusy = 'true'
    more.textContent = 'Loading…'
    if (element('#items-state').textContent === '') showState('Loading…')
    try {
      const page = await load()
      return mine === generation ? showPage(page, isFirst) : undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (mine !== generation) return undefined
      if (isFirst) list.replaceChildren()
      next = load
      more.textContent = 'Try again'
      // An error names the field of the API.
      showState('', error.message.replace('"q"', 'The search'))
      return undefined
    } finally {
      if (mine === generation) {
        list.ariaBusy = 'false'
        more.hidden = next === undefined
      }
    }
  }

  more.addEventListener('click', async () => {
    if (!next) return
    const first = await append(next, list.childElementCount === 0)
    first?.querySelector<HTMLElement>('input, a')?.focus()
  })

  return {
    list,
    showState,
    showCount,
    /** Replaces the list by what is wanted. */
    show: (of: Wanted, load: () => Promise<ItemPage>) => {
      wanted = of
      generation++
      return append(load, true)
    },
  }
}
