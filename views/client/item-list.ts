import { countOf, countText } from '../../src/format.ts'
import { showAges } from './age.ts'
import { drawn, Refusal, requestText } from './api.ts'
import { element } from './dom.ts'

/** What to list: every word of `q`, in the order that `sort` names. Both may be empty. `owner` is for admin keys. */
export type Wanted = { kind: 'paste' | 'link'; q: string; sort: string; owner?: string }

/** How many items there are in all. */
export type Totals = Record<Wanted['kind'], number>

/** Some rows, and a function that loads the next ones. `isPartial` is true if the server still reads texts. */
export type ItemPage = {
  rows: HTMLElement[]
  next?: () => Promise<ItemPage>
  isPartial?: boolean
  totals: Totals
}

export const pageSize = 50

const uses = { paste: 'reads', link: 'visits' }
const nouns = { paste: 'paste', link: 'short link' }

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
  const { after: following, partial, pastes, links } = found.dataset
  return {
    rows: [...found.children] as HTMLElement[],
    isPartial: partial !== undefined,
    totals: { paste: Number(pastes), link: Number(links) },
    ...(following && { next: () => serverPage(wanted, key, following) }),
  }
}

type ListParts = {
  /** Gets each row before it is shown. */
  dress?: (row: HTMLElement) => void
  /** Called when rows came or went. `isEmpty` is false for a search that found nothing. */
  onCount?: (totals: Totals, isEmpty: boolean) => void
  /** Called when the server refuses the key. */
  onUnknownKey?: () => void
}

/** The list of a page. */
export const createItemList = ({ dress = () => {}, onCount = () => {}, onUnknownKey }: ListParts = {}) => {
  const list = element('.item-list')
  const more = element<HTMLButtonElement>('#more-items')
  let wanted: Wanted | undefined
  /** Loads the next page, or retries a failed one. */
  let next: (() => Promise<ItemPage>) | undefined
  /** Grows with each new list; responses for older lists are dropped. */
  let generation = 0
  let isPartial = false
  let totals: Totals = { paste: 0, link: 0 }

  const showState = (state: string, error = '') => {
    element('#items-state').textContent = state
    element('#items-error').textContent = error
  }

  /** Says how many rows there are. Screen readers read it, since the place is a live region. */
  const showCount = () => {
    const { kind, q } = wanted as Wanted
    const count = list.childElementCount
    const reading = isPartial ? ' The server is still reading texts; there may be more.' : ''
    const none = q ? `Nothing found for “${q}”.` : `No ${nouns[kind]}s yet.`
    const found = `${next ? 'The first ' : ''}${countOf(count, nouns[kind])} found.`
    const all = `${next ? `${countText(count)} of ` : ''}${countOf(totals[kind], nouns[kind])}.`
    const some = q ? found : all
    showState(count === 0 && next ? '' : (count === 0 ? none : some) + reading)
    more.textContent = q ? 'Show more' : `Show ${Math.min(pageSize, totals[kind] - count)} more`
    onCount(totals, count === 0 && !next && q === '')
  }

  const showPage = (page: ItemPage, isFirst: boolean) => {
    for (const row of page.rows) dress(row)
    if (isFirst) list.replaceChildren(...page.rows)
    else list.append(...page.rows)
    showAges(list)
    next = page.next
    isPartial = page.isPartial === true
    totals = page.totals
    showCount()
    return page.rows[0]
  }

  /** Adds a page to the list, or replaces the list by a first one. @returns its first row */
  const append = async (load: () => Promise<ItemPage>, isFirst: boolean) => {
    const mine = generation
    next = undefined
    list.ariaBusy = 'true'
    more.textContent = 'Loading…'
    try {
      const page = await load()
      return mine === generation ? showPage(page, isFirst) : undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (mine !== generation) return undefined
      if (isFirst) list.replaceChildren()
      if (error.status === 401) onUnknownKey?.()
      next = load
      more.textContent = 'Try again'
      showState('', error.problem.message)
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
    /** A row is gone, because its item was deleted. */
    countDeleted: () => {
      totals[(wanted as Wanted).kind]--
      showCount()
    },
    /** Replaces the list by what is wanted. */
    show: (of: Wanted, load: () => Promise<ItemPage>) => {
      wanted = of
      generation++
      return append(load, true)
    },
  }
}
