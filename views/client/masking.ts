// Names what looks secret in the text of the form, and masks it before it is sent. Loaded when there is a text.
import { announce, element } from './dom.ts'
import { field, fill } from './form.ts'
import type { Answer, Asked, Entry, Listed } from './masking-worker.ts'

/** Long enough that a word is typed to its end; for 1 MiB, which every key makes slow, a second more. */
const pauseMs = (length: number) => 400 + length / 1024
/** Kinds that are written out. */
const mostKinds = 6

const maskPanel = element('#mask')
const button = element<HTMLButtonElement>('#mask-button')
const text = field('text') as HTMLTextAreaElement
const worker = new Worker(maskPanel.dataset.worker ?? '')

let entries: readonly Entry[] = []
/** What the worker is doing, and the newest that waits for it. */
let asked: Asked | undefined
let waiting: Pick<Asked, 'masks'> | undefined

const ask = (order: Pick<Asked, 'masks'> = {}) => {
  if (asked) {
    waiting = order.masks === undefined ? (waiting ?? order) : order
    return
  }
  asked = { ...order, text: text.value, entries }
  worker.postMessage(asked)
}

/** Puts another text in the field; the reader's place stays. */
const replaceText = (value: string) => {
  const { scrollTop, selectionStart } = text
  fill('text', value)
  text.setSelectionRange(selectionStart, selectionStart)
  text.scrollTop = scrollTop
}

/** More rows would make the page slow; all of them together can still be taken back. */
const mostRows = 500

const maskList = element('#mask-list')
const rows = new Map<string, HTMLElement>()

const created = (placeholder: string, onToggle: (placeholder: string) => void) => {
  const content = element<HTMLTemplateElement>('#mask-row').content.cloneNode(true) as DocumentFragment
  const row = element('li', content)
  element('code', row).textContent = placeholder
  element('button', row).addEventListener('click', () => onToggle(placeholder))
  rows.set(placeholder, row)
  return row
}

const fillRow = (row: HTMLElement, { placeholder, isLeft, about }: Listed) => {
  row.classList.toggle('is-left', isLeft)
  element('span', row).textContent = isLeft ? `${about}, not masked` : about
  const button = element('button', row)
  button.textContent = isLeft ? 'Mask again' : 'Undo'
  button.ariaLabel = `${button.textContent} ${placeholder}, ${about}`
}

const values = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'}`

/** Shows what is masked. Rows stay the same elements, so the button that was pressed keeps the focus. */
const showList = (listed: readonly Listed[], onToggle: (placeholder: string) => void) => {
  const masked = listed.filter(({ isLeft }) => !isLeft).length
  maskList.hidden = listed.length === 0
  element('#mask-title').textContent = `${values(masked)} masked`
  element('#mask-all').textContent = masked > 0 ? 'Undo all' : 'Mask all again'
  const shown = listed.slice(0, mostRows)
  const wanted = new Set(shown.map(({ placeholder }) => placeholder))
  for (const [placeholder, row] of rows)
    if (!wanted.has(placeholder)) {
      row.remove()
      rows.delete(placeholder)
    }
  for (const one of shown) {
    const row = rows.get(one.placeholder)
    fillRow(row ?? created(one.placeholder, onToggle), one)
    if (!row) element('ul', maskList).append(rows.get(one.placeholder) as HTMLElement)
  }
  const rest = listed.length - shown.length
  element('#mask-more').textContent = rest > 0 ? `and ${values(rest)} more` : ''
}

const some = (words: readonly string[]) => {
  const rest = words.length - mostKinds
  return words.slice(0, mostKinds).join(', ') + (rest > 0 ? ` and ${rest} more kinds` : '')
}

const withoutLines = (words: string | null) => (words ?? '').replace(/ \(lines? [^)]*\)/g, '')

/** Says to screen readers what was found, unless only its lines have moved. */
const say = (words: string) => {
  const said = element('#mask-said')
  if (withoutLines(said.textContent) !== withoutLines(words)) said.textContent = words
}

const foundWords = ({ secrets, personal }: Answer) =>
  [
    secrets.length > 0 ? `This looks secret: ${some(secrets)}.` : '',
    personal.length > 0
      ? `${secrets.length > 0 ? 'And personal' : 'This looks personal'}: ${some(personal)}.`
      : '',
  ]
    .filter(Boolean)
    .join(' ')

const show = (answer: Answer) => {
  const words = foundWords(answer)
  const found = element('#mask-found')
  found.hidden = words === ''
  found.classList.toggle('is-secret', answer.secrets.length > 0)
  element('#mask-words').textContent = words
  say(words && `${words} Mask replaces it.`)
  showList(answer.listed, toggle)
}

const takeBack = (placeholders: ReadonlySet<string>) => {
  let value = text.value
  for (const { placeholder, value: original } of entries)
    if (placeholders.has(placeholder)) value = value.replaceAll(placeholder, () => original)
  entries = entries.map((one) => (placeholders.has(one.placeholder) ? { ...one, isLeft: true } : one))
  replaceText(value)
  ask()
}

const maskAgain = (placeholders: ReadonlySet<string>, masks: NonNullable<Asked['masks']>) => {
  entries = entries.map((one) => (placeholders.has(one.placeholder) ? { ...one, isLeft: false } : one))
  ask({ masks })
}

const toggle = (placeholder: string) => {
  const isLeft = entries.find((one) => one.placeholder === placeholder)?.isLeft
  if (isLeft) maskAgain(new Set([placeholder]), { only: placeholder })
  else takeBack(new Set([placeholder]))
}

const toggleAll = () => {
  const masked = entries.filter(({ isLeft }) => !isLeft).map(({ placeholder }) => placeholder)
  if (masked.length > 0) return takeBack(new Set(masked))
  maskAgain(new Set(entries.map(({ placeholder }) => placeholder)), 'all')
}

const finished = ({ data }: MessageEvent<Answer>) => {
  const { text: before, masks } = asked as Asked
  asked = undefined
  // Something was typed meanwhile.
  if (text.value !== before) return ask(waiting?.masks ? waiting : { ...(masks && { masks }) })
  if (data.text !== undefined) {
    entries = data.entries
    replaceText(data.text)
  }
  // The button goes when nothing is left to mask.
  const isPressed = document.activeElement === button
  show(data)
  if (isPressed && masks) element('#mask-title').focus()
  const next = waiting
  waiting = undefined
  if (next) ask(next)
}

let timer: ReturnType<typeof setTimeout> | undefined

/** An empty text is a new one: what was found in the last one, and its values, are dropped at once. */
const forget = () => {
  waiting = undefined
  entries = []
  show({ entries, listed: [], secrets: [], personal: [] })
}

/** Looks again after a pause. */
const typed = () => {
  clearTimeout(timer)
  const { length } = text.value
  if (length === 0) return forget()
  timer = setTimeout(ask, pauseMs(length))
}

worker.addEventListener('message', finished)
worker.addEventListener('error', () =>
  announce('The search for secrets failed. Reload the page to try again.'),
)
text.addEventListener('input', typed)
button.addEventListener('click', () => ask({ masks: 'all' }))
element('#mask-all').addEventListener('click', toggleAll)
ask()
