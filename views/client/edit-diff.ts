import { patchOf } from '../../src/items/line-diff.ts'
import { type Content, kind } from './edit-item.ts'

const labels = { title: 'Title', description: 'Description', language: 'Language' }
const names = { '+': 'ins', '-': 'del' } as const

const linesOf = (content: Content) => String((kind === 'link' ? content.url : content.text) ?? '')

/** The line after the last one, if that has no end. */
const noEnd = () => {
  const note = document.createElement('span')
  note.className = 'note'
  note.textContent = 'No line end here'
  return note
}

const lineOf = (line: string) => {
  const sign = line.slice(0, 1)
  if (sign === '\\') return noEnd()
  const shown = document.createElement(names[sign as keyof typeof names] ?? 'span')
  const mark = document.createElement('span')
  mark.className = 'sign'
  mark.textContent = sign === '-' ? '−' : sign
  shown.append(mark, line.slice(1).replace(/\r$/, '␍'))
  return shown
}

const placeOf = (line: number) => {
  const place = document.createElement('p')
  place.className = 'place'
  place.textContent = `Line ${line.toLocaleString('en')}`
  return place
}

/** The lines of a version. */
export const shownText = (content: Content): readonly Node[] => {
  const text = document.createElement('pre')
  text.textContent = linesOf(content)
  return [text]
}

/** How two versions differ: lines that begin with + or −, and what else was changed, in words. */
export const shownDiff = (before: Content, after: Content): { lines: readonly Node[]; facts: string } => {
  const others = Object.entries(labels).flatMap(([field, label]) =>
    (before[field] ?? '') === (after[field] ?? '')
      ? []
      : [`${label}: “${before[field] ?? ''}” became “${after[field] ?? ''}”.`],
  )
  const patch = patchOf(linesOf(before), linesOf(after))
  if (!patch) others.push('The texts differ too much to be compared line by line.')
  else if (patch.hunks.length === 0) others.push('The text is the same.')
  const lines = (patch?.hunks ?? []).flatMap(({ newStart, lines }) => [
    ...(kind === 'link' ? [] : [placeOf(newStart)]),
    ...lines.filter((line) => kind === 'paste' || !line.startsWith('\\')).map(lineOf),
  ])
  return { lines, facts: others.join(' ') }
}
