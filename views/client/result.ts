import { languageText, usesText } from '../../src/format.ts'
import { showAges } from './age.ts'
import type { Created } from './api.ts'
import { element, elements } from './dom.ts'
import type { Kind } from './form.ts'

const card = () => element('#result')

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

/** Fills in the addresses: to share, to open, to delete by. */
const setAddresses = (content: DocumentFragment, { url, deletionUrl }: Created) => {
  const [copy, copyDeletion] = elements('[data-copy]', content)
  const [open, erase] = elements<HTMLAnchorElement>('a', content)
  if (!copy || !copyDeletion || !open || !erase) throw new Error('a result lacks a control')
  element<HTMLInputElement>('input', content).value = url
  copy.dataset.copy = url
  open.href = url
  copyDeletion.dataset.copy = deletionUrl
  erase.href = deletionUrl
}

/**
 * Shows what was created beside the form, like the server does without JavaScript: a short link, or a paste that cannot be
 * shown because that would be a read.
 */
export const showResult = (kind: Kind, name: string, created: Created, isCopied: boolean) => {
  const { url, expiresAt, uses, language } = created
  const content = element<HTMLTemplateElement>('#result-template').content.cloneNode(true) as DocumentFragment
  const title = `${kind === 'paste' ? 'Paste' : 'Short link'} created${isCopied ? ', and the link is copied' : ''}`
  element('.what', content).textContent = title
  element('.name', content).textContent = name
  setAddresses(content, created)
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
  // Enter copies: where the browser refused, and once more.
  element('.primary', card()).focus()
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
