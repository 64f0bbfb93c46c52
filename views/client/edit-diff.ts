import { type DiffLook, diffPieces } from '../../src/highlight/compare/diff-html.ts'
import { type Comparison, compareLines } from '../../src/highlight/compare/line-diff.ts'
import { patchHead, patchLines } from '../../src/highlight/compare/patch.ts'
import { rowsOf } from '../../src/highlight/compare/rows.ts'
import { fileNameOf } from '../../src/highlight/languages/file-names.ts'
import { type Content, kind, plainName } from './edit-item.ts'

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
const rowsIn = (comparison: Comparison, look: DiffLook) => {
  let chars = 0
  const hasRoom = (html: string) => {
    chars += html.length
    return chars <= mostChars
  }
  const pieces = diffPieces(rowsOf(comparison), look, hasRoom)
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

/** A version to compare: its content, and its name. */
export type Side = { content: Content; name: string }

/** Saved by the browser under a name. */
export type Patch = { file: string; text: () => string }

const fileOf = ({ title, language }: Content) =>
  fileNameOf(plainName, String(title ?? ''), String(language ?? 'text'))

/** The patch that leads from one version to the other. */
const patchOf = (sides: readonly [Side, Side], comparison: Comparison): Patch => {
  const [before, after] = sides.map(({ content, name }) => ({ name: fileOf(content), about: name }))
  const names = sides.map(({ name }) => name.replaceAll(' ', '-'))
  return {
    file: `${plainName}-${names.join('-')}.patch`,
    text: () => [before && after ? patchHead([before, after]) : '', ...patchLines(comparison)].join(''),
  }
}

type Shown = { lines: readonly Node[]; facts: string; digits?: number; patch?: Patch }

/** How two versions differ: lines that begin with + or −, what else was changed, in words, and a patch of the lines. */
export const shownDiff = (sides: readonly [Side, Side], look: DiffLook): Shown => {
  const [before, after] = [sides[0].content, sides[1].content]
  const others = otherChanges(before, after)
  const only = (fact: string): Shown => ({ lines: [], facts: [...others, fact].join(' ') })
  const comparison = compareLines(linesOf(before), linesOf(after))
  if (!comparison) return only('The texts differ too much to be compared line by line.')
  if (comparison.changes.length === 0) return only('The text is the same.')
  const { added, removed } = comparison
  const { lines, isWhole } = rowsIn(comparison, look)
  const facts = [
    ...(kind === 'link' ? [] : [`Lines: +${countOf(added)} −${countOf(removed)}.`]),
    ...(isWhole ? [] : ['Only the first differences are shown.']),
    ...others,
  ]
  const digits = String(Math.max(comparison.before.count, comparison.after.count)).length
  return { lines, facts: facts.join(' '), digits, patch: patchOf(sides, comparison) }
}
