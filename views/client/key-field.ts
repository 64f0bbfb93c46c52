import { keyFacts, Refusal } from './api.ts'
import { announce, element } from './dom.ts'
import { field, typedIn } from './form.ts'
import { keepKey } from './keep-key.ts'
import { read, write } from './storage.ts'

const box = element<HTMLInputElement>('#keep')

/** Switches between the field and the name of the stored key. */
const askForKey = (isAsking: boolean) => element('.key').classList.toggle('asks', isAsking)

const showName = (name: string | undefined) => {
  element('#key-name').textContent = name ?? 'kept in this browser'
}

/** Stores the key if the user ticked the box, and shows its name once the server has confirmed it. */
const keep = async (onKey: () => void) => {
  const key = (box.checked && typedIn('key')) || undefined
  write('key', key)
  const name = key && (await keyFacts(key))?.name
  if (key !== read('key')) return
  document.documentElement.classList.toggle('has-key', key !== undefined)
  write('key-name', name)
  showName(name)
  askForKey(name === undefined)
  onKey()
}

/** After a success with a key that is not kept: offers to keep it. */
export const offerToKeep = (key: string) => {
  if (key === '' || read('key') !== undefined) return
  const offer = element('#result .keep-offer')
  offer.hidden = false
  element('button', offer).addEventListener('click', () =>
    keepKey(key).then(
      () => {
        offer.hidden = true
      },
      (error) => {
        if (!(error instanceof Refusal)) throw error
        announce(error.problem.message)
      },
    ),
  )
}

/** Shows the name of a stored key instead of the field. @param onKey called after each change of the key */
export const enableKey = (onKey: () => void) => {
  const change = () => keep(onKey)
  const kept = read('key')
  box.checked = kept !== undefined
  field('key').value ||= kept ?? ''
  showName(read('key-name'))
  document.addEventListener('shortcrust:key', () => {
    field('key').value = read('key') ?? ''
    box.checked = true
    showName(read('key-name'))
    askForKey(false)
    onKey()
  })
  box.addEventListener('change', change)
  field('key').addEventListener('change', change)
  element('#change-key').addEventListener('click', () => {
    askForKey(true)
    const folded = document.querySelector<HTMLDetailsElement>('details.key-entry')
    if (folded) folded.open = true
    const input = element<HTMLInputElement>('#field-key')
    input.focus()
    input.select()
  })
}
