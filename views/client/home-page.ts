import { languageOfFile } from '../../src/highlight/file-names.ts'
import { type Created, createLink, createPaste, Refusal } from './api.ts'
import { enableCopyButtons } from './copy.ts'
import { announce, element, elements } from './dom.ts'
import { enhance } from './enhance.ts'
import { enableItems, remember } from './items.ts'
import { showResult } from './result.ts'
import { read, write } from './storage.ts'

const pasteForm = element<HTMLFormElement>('#paste-form')
const linkForm = element<HTMLFormElement>('#link-form')

const field = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as HTMLInputElement
const value = (form: HTMLFormElement, name: string) => field(form, name).value

/** The key is typed once: both forms have it, and the browser keeps it if told to. */
const enableKey = () => {
  const inputs = elements<HTMLInputElement>('input[name=key]')
  const boxes = elements<HTMLInputElement>('.keep')
  const keep = () => write('key', boxes[0]?.checked ? inputs[0]?.value : undefined)
  const kept = read('key')
  for (const box of boxes) {
    box.checked = kept !== undefined
    box.addEventListener('change', () => {
      for (const other of boxes) other.checked = box.checked
      keep()
    })
  }
  for (const input of inputs) {
    input.value ||= kept ?? ''
    input.addEventListener('input', () => {
      for (const other of inputs) other.value = input.value
      keep()
    })
  }
}

const showError = (form: HTMLFormElement, message: string) => {
  const error = element('.error', form)
  error.textContent = message
  error.hidden = message === ''
}

/** Counts down to the moment when the server takes requests again. */
const countDown = (form: HTMLFormElement, seconds: number) => {
  const button = element<HTMLButtonElement>('button[type=submit]', form)
  button.disabled = seconds > 0
  showError(form, seconds > 0 ? `Too many requests. You can try again in ${seconds} s.` : '')
  if (seconds > 0) setTimeout(() => countDown(form, seconds - 1), 1000)
  else announce('You can try again now')
}

const fieldOfStatus: Readonly<Record<number, string>> = { 401: 'key', 403: 'key', 413: 'text' }

const refuse = (form: HTMLFormElement, { status, message, retryAfterSeconds }: Refusal) => {
  if (status === 429) return countDown(form, retryAfterSeconds)
  showError(form, message)
  const named = /"(\w+)"/.exec(message)?.[1] ?? (form === linkForm ? 'url' : '')
  const input = form.elements.namedItem(fieldOfStatus[status] ?? named)
  if (input instanceof HTMLElement) input.focus()
}

const enableSubmit = (
  form: HTMLFormElement,
  kind: 'paste' | 'link',
  create: () => Promise<Created>,
  name: () => string,
) => {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = element<HTMLButtonElement>('button[type=submit]', form)
    button.disabled = true
    showError(form, '')
    try {
      const created = await create()
      const { url, deletionUrl } = created
      remember({ kind, name: name(), url, deletionUrl, createdAt: new Date().toISOString() })
      showResult(created)
      button.disabled = false
    } catch (error) {
      button.disabled = false
      if (!(error instanceof Refusal)) throw error
      refuse(form, error)
    }
  })
}

const fillFrom = async (file: File) => {
  field(pasteForm, 'text').value = await file.text()
  if (value(pasteForm, 'title') === '') field(pasteForm, 'title').value = file.name
  const language = languageOfFile(file.name)
  if (language) field(pasteForm, 'language').value = language
  announce(`${file.name} was filled in`)
}

const enableFiles = () => {
  const text = field(pasteForm, 'text')
  text.addEventListener('dragover', (event) => event.preventDefault())
  text.addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0]
    if (!file) return
    event.preventDefault()
    void fillFrom(file)
  })
  const input = element<HTMLInputElement>('#file')
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file) void fillFrom(file)
    input.value = ''
  })
}

/** Options left as they are do not go on their way. */
const bodyOf = (form: HTMLFormElement, names: readonly string[]) =>
  Object.fromEntries([
    ...names.map((name) => [name, value(form, name)]),
    ...elements<HTMLInputElement>('.options [name]', form)
      .filter((option) => option.value !== '')
      .map((option) => [option.name, option.type === 'number' ? option.valueAsNumber : option.value]),
  ])

enhance()
enableCopyButtons()
enableKey()
enableFiles()
enableItems()
enableSubmit(
  pasteForm,
  'paste',
  () => createPaste(value(pasteForm, 'key'), bodyOf(pasteForm, ['text', 'title', 'description', 'language'])),
  () => value(pasteForm, 'title'),
)
enableSubmit(
  linkForm,
  'link',
  () => createLink(value(linkForm, 'key'), bodyOf(linkForm, ['url'])),
  () => value(linkForm, 'url'),
)
