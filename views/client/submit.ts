import { formProblem, schemeAdded, withScheme } from '../../src/form-words.ts'
import { guessLanguage } from '../../src/highlight/languages/guess-language.ts'
import { type Created, createLink, createPaste, Refusal } from './api.ts'
import { announce, element } from './dom.ts'
import { dropDraft } from './draft.ts'
import {
  bytesOf,
  controlsOf,
  field,
  fieldOf,
  fill,
  form,
  type Kind,
  mostBytes,
  sizeText,
  typedIn,
} from './form.ts'
import { remember } from './items.ts'
import { clearProblems, showAlert, showProblem } from './problems.ts'
import { hideResult, showResult } from './result.ts'
import { currentTab } from './tabs.ts'

const buttonOf = (kind: Kind) => element<HTMLButtonElement>(`button[value=${kind}]`)

/** The filled fields, by their names in the API. */
const filledIn = (kind: Kind): Record<string, string | number> =>
  Object.fromEntries(
    controlsOf(kind)
      .map((control) => [
        fieldOf(kind, control.name),
        control.type === 'number' ? control.valueAsNumber : control.value,
      ])
      .filter(([, value]) => value !== '' && !Number.isNaN(value)),
  )

const typedUrl = () => typedIn('url').trim()

const isBurnt = () => (field('burn') as HTMLInputElement).checked

const pasteBody = () => ({
  ...{ title: '', description: '', ...filledIn('paste') },
  language: typedIn('language') || guessLanguage([typedIn('title')], typedIn('text')),
  ...(isBurnt() && { maxReads: 1 }),
})

const linkBody = () => ({ ...filledIn('link'), url: typedUrl() })

const refuse = (kind: Kind, error: string) => {
  const { field: name, message } = formProblem(error)
  const completed = /must begin with http/.test(error) ? withScheme(typedUrl()) : undefined
  if (completed) fill('url', completed)
  const shown = controlsOf(kind).find((control) => fieldOf(kind, control.name) === name)?.name ?? name
  showProblem(kind, shown, completed ? schemeAdded(completed) : message)
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
  showAlert(kind, 'Too many requests with this API key. Nothing you typed is lost.')
  countDown(kind, Math.max(1, seconds))
}

/** The first problem found without the server, in the words of the API. */
const problemOf = (kind: Kind) => {
  if (!typedIn('key')) return 'The header "key" with an API key is missing'
  if (kind === 'link') return typedUrl() ? undefined : 'Invalid URL format: it is empty'
  return typedIn('text') ? undefined : 'Field "text" must not be empty'
}

const isTooLarge = () => {
  const [size, most] = [bytesOf(typedIn('text')), mostBytes()]
  if (size <= most) return false
  const message = `The text is ${sizeText(size)}, larger than ${sizeText(most)}, the limit of this server. Shorten it.`
  showProblem('paste', 'text', message)
  return true
}

/** Clears everything except the lifetime, which may suit the next item too. */
const clear = (kind: Kind) => {
  for (const { name } of controlsOf(kind)) if (fieldOf(kind, name) !== 'expiresIn') fill(name, '')
  ;(field('burn') as HTMLInputElement).checked = false
  dropDraft()
}

const create = async (kind: Kind): Promise<void> => {
  const key = typedIn('key')
  const name = kind === 'paste' ? typedIn('title') || 'Untitled paste' : typedUrl()
  const created: Created = await (kind === 'paste'
    ? createPaste(key, pasteBody())
    : createLink(key, linkBody()))
  const { url, deletionUrl } = created
  remember({ kind, name, url, deletionUrl, createdAt: new Date().toISOString() })
  clear(kind)
  showResult(kind, name, created)
}

const submit = async (kind: Kind) => {
  const button = buttonOf(kind)
  if (button.disabled) return
  hideResult()
  clearProblems()
  const problem = problemOf(kind)
  if (problem) return refuse(kind, problem)
  const language = element<HTMLInputElement>('#field-language')
  // The picker shows the problem at the field, with the nearest language.
  if (kind === 'paste' && !language.reportValidity()) return showAlert(kind, language.validationMessage)
  if (kind === 'paste' && isTooLarge()) return
  button.disabled = true
  try {
    await create(kind)
    button.disabled = false
  } catch (error) {
    button.disabled = false
    if (!(error instanceof Refusal)) throw error
    if (error.status === 429) wait(kind, error.retryAfterSeconds)
    else refuse(kind, error.message)
  }
}

const currentKind = (): Kind => (currentTab() === 'link' ? 'link' : 'paste')

/** Sends the form by script, so the page stays; Ctrl+Enter sends it from any field. */
export const enableSubmit = () => {
  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit(currentKind())
  })
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void submit(currentKind())
  })
}
