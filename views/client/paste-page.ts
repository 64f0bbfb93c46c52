import { copy, copySelectionExactly } from './copy.ts'
import { announce, element, elements } from './dom.ts'
import { enableGoToLine } from './go-to-line.ts'
import { enableLineLinks } from './lines.ts'
import { loadFor } from './loading.ts'
import { madeHere } from './made.ts'
import { write } from './storage.ts'

const code = element('#code')

/** What the page shows instead of the text, such as `preview`. */
const view = /\bview-(\w+)/.exec(code.className)?.[1]
const hasOwnShape = view === 'preview' || view === 'table'

/** The style sheet knows: it depends on the text, the window and the reader's own choice. */
const isWrapped = () => getComputedStyle(code).whiteSpace === 'pre-wrap'

const showWrap = () => {
  for (const button of elements('#wrap')) button.ariaPressed = String(isWrapped())
}

const toggleWrap = () => {
  const choice = isWrapped() ? 'no' : 'yes'
  write('wrap', choice)
  document.documentElement.dataset.wrap = choice
  showWrap()
  announce(choice === 'yes' ? 'Long lines are wrapped' : 'Long lines are not wrapped')
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

/** The next Markdown opens as this one was shown last; the next CSV, too. */
const rememberView = () =>
  document.addEventListener('click', ({ target }) => {
    const chosen = target instanceof Element ? target.closest('.views a') : null
    const first = document.querySelector('#view-preview, #view-table')
    if (chosen && first) write(first.id, chosen === first ? undefined : 'source')
  })

/** A row of a table may have several lines of its text: the address of one that has no row of its own is that of the source. */
const goToLineOfNoRow = () => {
  const [line] = /^#L\d+/.exec(location.hash) ?? []
  if (line && !document.querySelector(line)) location.replace(`?view=text${location.hash}`)
}

/** The sheet of the system, which a reader may close without a choice. */
const share = () => navigator.share({ title: document.title, url: location.href }).catch(() => {})

/** It may break before its path, not inside the id. */
const showAddress = () => {
  const { origin, pathname } = location
  for (const address of elements('.address'))
    address.replaceChildren(origin, document.createElement('wbr'), pathname)
}

enableGoToLine()
// Readers need none of it.
if (madeHere()) loadFor(element('.made')).catch(() => announce('The deletion link is in My items.'))
showAddress()
onClick('#copy', copyText)
onClick('#copy-link, #copy-link-row', () => copy(location.href, 'Link copied'))
onClick('#share', share)
onClick('#wrap', toggleWrap)
if (!hasOwnShape) {
  copySelectionExactly(code)
  showWrap()
  matchMedia('(max-width: 40rem)').addEventListener('change', showWrap)
}
if (view === 'table') goToLineOfNoRow()
if (view !== 'preview') enableLineLinks(code)
rememberView()
