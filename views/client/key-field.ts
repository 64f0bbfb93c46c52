import { keyName } from './api.ts'
import { element } from './dom.ts'
import { field, typedIn } from './form.ts'
import { refreshItems } from './items.ts'
import { read, write } from './storage.ts'

const box = element<HTMLInputElement>('#keep')

/** Whether a kept key is shown by its name, or the field. */
const ask = (isAsking: boolean) => element('.key').classList.toggle('asks', isAsking)

const showName = (name: string | undefined) => {
  element('#key-name').textContent = name ?? 'kept in this browser'
}

/** Keeps the key where the user said so, and shows it by its name once the server knows it. */
const keep = async () => {
  const key = (box.checked && typedIn('key')) || undefined
  write('key', key)
  const name = key && (await keyName(key))
  if (key !== read('key')) return
  document.documentElement.classList.toggle('has-key', key !== undefined)
  write('key-name', name)
  showName(name)
  ask(name === undefined)
  refreshItems()
}

/** A kept key is shown by its name in place of the field. */
export const enableKey = () => {
  const kept = read('key')
  box.checked = kept !== undefined
  field('key').value ||= kept ?? ''
  showName(read('key-name'))
  box.addEventListener('change', keep)
  field('key').addEventListener('change', keep)
  element('#change-key').addEventListener('click', () => {
    ask(true)
    const input = element<HTMLInputElement>('#field-key')
    input.focus()
    input.select()
  })
}
