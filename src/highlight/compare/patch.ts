import type { Change, Comparison, TextLines } from './line-diff.ts'

/** The two lines before a patch: the name of each side, and what is known of it. */
export const patchHead = (sides: readonly PatchSide[]) =>
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

/** Changes that are near each other, and the lines around them. Lines count from 0. */
export type Hunk = {
  before: number
  beforeCount: number
  after: number
  afterCount: number
  changes: readonly Change[]
}

/** Unchanged lines shown around a change, as other programs show them. */
const context = 3

const hunkOf = (changes: readonly Change[], { before: { count } }: Comparison): Hunk => {
  const [first, last] = [changes[0] as Change, changes.at(-1) as Change]
  const lead = Math.min(context, first.before)
  const beforeEnd = last.before + last.removed
  const trail = Math.min(context, count - beforeEnd)
  const [before, after] = [first.before - lead, first.after - lead]
  return {
    ...{ before, after, changes },
    beforeCount: beforeEnd + trail - before,
    afterCount: last.after + last.added + trail - after,
  }
}

/** The changes with three lines around them. */
export function* hunksOf(comparison: Comparison): Generator<Hunk> {
  let near: Change[] = []
  for (const change of comparison.changes) {
    const last = near.at(-1)
    if (last && change.before - (last.before + last.removed) > 2 * context) {
      yield hunkOf(near, comparison)
      near = []
    }
    near.push(change)
  }
  if (near.length > 0) yield hunkOf(near, comparison)
}

/** A stretch of a hunk: unchanged lines, then a change, unless it is the end. */
export type Stretch = { before: number; after: number; unchanged: number; change: Change | undefined }

/** The parts of a hunk, in order. */
export function* stretchesOf({ before, after, beforeCount, changes }: Hunk): Generator<Stretch> {
  let [at, other] = [before, after]
  for (const change of changes) {
    yield { before: at, after: other, unchanged: change.before - at, change }
    at = change.before + change.removed
    other = change.after + change.added
  }
  yield { before: at, after: other, unchanged: before + beforeCount - at, change: undefined }
}
