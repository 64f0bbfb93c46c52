import type { Finding } from './find.ts'
import { nameOf } from './mask.ts'
import { isPersonal, wordsOf } from './table.ts'

/** Line numbers that are written out; the rest is counted. */
const mostLines = 5

/** `line 3`, `lines 3 and 9`, `lines 1, 2, 3, 4, 5 and 40 more` */
export const linesText = (lines: readonly number[]) => {
  if (lines.length === 1) return `line ${lines[0]}`
  const rest = lines.length - mostLines
  const shown = lines.slice(0, rest > 0 ? mostLines : -1).join(', ')
  return `lines ${shown} and ${rest > 0 ? `${rest.toLocaleString('en')} more` : lines.at(-1)}`
}

/** `1 password`, `2 MAC addresses` */
export const counted = (kind: string, count: number) => {
  const words = wordsOf(kind)
  const ending = count === 1 ? '' : words.endsWith('s') ? 'es' : 's'
  return `${count.toLocaleString('en')} ${words}${ending}`
}

/** How many values of a kind there are, and on which lines. */
export type Sum = { kind: string; values: number; lines: readonly number[] }

/** Counts what was found by kind: each value once, secrets before what is personal. */
export const sumUp = (findings: readonly Finding[]): Sum[] => {
  const sums = new Map<string, { names: Set<string>; lines: Set<number> }>()
  for (const finding of findings) {
    const sum = sums.get(finding.kind) ?? { names: new Set(), lines: new Set() }
    sums.set(finding.kind, sum)
    sum.names.add(nameOf(finding))
    sum.lines.add(finding.line)
  }
  return [...sums]
    .map(([kind, { names, lines }]) => ({ kind, values: names.size, lines: [...lines] }))
    .sort((a, b) => Number(isPersonal(a.kind)) - Number(isPersonal(b.kind)))
}

/** `2 passwords (lines 3 and 9)` */
export const sumText = ({ kind, values, lines }: Sum) => `${counted(kind, values)} (${linesText(lines)})`
