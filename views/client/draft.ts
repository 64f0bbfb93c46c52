import { elements } from './dom.ts'
import { fill, form, typedIn } from './form.ts'

const name = 'shortcrust:draft'

/** Every field except the key. */
const inputs = () => elements<HTMLInputElement>('[name]:not([name=key], [name=create])', form)

const isChosen = ({ type, checked, value }: HTMLInputElement) =>
  type === 'checkbox' ? checked : value !== ''

const keep = () => {
  const draft = inputs()
    .filter(isChosen)
    .map((input) => [input.name, input.value])
  try {
    sessionStorage.setItem(name, JSON.stringify(draft))
  } catch {
    // Storage is off or full; leaving the page still warns.
  }
}

const restore = () => {
  try {
    const draft: [string, string][] = JSON.parse(sessionStorage.getItem(name) ?? '[]')
    for (const [field, value] of draft) {
      const input = inputs().find((one) => one.name === field)
      if (input?.type === 'checkbox') input.checked = true
      else if (input) fill(field, value)
    }
  } catch {
    // Not our draft, but written by another program.
  }
}

let isDirty = false

/** Forgets the draft, so leaving the page does not warn. */
export const dropDraft = () => {
  isDirty = false
  try {
    sessionStorage.removeItem(name)
  } catch {
    // Storage is off.
  }
}

/** Keeps the draft when the tab is reloaded, and warns before leaving. @param isFilled true if the server filled the form */
export const enableDraft = (isFilled: boolean) => {
  if (!isFilled) restore()
  form.addEventListener('input', () => {
    isDirty = true
    keep()
  })
  addEventListener('beforeunload', (event) => {
    if (isDirty && (typedIn('text') || typedIn('url'))) event.preventDefault()
  })
}
