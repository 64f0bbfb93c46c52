import { diffPieces } from '../../src/highlight/compare/diff-html.ts'
import { compareLines } from '../../src/highlight/compare/line-diff.ts'
import { rowsOf } from '../../src/highlight/compare/rows.ts'
import { type Content, kind } from './edit-item.ts'

const labels = { title: 'Title', description: 'Description', language: 'Language' }

const linesOf = (content: Content) =>
  kind === 'link' ? `${content.url ?? ''}\n` : String(content.text ?? '')

/** The lines of a version. */
export const shownText = (content: Content): readonly Node[] => {
  const text = document.createElement('pre')
  text.textContent = kind === 'link' ? String(content.url ?? '') : linesOf(content)
  return [text]
}

/** Rows with everything user-made escaped, as the page that compares two pastes has them. */
const nodesOf = (html: string) => {
  const template = document.createElement('template')
  template.innerHTML = html
  return [...template.content.childNodes]
}

const countOf = (lines: number) => lines.toLocaleString('en')

type Shown = { lines: readonly Node[]; facts: string; digits?: number }

/** How two versions differ: lines that begin with + or −, and what else was changed, in words. */
export const shownDiff = (before: Content, after: Content): Shown => {
  const others = Object.entries(labels).flatMap(([field, label]) =>
    (before[field] ?? '') === (after[field] ?? '')
      ? []
      : [`${label}: “${before[field] ?? ''}” became “${after[field] ?? ''}”.`],
  )
  const comparison = compareLines(linesOf(before), linesOf(after))
  if (!comparison)
    return {
      lines: [],
      facts: [...others, 'The texts differ too much to be compared line by line.'].join(' '),
    }
  if (comparison.changes.length === 0)
    return { lines: [], facts: [...others, 'The text is the same.'].join(' ') }
  const { added, removed } = comparison
  const size = kind === 'link' ? [] : [`Lines: +${countOf(added)} −${countOf(removed)}.`]
  const digits = String(Math.max(comparison.before.count, comparison.after.count)).length
  const html = [...diffPieces(rowsOf(comparison), 'unified')].join('')
  return { lines: nodesOf(html), facts: [...size, ...others].join(' '), digits }
}
