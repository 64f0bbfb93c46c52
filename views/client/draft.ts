import { elements } from './dom.ts'
import { fill, form } from './form.ts'

let name = 'shortcrust:draft'

/** Every field except the key. */
const inputs = () => elements<HTMLInputElement>('[name]:not([name=key], [name=create])', form)

const isChosen = ({ type, checked }: HTMLInputElement) => type !== 'checkbox' || checked

/** False while something typed is in this page alone. */
let isKept = true

const keep = () => {
  const draft = inputs()
    .filter(isChosen)
    .map((input) => [input.name, input.value])
  try {
    sessionStorage.setItem(name, JSON.stringify(draft))
    isKept = true
  } catch {
    // Storage is off or full.
    isKept = false
  }
}

/** @returns true if there was a draft */
const restore = () => {
  try {
    const draft: [string, string][] = JSON.parse(sessionStorage.getItem(name) ?? '[]')
    for (const [field, value] of draft) {
      const input = inputs().find((one) => one.name === field)
      if (input?.type === 'checkbox') input.checked = true
      else if (input) fill(field, value)
    }
    return draft.length > 0
  } catch {
    // Not our draft, but written by another program.
    return false
  }
}

/** Forgets the draft, so leaving the page does not warn. */
export const dropDraft = () => {
  isKept = true
  try {
    sessionStorage.removeItem(name)
  } catch {
    // Storage is off.
  }
}

/**
 * Keeps the draft for this tab, and asks before leaving only if the browser cannot keep it.
 * @param isFilled true if the server filled the form
 * @param item names what is changed, or what the form was filled with; empty for something new
 * @returns true if there was a draft
 */
export const enableDraft = (isFilled: boolean, item = '') => {
  name += item
  const isRestored = !isFilled && restore()
  form.addEventListener('input', ({ target }) => {
    if ((target as HTMLInputElement).name) keep()
  })
  addEventListener('beforeunload', (event) => {
    if (!isKept && inputs().some((input) => input.value && /^(?:text|url)$/.test(input.name)))
      event.preventDefault()
  })
  return isRestored
}
