import { element, elements } from './dom.ts'
import type { Wanted } from './item-list.ts'

export const form = element<HTMLFormElement>('#items-finding')
const searchField = element<HTMLInputElement>('#items-q')
const sorts = element<HTMLSelectElement>('#items-sort')
const buttons = elements<HTMLButtonElement>('#items .switch button')

/** Presses the button of a kind. */
export const chooseKind = (kind: Wanted['kind']) => {
  for (const button of buttons) button.ariaPressed = String(button.dataset.kind === kind)
  element('[value=uses]', sorts).textContent = kind === 'paste' ? 'Most read' : 'Most visited'
  // This browser keeps no texts.
  const fields = document.documentElement.matches('.has-key, .has-user') ? 'titles and texts' : 'titles'
  searchField.placeholder = `Search ${kind === 'paste' ? fields : 'short links'}`
}

/** What is typed and chosen. */
export const wantedNow = (): Wanted => ({
  kind: buttons.find(({ ariaPressed }) => ariaPressed === 'true')?.dataset.kind as Wanted['kind'],
  q: searchField.value.trim(),
  sort: sorts.value,
})

/** The address that shows the same list after a reload. */
export const addressOf = ({ kind, q, sort }: Wanted) => {
  const query = new URLSearchParams({
    ...(kind === 'link' && { kind }),
    ...(q && { q }),
    ...(sort && { sort }),
  }).toString()
  return `?items${query && `&${query}`}`
}

/** Types and chooses what the address names. */
export const fillFromAddress = () => {
  const query = new URLSearchParams(location.search)
  chooseKind(query.get('kind') === 'link' ? 'link' : 'paste')
  searchField.value = query.get('q') ?? ''
  sorts.value = query.get('sort') ?? ''
  // There is no such order.
  if (sorts.selectedIndex < 0) sorts.value = ''
}
