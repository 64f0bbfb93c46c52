import { type Choice, exactChoice, nearestChoice } from '../../src/highlight/languages/language-search.ts'
import { element } from './dom.ts'
import { choicesOf } from './language-choices.ts'

/** The state of a `LanguageField`: the select keeps the value, the input the visible and typed text. */
export const createPickerValue = (field: HTMLElement) => {
  const select = element<HTMLSelectElement>('select', field)
  const input = element<HTMLInputElement>('input', field)
  const error = element('.field-error', field)
  let choices = choicesOf(select)
  /** The language chosen last, restored by Escape. */
  let chosen = select.value
  /** True from the first typed character until a choice: the text is then a search. */
  let isTyping = false

  // The label and the scripts of the page use this id.
  input.id = select.id
  select.removeAttribute('id')
  error.ariaLive = 'polite'

  const [first] = select.options
  /** The choice for an empty field, if that is allowed. */
  const nothing = first?.value === '' ? { id: '', name: first.text, spellings: '' } : undefined

  /** The choice that a whole word means; where nothing need be chosen, an empty field and `auto` mean that. */
  const exact = () => {
    const typed = input.value.trim()
    if (typed === '' || (nothing && /^auto$/i.test(typed))) return nothing
    return exactChoice(choices, typed)
  }

  const nameOf = (id: string) => choices.find((choice) => choice.id === id)?.name ?? ''

  const set = (id: string) => {
    if (![...select.options].some(({ value }) => value === id)) select.add(new Option(nameOf(id), id))
    select.value = id
  }

  /** @param problem empty for none; shown when the user leaves the field or sends the form */
  const mark = (problem: string) => {
    input.setCustomValidity(problem)
    input.ariaInvalid = null
    error.textContent = ''
  }

  /** Shows the value of the select. */
  const show = () => {
    chosen = select.value
    input.value = nameOf(chosen)
    if (document.activeElement === input) input.select()
    isTyping = false
    mark('')
  }

  /** Selects a language as soon as its whole word is typed, so the form can be sent without leaving the field. */
  const readTyped = () => {
    isTyping = true
    const choice = exact()
    if (choice) set(choice.id)
    mark(choice ? '' : `No language is called “${input.value.trim().slice(0, 40)}”.`)
  }

  const showProblem = (pick: (choice: Choice) => void) => {
    // Keeps the button, which may be pressed at this moment.
    if (error.textContent) return
    error.replaceChildren(input.validationMessage)
    const nearest = nearestChoice(choices, input.value)
    if (nearest) {
      const use = document.createElement('button')
      use.type = 'button'
      use.textContent = `Use ${nearest.name}`
      use.addEventListener('click', () => {
        pick(nearest)
        input.focus()
      })
      error.append(' ', use)
    }
    input.ariaInvalid = 'true'
    // In a low window the field may be the last thing in sight.
    error.scrollIntoView({ block: 'nearest' })
  }

  return {
    select,
    input,
    nothing,
    exact,
    set,
    show,
    showProblem,
    readTyped,
    choices: () => choices,
    /** The search text; empty until the user types. */
    typed: () => (isTyping ? input.value.trim() : ''),
    isTyping: () => isTyping,
    goBack: () => {
      set(chosen)
      show()
    },
    /** For a field that started with only some languages. */
    replaceChoices: (all: Choice[]) => {
      choices = all
      if (isTyping) readTyped()
    },
  }
}
