import { languageText, usesText } from '../../src/format.ts'
import { showAges } from './age.ts'
import type { Created } from './api.ts'
import { element, elements } from './dom.ts'
import type { Kind } from './form.ts'

const card = () => element('#result')

const setAddress = (row: HTMLElement, address: string) => {
  const link = element<HTMLAnchorElement>('a', row)
  link.href = address
  link.textContent = address
  element('[data-copy]', row).dataset.copy = address
}

const showExpiry = (row: HTMLElement, expiresAt: string | undefined) => {
  row.hidden = expiresAt === undefined
  if (expiresAt === undefined) return
  const time = element<HTMLTimeElement>('time', row)
  time.dateTime = expiresAt
  time.textContent = new Date(expiresAt).toLocaleString('en-GB')
  showAges(row)
}

/** The field of the form has every language. */
const nameOf = (language = '') =>
  document.querySelector<HTMLOptionElement>(`[name=language] [value="${language}"]`)?.text ?? language

const titles = { paste: 'Paste created', link: 'Short link created' }

/** Shows the result of a creation, like the server does without JavaScript. */
export const showResult = (kind: Kind, name: string, created: Created) => {
  const { url, rawUrl, deletionUrl, expiresAt, uses, language } = created
  const content = element<HTMLTemplateElement>('#result-template').content.cloneNode(true) as DocumentFragment
  element('.what', content).textContent = titles[kind]
  element('.name', content).textContent = name
  setAddress(element('.url', content), url)
  setAddress(element('.deletion', content), deletionUrl)
  const raw = element('.raw', content)
  // A burn-after-reading paste has no raw address to open.
  if (rawUrl && uses === undefined) setAddress(raw, rawUrl)
  else raw.remove()
  showExpiry(element('.expiry', content), expiresAt)
  element('.uses', content).textContent = usesText(kind, uses)
  element('.found', content).textContent = languageText(language, nameOf(language))
  const [part, id] = url.split('/').slice(-2)
  element<HTMLImageElement>('img', content).src = `qr/${part}/${id}`
  card().replaceChildren(content)
  card().hidden = false
  card().dataset.url = url
  scrollTo(0, 0)
  for (const panel of elements('.panel')) panel.scrollTop = 0
  element('h2', card()).focus()
}

/** Called when the result is outdated, or something else is being created. */
export const hideResult = () => {
  card().hidden = true
  card().replaceChildren()
}

/** Hides the result when its item is deleted. */
export const enableResult = () =>
  document.addEventListener('shortcrust:deleted', (event) => {
    if ((event as CustomEvent<{ url: string }>).detail.url === card().dataset.url) hideResult()
  })
