import { copy, copySelectionExactly } from './copy.ts'
import { announce, element, elements } from './dom.ts'
import { enhance } from './enhance.ts'
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

/** A limited paste has no other form that could be opened; one that is cut is not copied. */
const press = (selector: string) => () => elements(selector)[0]?.click()

enhance({ c: press('#copy'), r: press('#raw'), d: press('#download'), w: toggleWrap })
for (const button of elements('#copy')) button.addEventListener('click', () => copy(code.textContent ?? ''))
element('#wrap').addEventListener('click', toggleWrap)
copySelectionExactly(code)
showWrap(read('wrap') === 'yes')
enableLineLinks(code)
