import { element, elements } from './dom.ts'
import { enableLanguagePicker } from './language-picker.ts'

// A script of its own: the start page and the page of a paste share it.
for (const field of elements('.picker')) {
  enableLanguagePicker(field)
  // A menu with this field alone is opened to choose.
  const menu = field.closest('details')
  menu?.addEventListener('toggle', () => {
    if (!menu.open) return
    const input = element<HTMLInputElement>('input', field)
    input.focus()
    input.select()
    input.click()
  })
}
