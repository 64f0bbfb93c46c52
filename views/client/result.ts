import type { Created } from './api.ts'
import { enableCopyButtons } from './copy.ts'
import { element } from './dom.ts'

const fill = (row: HTMLElement, address: string | undefined) => {
  row.hidden = address === undefined
  if (address === undefined) return
  const link = element<HTMLAnchorElement>('a', row)
  link.href = address
  link.textContent = address
  element('[data-copy]', row).dataset.copy = address
}

/** Shows the addresses of what was just created, and a picture of the first for a phone. */
export const showResult = ({ url, rawUrl, deletionUrl }: Created) => {
  const content = element<HTMLTemplateElement>('#result-template').content.cloneNode(true) as DocumentFragment
  fill(element('.url', content), url)
  fill(element('.raw', content), rawUrl)
  fill(element('.deletion', content), deletionUrl)
  const [kind, id] = url.split('/').slice(-2)
  element<HTMLImageElement>('img', content).src = `qr/${kind}/${id}`
  enableCopyButtons(content)
  const result = element('#result')
  result.replaceChildren(content)
  result.hidden = false
  element('h2', result).focus()
}
