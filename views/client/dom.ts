/** An element that the page must have. */
export const element = <E extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): E => {
  const found = within.querySelector<E>(selector)
  if (!found) throw new Error(`the page has no ${selector}`)
  return found
}

export const elements = <E extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
) => [...within.querySelectorAll<E>(selector)]

/** True if the server knows who the reader is without a key. */
export const isUser = () => document.documentElement.classList.contains('has-user')

let hiding: ReturnType<typeof setTimeout> | undefined

/** Shows a short message, which screen readers read. */
export const announce = (message: string) => {
  const status = element('#status')
  status.textContent = message
  clearTimeout(hiding)
  hiding = setTimeout(() => {
    status.textContent = ''
  }, 2500)
}
