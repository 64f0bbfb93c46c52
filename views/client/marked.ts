// Loaded with the first lines that are marked: says which they are, copies and unmarks them.
import { copy } from './copy.ts'
import { element, elements } from './dom.ts'
import { numbersOf, type Range } from './ranges.ts'

const chip = element('#marked')

const showChip = (event: Event) => {
  const { detail: range } = event as CustomEvent<Range | null>
  chip.hidden = !range
  if (!range) return
  element('summary', chip).textContent =
    `${range.first === range.last ? 'Line' : 'Lines'} ${numbersOf(range)}`
}

const unmark = () => {
  history.replaceState(null, '', location.pathname + location.search)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/** Cells of a row as a spreadsheet takes them. The end of the last line would run a command in a terminal. */
const copyOf = (lines: readonly HTMLElement[]) =>
  lines
    .map((line) => {
      const cells = line instanceof HTMLTableRowElement ? [...line.cells].slice(1) : [line]
      return cells.map((cell) => cell.textContent).join('\t')
    })
    .join('')
    .replace(/\r?\n$/, '')

/** A block of code with its address, as GitHub, Matrix and most chats show it. */
const quoteOf = (text: string) => {
  const { language = '' } = chip.dataset
  const runs = text.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), 3))
  return `${fence}${language === 'text' ? '' : language}\n${text}\n${fence}\n${location.href}`
}

const acts: Readonly<Record<string, () => unknown>> = {
  'copy-lines': () => copy(copyOf(elements('.marked'))),
  'copy-lines-link': () => copy(location.href, 'Link copied'),
  'copy-quote': () => copy(quoteOf(copyOf(elements('.marked'))), 'Quote copied'),
  unmark,
}

for (const button of elements('button', chip))
  button.addEventListener('click', () => void acts[button.id]?.())

// Before an open menu closes, because Escape closes one thing at a time.
document.addEventListener(
  'keydown',
  ({ key, target }) => {
    const isBusy = target instanceof HTMLInputElement || document.querySelector('.menu[open], dialog[open]')
    if (key === 'Escape' && !chip.hidden && !isBusy) unmark()
  },
  true,
)
document.addEventListener('shortcrust:marked', showChip)
