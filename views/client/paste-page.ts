import { copy, copySelectionExactly } from './copy.ts'
import { announce, element, elements } from './dom.ts'
import { enableGoToLine } from './go-to-line.ts'
import { enableLineLinks } from './lines.ts'
import { read, write } from './storage.ts'

const code = element('#code')

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

/** Says what a copy lacks: of a filtered page, the lines that are left out; of a terminal page, the control sequences. */
const copied = () => {
  if (document.querySelector('#filtered')) return 'Copied the lines shown, not the whole text'
  return 'terminal' in code.dataset ? 'Copied as shown. The raw text has the control sequences.' : 'Copied'
}

const copyText = () => copy(code.textContent ?? '', copied())

const onClick = (selector: string, act: () => void) => {
  for (const button of elements(selector)) button.addEventListener('click', act)
}

enableGoToLine()
onClick('#copy', copyText)
onClick('#copy-link', () => copy(location.href, 'Link copied'))
onClick('#wrap', toggleWrap)
copySelectionExactly(code)
showWrap(read('wrap') === 'yes')
enableLineLinks(code)
