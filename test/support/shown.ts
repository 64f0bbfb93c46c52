import { createRenderer } from '../../src/highlight/child.ts'
import type { View } from '../../src/highlight/languages/languages.ts'
import { type Element, parseRendering } from './html.ts'

const renderer = createRenderer()

/** A view of a text, as a browser builds it. */
export const shownAs = async (view: View, text: string, language: string) => {
  const render = await renderer
  const { html, ...facts } = await render({ text, language, show: { view } }, () => {})
  const { elements, text: shown } = parseRendering(html.join(''))
  const named = (name: string) => elements.filter((element) => element.name === name)
  return {
    html: html.join(''),
    text: shown,
    elements,
    facts,
    named,
    textsOf: (name: string) => named(name).map(({ text }) => text),
  }
}

/** Elements and attributes that a view may have, whatever its text is. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  ...{
    div: ['class', 'role', 'aria-label', 'tabindex'],
    section: ['class', 'aria-label'],
    p: ['class'],
    br: [],
    hr: [],
  },
  ...{ strong: [], em: [], s: [], sup: [], blockquote: ['class'], code: [], pre: ['tabindex'], ul: [] },
  ...{ ol: ['start'], li: ['id', 'class'], input: ['type', 'disabled', 'checked', 'aria-label'] },
  ...{ h2: ['id'], h3: ['id'], h4: ['id'], h5: ['id'], h6: ['id'] },
  ...{
    table: [],
    thead: [],
    tbody: [],
    tr: ['id'],
    th: ['scope', 'class', 'data-widest'],
    td: ['class', 'data-widest'],
  },
  ...{ details: ['class', 'open'], summary: [] },
  a: ['href', 'rel', 'title', 'class', 'id', 'aria-label'],
  span: ['class', 'title', 'role', 'data-x'],
}

const isSafeLink = ({ attributes: { href = '', rel } }: Element) =>
  /^#(?:md-|note-\d|noteref-\d|L\d)/.test(href) ||
  (/^(?:https?:\/\/|mailto:)/i.test(href) && rel === 'noopener noreferrer nofollow')

/** Everything in a view that its text may not put there. */
export const foreignIn = (elements: readonly Element[]) =>
  elements.filter(
    (element) =>
      !allowed[element.name] ||
      Object.keys(element.attributes).some((name) => !allowed[element.name]?.includes(name)) ||
      (element.name === 'a' && !isSafeLink(element)) ||
      (element.attributes.id !== undefined && !/^(?:md-|note-\d|noteref-\d|L\d)/.test(element.attributes.id)),
  )
