import { type Hunk, hunksOf, stretchesOf } from './hunks.ts'
import type { Comparison } from './line-diff.ts'
import type { TextLines } from './text-lines.ts'

/** The two lines before a patch: the name of each side, and what is known of it. */
export const patchHead = (sides: readonly [before: PatchSide, after: PatchSide]) =>
  sides.map(({ name, about }, at) => `${at === 0 ? '---' : '+++'} ${name}\t${about}\n`).join('')
export type PatchSide = { name: string; about: string }

/** Lines count from 1; of no lines, the place is the line before them. */
const rangeOf = (start: number, count: number) => {
  const first = count === 0 ? start : start + 1
  return count === 1 ? String(first) : `${first},${count}`
}

function* marked(sign: string, lines: TextLines, start: number, count: number) {
  for (let at = start; at < start + count; at++) {
    const line = lines.at(at)
    yield line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`
  }
}

function* linesOfHunk({ before, after }: Comparison, hunk: Hunk) {
  yield `@@ -${rangeOf(hunk.before, hunk.beforeCount)} +${rangeOf(hunk.after, hunk.afterCount)} @@\n`
  for (const stretch of stretchesOf(hunk)) {
    yield* marked(' ', before, stretch.before, stretch.unchanged)
    if (!stretch.change) continue
    yield* marked('-', before, stretch.change.before, stretch.change.removed)
    yield* marked('+', after, stretch.change.after, stretch.change.added)
  }
}

/** The hunks of a unified diff, line by line, as `patch` takes them. Empty if the texts are the same. */
export function* patchLines(comparison: Comparison): Generator<string> {
  for (const hunk of hunksOf(comparison)) yield* linesOfHunk(comparison, hunk)
}
