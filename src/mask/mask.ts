import type { Finding } from './find.ts'
import { isPersonal } from './table.ts'

/** A value with the placeholder that stands for it. Lines count from 1, each once. */
export type Masked = { kind: string; placeholder: string; value: string; lines: readonly number[] }

/** What names a value: a secret is the same by any kind, but nobody's name is somebody's password. */
export const nameOf = ({ kind, value }: Pick<Finding, 'kind' | 'value'>) =>
  `${isPersonal(kind) ? kind : 'secret'}:${value}`

const placeholders = /<[a-z][a-z-]{1,30}-\d{1,7}>/g

export type Choices = {
  /** Placeholders that were given before, which stay. */
  known?: readonly Pick<Masked, 'kind' | 'placeholder' | 'value'>[]
  /** True for what stays as it is. */
  isKept?: (value: Omit<Masked, 'lines'>) => boolean
}

/** Gives each value its placeholder, in the order of the text; never one that the text has already. */
const createNaming = (text: string, known: NonNullable<Choices['known']>) => {
  const names = new Map(known.map((one) => [nameOf(one), one.placeholder]))
  const taken = new Set([...names.values(), ...(text.match(placeholders) ?? [])])
  const counts = new Map<string, number>()
  const next = (kind: string): string => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const placeholder = `<${kind}-${count}>`
    return taken.has(placeholder) ? next(kind) : placeholder
  }
  return (finding: Finding) => {
    const name = nameOf(finding)
    const placeholder = names.get(name) ?? next(finding.kind)
    names.set(name, placeholder)
    return placeholder
  }
}

/**
 * Replaces what was found by placeholders such as `<ip-1>`: the same value has the same one in the whole text.
 * @returns the text, and what was replaced and kept, each value once
 */
export const mask = (text: string, findings: readonly Finding[], { known = [], isKept }: Choices = {}) => {
  const placeholderOf = createNaming(text, known)
  const replaced = new Map<string, Masked & { lines: number[] }>()
  const kept = new Set<string>()
  const pieces: string[] = []
  let end = 0
  for (const finding of findings) {
    const { kind, value, from, length, line } = finding
    const placeholder = placeholderOf(finding)
    const one = replaced.get(placeholder) ?? { kind, placeholder, value, lines: [] }
    if (!replaced.has(placeholder)) {
      replaced.set(placeholder, one)
      if (isKept?.(one)) kept.add(placeholder)
    }
    if (one.lines.at(-1) !== line) one.lines.push(line)
    if (kept.has(placeholder)) continue
    pieces.push(text.slice(end, from), placeholder)
    end = from + length
  }
  pieces.push(text.slice(end))
  const all: readonly Masked[] = [...replaced.values()]
  return {
    text: pieces.join(''),
    masked: all.filter(({ placeholder }) => !kept.has(placeholder)),
    kept: all.filter(({ placeholder }) => kept.has(placeholder)),
  }
}
