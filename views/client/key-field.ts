import { keyName } from './api.ts'
import { element } from './dom.ts'
import { fill, typedIn } from './form.ts'
import { read, write } from './storage.ts'

const box = element<HTMLInputElement>('#keep')

const showAsKept = (isKept: boolean) => document.documentElement.classList.toggle('has-key', isKept)

const showName = (name: string | undefined) => {
  element('#key-name').textContent = name ?? 'kept in this browser'
}

/** Keeps the key where the user said so. It is called once the key was good for something. */
export const keepKey = async () => {
  const key = box.checked ? typedIn('key') : undefined
  const isNew = key !== read('key')
  write('key', key)
  if (!key || !isNew) return
  const name = await keyName(key)
  write('key-name', name)
  showName(name)
  showAsKept(true)
}

/** A kept key is shown by its name in place of the field. */
export const enableKey = () => {
  const kept = read('key')
  box.checked = kept !== undefined
  if (kept) fill('key', kept)
  showName(read('key-name'))
  box.addEventListener('change', () => {
    if (box.checked) return
    write('key', undefined)
    write('key-name', undefined)
  })
  element('#change-key').addEventListener('click', () => {
    showAsKept(false)
    const input = element<HTMLInputElement>('#field-key')
    input.focus()
    input.select()
  })
}
