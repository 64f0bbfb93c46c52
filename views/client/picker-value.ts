import { type Choice, exactChoice, nearestChoice } from '../../src/highlight/languages/language-search.ts'
import { element } from './dom.ts'
import { choicesOf } from './language-choices.ts'

/** What a `LanguageField` holds: the select has the value, the input what somebody sees and types. */
export const createPickerValue = (field: HTMLElement) => {
  const select = element<HTMLSelectElement>('select', field)
  const input = element<HTMLInputElement>('input', field)
  const error = element('.field-error', field)
  let choices = choicesOf(select)
  /** The last language that was chosen: Escape goes back to it. */
  let chosen = select.value
  /** True from the first key until something is chosen: what stands in the field is then searched for. */
  let isTyping = false

  // The label and the page's own script know the field by this.
  input.id = select.id
  select.removeAttribute('id')
  error.ariaLive = 'polite'

  const [first] = select.options
  /** Stands for an empty field, where one is allowed. */
  const nothing = first?.value === '' ? { id: '', name: first.text, spellings: '' } : undefined

  const nameOf = (id: string) => choices.find((choice) => choice.id === id)?.name ?? ''

  const set = (id: string) => {
    if (![...select.options].some(({ value }) => value === id)) select.add(new Option(nameOf(id), id))
    select.value = id
  }

  /** @param problem empty when there is none; it is shown when somebody leaves the field or sends the form */
  const mark = (problem: string) => {
    input.setCustomValidity(problem)
    input.ariaInvalid = null
    error.textContent = ''
  }

  /** Shows what the select has. */
  const show = () => {
    chosen = select.value
    input.value = nameOf(chosen)
    isTyping = false
    mark('')
  }

  /** A word that names a language is taken with its last letter: nobody has to leave the field before sending. */
  const readTyped = () => {
    isTyping = true
    const typed = input.value.trim()
    const choice = typed === '' ? nothing : exactChoice(choices, typed)
    if (choice) set(choice.id)
    mark(choice ? '' : `There is no language “${typed.slice(0, 40)}”.`)
  }

  const showProblem = (pick: (choice: Choice) => void) => {
    // A button that is being pressed must stay.
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
  }

  return {
    select,
    input,
    nothing,
    set,
    show,
    showProblem,
    readTyped,
    choices: () => choices,
    /** Empty where somebody only looks. */
    typed: () => (isTyping ? input.value.trim() : ''),
    isTyping: () => isTyping,
    goBack: () => {
      set(chosen)
      show()
    },
    /** For a field that began with only some of them. */
    replaceChoices: (all: Choice[]) => {
      choices = all
      if (isTyping) readTyped()
    },
  }
}
