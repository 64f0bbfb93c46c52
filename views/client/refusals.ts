import { tooLargeText } from '../../src/format.ts'
import { type FieldProblem, Refusal } from './api.ts'
import { announce, element } from './dom.ts'
import { bytesOf, controlsOf, fieldOf, fill, form, type Kind, mostBytes, typedIn } from './form.ts'
import { clearProblems, showAlert, showProblem } from './problems.ts'

const buttonOf = (kind: Kind) => element<HTMLButtonElement>(`button[value=${kind}]`)

/** Shows a problem at the control of its field. */
const refuse = (kind: Kind, { field, message, value }: FieldProblem) => {
  const name = controlsOf(kind).find((control) => fieldOf(kind, control.name) === field)?.name ?? field
  if (name && value !== undefined) fill(name, value)
  showProblem(kind, name, message)
}

/** Counts down in the button until the server accepts requests again. */
const countDown = (kind: Kind, seconds: number, words = buttonOf(kind).textContent) => {
  const button = buttonOf(kind)
  button.disabled = seconds > 0
  button.textContent = seconds > 0 ? `Try again in ${seconds} s` : words
  if (seconds > 0) return void setTimeout(() => countDown(kind, seconds - 1, words), 1000)
  showAlert(kind, '')
  announce('Try again now')
}

const wait = (kind: Kind, seconds: number) => {
  clearProblems()
  const which = typedIn('key') && ' with this API key'
  showAlert(kind, `Too many requests${which}. Nothing you typed is lost.`)
  countDown(kind, Math.max(1, seconds))
}

const isTooLarge = () => {
  const most = mostBytes()
  if (bytesOf(typedIn('text')) <= most) return false
  showProblem('paste', 'text', tooLargeText(most))
  return true
}

/** Checks what needs no server, and shows what is wrong. */
export const isRight = (kind: Kind) => {
  if (kind === 'link') return true
  // The picker shows the problem at the field, with the nearest language.
  return element<HTMLInputElement>('#field-language').reportValidity() && !isTooLarge()
}

/** Does what the button of a form asks for, and shows why it was refused. */
export const attempt = async (kind: Kind, work: () => Promise<void>) => {
  const button = buttonOf(kind)
  button.disabled = true
  try {
    await work()
    button.disabled = false
  } catch (error) {
    button.disabled = false
    if (!(error instanceof Refusal)) throw error
    if (error.status === 429) wait(kind, error.retryAfterSeconds)
    else refuse(kind, error.problem)
  }
}

/** Calls back when the form is sent, unless it is being sent; Ctrl+Enter sends it from any field. */
export const enableSending = (kindNow: () => Kind, send: (kind: Kind) => void) => {
  form.noValidate = true
  const sendOnce = (event: Event) => {
    event.preventDefault()
    const kind = kindNow()
    if (!buttonOf(kind).disabled) send(kind)
  }
  form.addEventListener('submit', sendOnce)
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) sendOnce(event)
  })
}
