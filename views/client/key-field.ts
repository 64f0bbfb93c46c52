import { keyName } from './api.ts'
import { element } from './dom.ts'
import { field, typedIn } from './form.ts'
import { refreshItems } from './items.ts'
import { read, write } from './storage.ts'

const box = element<HTMLInputElement>('#keep')

/** Switches between the field and the name of the stored key. */
const ask = (isAsking: boolean) => element('.key').classList.toggle('asks', isAsking)

const showName = (name: string | undefined) => {
  element('#key-name').textContent = name ?? 'kept in this browser'
}

/** Stores the key if the user ticked the box, and shows its name once the server has confirmed it. */
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

/** Shows the name of a stored key instead of the field. */
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
