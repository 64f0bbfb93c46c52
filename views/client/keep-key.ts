import { Refusal, request } from './api.ts'
import { announce, element } from './dom.ts'
import { write } from './storage.ts'

/** Stores a key that the server knows, and says so to the page. @throws {Refusal} */
export const keepKey = async (key: string, mustBeAdmin = false) => {
  const { name, admin } = await request('key', { headers: { key } })
  if (mustBeAdmin && !admin) throw new Refusal(403, 'This is not an admin key.')
  if (!write('key', key))
    throw new Refusal(0, 'This browser cannot keep the key: its storage is off or full.')
  write('key-name', name)
  document.documentElement.classList.add('has-key')
  document.dispatchEvent(new Event('shortcrust:key'))
  announce('This browser keeps the key')
}

/** The form that asks for a key to keep. */
export const enableKeepKey = (mustBeAdmin = false) => {
  const form = element<HTMLFormElement>('#keep-key')
  const input = element<HTMLInputElement>('input', form)
  const error = element('.field-error', form)
  const show = (message: string) => {
    error.textContent = message
    input.ariaInvalid = message === '' ? null : 'true'
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    show('')
    try {
      await keepKey(input.value.trim(), mustBeAdmin)
      input.value = ''
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem
      show(problem.problem.message)
      input.focus()
    }
  })
}
