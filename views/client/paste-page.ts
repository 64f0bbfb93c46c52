import { copy, copySelectionExactly } from './copy.ts'
import { announce, element, elements } from './dom.ts'
import { enableGoToLine } from './go-to-line.ts'
import { enableLineLinks } from './lines.ts'
import { read, write } from './storage.ts'

const code = element('#code')

/** What the page shows instead of the text, such as `preview`. */
const view = /\bview-(\w+)/.exec(code.className)?.[1]
const hasOwnShape = view === 'preview' || view === 'table'

const showWrap = (isWrapped: boolean) => {
  code.classList.toggle('wrapped', isWrapped)
  element('#wrap').setAttribute('aria-pressed', String(isWrapped))
}

const toggleWrap = () => {
  const isWrapped = !code.classList.contains('wrapped')
  write('wrap', isWrapped ? 'yes' : undefined)
  showWrap(isWrapped)
  announce(isWrapped ? 'Long lines are wrapped' : 'Long lines are not wrapped')
}

/** A view copies the text that it was made from. */
const copyRaw = async () => {
  const response = await fetch(element<HTMLAnchorElement>('#raw').href).catch(() => undefined)
  if (response?.ok) return copy(await response.text(), 'The text was copied, as it was pasted')
  announce('Copying failed: the text could not be loaded')
}

/** Says what a copy lacks: of a filtered page, the lines that are left out; of a terminal page, the control sequences. */
const copied = () => {
  if (document.querySelector('#filtered')) return 'Copied the lines shown, not the whole text'
  return 'terminal' in code.dataset ? 'Copied as shown. The raw text has the control sequences.' : 'Copied'
}

const copyText = () => (view === undefined ? copy(code.textContent ?? '', copied()) : copyRaw())

const onClick = (selector: string, act: () => void) => {
  for (const button of elements(selector)) button.addEventListener('click', act)
}

/** The next Markdown paste opens as this one was shown last. */
const rememberPreview = () => {
  if (!document.querySelector('#view-preview')) return
  for (const link of elements('.views a'))
    link.addEventListener('click', () => write('preview', link.id === 'view-preview' ? 'yes' : undefined))
}

if (view !== 'preview') enableGoToLine()
onClick('#copy', copyText)
onClick('#copy-link', () => copy(location.href, 'Link copied'))
onClick('#wrap', toggleWrap)
if (!hasOwnShape) {
  copySelectionExactly(code)
  showWrap(read('wrap') === 'yes')
}
if (view !== 'preview') enableLineLinks(code)
rememberPreview()
