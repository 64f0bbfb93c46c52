import { sizeText } from '../../src/format.ts'
import { languageOfFile } from '../../src/highlight/languages/file-names.ts'
import { announce, element } from './dom.ts'
import { field, fill, mostBytes, typedIn } from './form.ts'
import { clearProblems, showProblem } from './problems.ts'
import { hasKeyboard } from './tabs.ts'

/** Values from the last file. The next file replaces them, but nothing that was typed. */
const filled = { title: '', language: '' }

const replace = (name: 'title' | 'language', value: string) => {
  if (typedIn(name) !== '' && typedIn(name) !== filled[name]) return
  fill(name, value)
  filled[name] = typedIn(name)
}

const refuseFile = (file: File, reason: string) =>
  showProblem('paste', 'text', `${file.name} (${sizeText(file.size)}) ${reason}`)

/** The text of a file; `undefined` if it is not UTF-8. */
const textOf = async (file: File) => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

const fillFrom = async (file: File) => {
  const most = mostBytes()
  if (file.size > most) return refuseFile(file, `is larger than ${sizeText(most)}, the limit of this server.`)
  const text = await textOf(file)
  if (text === undefined) return refuseFile(file, 'is not text. Only text can be pasted.')
  clearProblems()
  fill('text', text)
  replace('title', file.name)
  replace('language', languageOfFile(file.name) ?? '')
  announce(`Filled in from ${file.name}`)
}

const holdsFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files')

/** Takes a file that is chosen, or dropped anywhere on the page. @param before shows the form */
export const enableFiles = (before: () => void) => {
  const hint = element('#drop')
  if (hasKeyboard()) (field('text') as HTMLTextAreaElement).placeholder += ', or drop a file'
  addEventListener('dragover', (event) => {
    if (!holdsFile(event)) return
    event.preventDefault()
    hint.hidden = false
  })
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (!relatedTarget) hint.hidden = true
  })
  addEventListener('drop', (event) => {
    hint.hidden = true
    const file = event.dataTransfer?.files[0]
    if (!file) return
    event.preventDefault()
    before()
    void fillFrom(file)
  })
  const input = element<HTMLInputElement>('#file')
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file) void fillFrom(file)
    input.value = ''
  })
}
