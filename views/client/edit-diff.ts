import { diffPieces } from '../../src/highlight/compare/diff-html.ts'
import { type Comparison, compareLines } from '../../src/highlight/compare/line-diff.ts'
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

/** More would keep the browser busy for seconds. */
const mostChars = 2_000_000

/** @returns the rows that have room, and whether these are all */
const rowsIn = (comparison: Comparison) => {
  let chars = 0
  const hasRoom = (html: string) => {
    chars += html.length
    return chars <= mostChars
  }
  const pieces = diffPieces(rowsOf(comparison), 'unified', hasRoom)
  const html: string[] = []
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return { lines: nodesOf(html.join('')), isWhole: value }
    html.push(value)
  }
}

/** The fields apart from the text that differ, in words. */
const otherChanges = (before: Content, after: Content) =>
  Object.entries(labels).flatMap(([field, label]) =>
    (before[field] ?? '') === (after[field] ?? '')
      ? []
      : [`${label}: “${before[field] ?? ''}” became “${after[field] ?? ''}”.`],
  )

type Shown = { lines: readonly Node[]; facts: string; digits?: number }

/** How two versions differ: lines that begin with + or −, and what else was changed, in words. */
export const shownDiff = (before: Content, after: Content): Shown => {
  const others = otherChanges(before, after)
  const only = (fact: string): Shown => ({ lines: [], facts: [...others, fact].join(' ') })
  const comparison = compareLines(linesOf(before), linesOf(after))
  if (!comparison) return only('The texts differ too much to be compared line by line.')
  if (comparison.changes.length === 0) return only('The text is the same.')
  const { added, removed } = comparison
  const { lines, isWhole } = rowsIn(comparison)
  const facts = [
    ...(kind === 'link' ? [] : [`Lines: +${countOf(added)} −${countOf(removed)}.`]),
    ...(isWhole ? [] : ['Only the first differences are shown.']),
    ...others,
  ]
  const digits = String(Math.max(comparison.before.count, comparison.after.count)).length
  return { lines, facts: facts.join(' '), digits }
}
