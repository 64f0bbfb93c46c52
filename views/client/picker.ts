import { element, elements } from './dom.ts'
import { enableLanguagePicker } from './language-picker.ts'

// A separate script, shared by the start page and the page of a paste.
for (const field of elements('.picker')) {
  enableLanguagePicker(field)
  // In a menu with only this field, opening the menu focuses it.
  const menu = field.closest('details')
  menu?.addEventListener('toggle', () => {
    if (!menu.open) return
    const input = element<HTMLInputElement>('input', field)
    input.focus()
    input.click()
  })
}
