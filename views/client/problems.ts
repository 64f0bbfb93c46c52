import { element, elements } from './dom.ts'
import { form, type Kind } from './form.ts'

const partOf = (kind: Kind) => element(`#${kind}-form`)

const alertOf = (kind: Kind) => element('.error', partOf(kind))

/** Removes all errors. */
export const clearProblems = () => {
  for (const alert of elements('.error', form)) {
    alert.textContent = ''
    alert.hidden = true
  }
  for (const error of elements('.field-error', form)) error.textContent = ''
  for (const input of elements('[aria-invalid]', form)) input.removeAttribute('aria-invalid')
}

/** Shows an error that is about no field at the button, which is always visible. */
export const showAlert = (kind: Kind, message: string) => {
  const alert = alertOf(kind)
  alert.hidden = message === ''
  alert.textContent = message
}

/** Shows an error at its field, and focuses that. */
export const showProblem = (kind: Kind, name: string | undefined, message: string) => {
  clearProblems()
  const error = name && document.getElementById(`error-${name}`)
  if (!error) return showAlert(kind, message)
  error.textContent = message
  if (name === 'key') element('.key').classList.add('asks')
  const details = error.closest('details')
  if (details) details.open = true
  const input = document.getElementById(`field-${name}`)
  input?.setAttribute('aria-invalid', 'true')
  input?.focus()
  // Focus scrolls only the cursor into view.
  error.scrollIntoView({ block: 'nearest' })
}
