import { element, elements } from './dom.ts'

const input = element<HTMLInputElement>('#filter')

/** The text searched for an operation. Answers are left out: most are the same everywhere. */
const found = elements('.operation').map((operation) => ({
  operation,
  link: elements(`.contents [href="#${element('article', operation).id}"]`)[0]?.closest('li'),
  text: elements('summary, .request, .fields', operation)
    .map(({ textContent }) => textContent)
    .join(' ')
    .toLowerCase(),
}))

const filter = () => {
  const asked = input.value.toLowerCase().trim()
  const words = asked.split(/\s+/)
  let count = 0
  for (const { operation, link, text } of found) {
    const isMatch = words.every((word) => text.includes(word))
    operation.hidden = !isMatch
    if (link) link.hidden = !isMatch
    if (isMatch) count++
  }
  for (const part of elements('.docs section, .protocol, .contents div'))
    part.hidden = !part.querySelector('.operation:not([hidden]), li:not([hidden])')
  for (const protocol of elements<HTMLDetailsElement>('.protocol')) protocol.open = asked !== ''
  element('#matches').textContent = asked && (count === 1 ? '1 result' : `${count || 'No'} results`)
}

/** For browsers that do not open the details around the target of an address. */
const openTarget = () => {
  const target = document.getElementById(location.hash.slice(1))
  const around = elements<HTMLDetailsElement>('details:not([open])').filter((part) => part.contains(target))
  for (const part of around) part.open = true
  if (around.length > 0) target?.scrollIntoView()
}

input.addEventListener('input', filter)
addEventListener('hashchange', openTarget)
filter()
openTarget()
