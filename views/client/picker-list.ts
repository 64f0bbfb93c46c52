import type { Choice } from '../../src/highlight/languages/language-search.ts'
import { elements } from './dom.ts'
import { placeBeside } from './place-popup.ts'

/** Options with a heading; empty sections are hidden. */
export type Section = { title: string; choices: readonly Choice[] }

/** Two words of a language, preferably beginning with the typed text. */
const hintOf = ({ spellings }: Choice, typed: string) => {
  const words = spellings.split(' ')
  const rank = (word: string) => Number(!word.startsWith(typed.toLowerCase().replace(/^\./, '')))
  return words
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, 2)
    .join(' ')
}

const optionOf = (choice: Choice, id: string, typed: string) => {
  const option = document.createElement('div')
  option.id = id
  option.role = 'option'
  option.append(choice.name)
  const words = document.createElement('span')
  words.textContent = hintOf(choice, typed)
  // Screen readers read only the name.
  words.ariaHidden = 'true'
  option.append(words)
  return option
}

/** The popup of a combobox. The focus stays in the input; at most one option is active. */
export const createPickerList = (
  box: HTMLElement,
  input: HTMLInputElement,
  onPick: (choice: Choice) => void,
) => {
  let shown: Choice[] = []
  let active = -1

  const options = () => elements('[role=option]', box)

  const activate = (at: number) => {
    active = at
    for (const [place, option] of options().entries()) option.ariaSelected = String(place === at)
    const option = options()[at]
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }

  const isOpen = () => !box.hidden

  const hide = () => {
    box.hidden = true
    box.hidePopover?.()
    input.ariaExpanded = 'false'
    activate(-1)
  }

  const show = (sections: readonly Section[], typed = '') => {
    shown = sections.flatMap(({ choices }) => choices)
    if (shown.length === 0) return hide()
    let at = 0
    box.replaceChildren(
      ...sections
        .filter(({ choices }) => choices.length > 0)
        .map(({ title, choices }) => {
          const group = document.createElement('div')
          group.role = 'group'
          group.ariaLabel = title
          group.append(...choices.map((choice) => optionOf(choice, `${box.id}-${at++}`, typed)))
          return group
        }),
    )
    box.hidden = false
    // On top of everything, so no container of the field cuts it off.
    box.showPopover?.()
    input.ariaExpanded = 'true'
    activate(-1)
    box.scrollTop = 0
    placeBeside(box, input)
  }

  /** Moves by some options; if none is active, to the first one, or backwards to the last one. */
  const move = (steps: number) => {
    const last = shown.length - 1
    if (active < 0) return activate(steps > 0 ? 0 : last)
    if (Math.abs(steps) === 1) return activate((active + steps + shown.length) % shown.length)
    activate(Math.min(last, Math.max(0, active + steps)))
  }

  // Keeps the focus in the input.
  box.addEventListener('mousedown', (event) => event.preventDefault())
  box.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest<HTMLElement>('[role=option]') : null
    const choice = option && shown[options().indexOf(option)]
    if (choice) onPick(choice)
  })
  const follow = () => {
    if (isOpen()) placeBeside(box, input)
  }
  for (const type of ['resize', 'scroll']) {
    addEventListener(type, follow, true)
    visualViewport?.addEventListener(type, follow)
  }

  return { show, hide, isOpen, move, active: () => shown[active], first: () => shown[0] }
}
