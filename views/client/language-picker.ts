import { type Choice, searchLanguages } from '../../src/highlight/languages/language-search.ts'
import { announce, element } from './dom.ts'
import { everything, loadChoices, rememberLanguage } from './language-choices.ts'
import { createPickerList } from './picker-list.ts'
import { createPickerValue } from './picker-value.ts'

/**
 * Turns a `LanguageField` into the combobox of the WAI-ARIA patterns. The select keeps the value; code that sets it must
 * dispatch `change`.
 */
export const enableLanguagePicker = (field: HTMLElement) => {
  const value = createPickerValue(field)
  const { select, input, nothing } = value

  const pick = ({ id }: Choice) => {
    value.set(id)
    if (id) rememberLanguage(id)
    value.show()
    list.hide()
    select.dispatchEvent(new Event('input', { bubbles: true }))
    if (select.dataset.submits !== undefined) select.form?.requestSubmit()
  }

  const list = createPickerList(element('[role=listbox]', field), input, pick)

  const refuse = () => value.showProblem(pick)

  /** False until all languages are loaded, where the page has only some of them. */
  let isComplete = select.dataset.list === undefined

  const open = () => {
    const typed = value.typed()
    if (!typed)
      return list.show([{ title: '', choices: nothing ? [nothing] : [] }, ...everything(value.choices())])
    const choices = searchLanguages(value.choices(), typed)
    list.show([{ title: 'Matches', choices }], typed)
    if (choices.length === 0 && isComplete) refuse()
  }

  /** Settles the text when the user leaves the field. */
  const settle = () => {
    list.hide()
    if (!value.isTyping()) return
    if (input.validity.valid) return value.show()
    if (input.value.trim() === '') return value.goBack()
    refuse()
  }

  const enter = (event: KeyboardEvent) => {
    if (!list.isOpen()) return
    event.preventDefault()
    const choice = list.active() ?? value.exact() ?? list.first()
    if (choice) pick(choice)
  }

  const goBack = (event: KeyboardEvent) => {
    if (!list.isOpen() && !value.isTyping()) return
    event.preventDefault()
    list.hide()
    value.goBack()
  }

  const move = (steps: number) => (event: KeyboardEvent) => {
    event.preventDefault()
    if (!list.isOpen()) open()
    if (!event.altKey) list.move(steps)
  }

  /** Works only in the list; before that, the key moves the cursor in the text. */
  const jump = (steps: number) => (event: KeyboardEvent) => {
    if (list.active()) move(steps)(event)
  }

  const keys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    ArrowDown: move(1),
    ArrowUp: (event) => (event.altKey ? list.hide() : move(-1)(event)),
    PageDown: jump(8),
    PageUp: jump(-8),
    Home: jump(-Infinity),
    End: jump(Infinity),
    Enter: enter,
    Escape: goBack,
    Tab: () => {
      const choice = list.active()
      if (choice) pick(choice)
    },
  }

  input.addEventListener('keydown', (event) => {
    if (!event.isComposing && Object.hasOwn(keys, event.key)) keys[event.key]?.(event)
  })
  input.addEventListener('input', () => {
    value.readTyped()
    open()
  })
  input.addEventListener('click', () => {
    // What is typed next is another language, and no more letters of this one.
    if (!value.isTyping()) input.select()
    open()
  })
  input.addEventListener('blur', settle)
  input.addEventListener('invalid', (event) => {
    // The page shows the message, with the nearest language.
    event.preventDefault()
    refuse()
    input.focus()
  })
  select.addEventListener('change', value.show)
  select.form?.addEventListener('reset', () => setTimeout(value.show))
  // After going back, a browser fills the select only when scripts have run.
  addEventListener('pageshow', () => value.isTyping() || value.show())
  value.show()

  const load = async () => {
    try {
      value.replaceChoices(await loadChoices(select.dataset.list ?? ''))
      isComplete = true
      if (list.isOpen() || value.isTyping()) open()
    } catch {
      announce('The list of languages could not be loaded. Only the common ones are offered.')
      loadOnFocus()
    }
  }
  const loadOnFocus = () => input.addEventListener('focus', load, { once: true })
  if (select.dataset.list) loadOnFocus()
}
