import { copy, copySelectionExactly } from './copy.ts'
import { announce, element } from './dom.ts'
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

enhance({
  c: () => element('#copy').click(),
  r: () => element('#raw').click(),
  d: () => element('#download').click(),
  w: toggleWrap,
})
element('#copy').addEventListener('click', () => copy(code.textContent ?? ''))
element('#wrap').addEventListener('click', toggleWrap)
copySelectionExactly(code)
showWrap(read('wrap') === 'yes')
enableLineLinks(code)
