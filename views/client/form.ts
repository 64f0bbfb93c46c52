import { element, elements } from './dom.ts'

export type Kind = 'paste' | 'link'

/** The one form of the start page. */
export const form = element<HTMLFormElement>('#create')

export const field = (name: string) =>
  form.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export const typedIn = (name: string) => field(name).value

export const typedUrl = () => typedIn('url').trim()

/** The controls of a kind that belong to fields of the API. */
export const controlsOf = (kind: Kind) =>
  elements<HTMLInputElement>(`#${kind}-form [name]:not([name=create], [name=burn])`)

/** The field of a control. In the form of links, names that pastes also use start with `link`. */
export const fieldOf = (kind: Kind, name: string) =>
  kind === 'link' ? name.replace(/^link(.)/, (_, first: string) => first.toLowerCase()) : name

/** Sets a field as if it was typed, so the draft and the language picker notice. */
export const fill = (name: string, value: string) => {
  const input = field(name)
  input.value = value
  input.dispatchEvent(new Event('input', { bubbles: true }))
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** Bytes of UTF-8. */
export const bytesOf = (text: string) => new TextEncoder().encode(text).length

export const mostBytes = () => Number((field('text') as HTMLTextAreaElement).dataset.maxBytes)
