import { elements } from './dom.ts'
import { enableLanguagePicker } from './language-picker.ts'

// A script of its own: the start page and the page of a paste share it.
for (const field of elements('.picker')) enableLanguagePicker(field)
