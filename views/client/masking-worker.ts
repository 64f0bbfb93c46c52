// Looks through a text and masks it, in a thread of its own: a text of 1 MiB must not stop anybody's typing.
import {
  type Finding,
  findingName,
  findSecrets,
  isPersonal,
  kindWords,
  linesText,
  type Masked,
  mask,
  sumText,
  sumUp,
} from '../../src/mask/mask.ts'

/** The lines of each placeholder of the text, and of each value that was taken back. */
const linesOf = (text: string, findings: readonly Finding[], entries: readonly Entry[]) => {
  const lines = new Map<string, number[]>()
  const add = (placeholder: string, line: number) => {
    const known = lines.get(placeholder) ?? []
    if (known.at(-1) !== line) known.push(line)
    lines.set(placeholder, known)
  }
  const left = new Map(
    entries.filter(({ isLeft }) => isLeft).map((one) => [findingName(one), one.placeholder]),
  )
  for (const finding of findings) {
    const placeholder = left.get(findingName(finding))
    if (placeholder !== undefined) add(placeholder, finding.line)
  }
  const masked = new Set(entries.filter(({ isLeft }) => !isLeft).map(({ placeholder }) => placeholder))
  if (masked.size === 0) return lines
  for (const [at, line] of text.split('\n').entries())
    for (const [found] of line.matchAll(/<[a-z-]+-\d+>/g)) if (masked.has(found)) add(found, at + 1)
  return lines
}

const listedOf = (text: string, findings: readonly Finding[], entries: readonly Entry[]): Listed[] => {
  const lines = linesOf(text, findings, entries)
  return entries.flatMap(({ kind, placeholder, isLeft }) => {
    const where = lines.get(placeholder)
    return where ? [{ placeholder, isLeft, about: `${kindWords(kind)}, ${linesText(where)}` }] : []
  })
}

const look = (text: string, entries: readonly Entry[]): Answer => {
  const findings = findSecrets(text)
  const left = new Set(entries.filter(({ isLeft }) => isLeft).map(findingName))
  const sums = sumUp(findings.filter((finding) => !left.has(findingName(finding))))
  const words = (isWanted: boolean) => sums.filter(({ kind }) => isPersonal(kind) === isWanted).map(sumText)
  const listed = listedOf(text, findings, entries)
  return { entries, listed, secrets: words(false), personal: words(true) }
}

const answer = ({ text, entries, masks }: Asked): Answer => {
  if (masks === undefined) return look(text, entries)
  const only = masks === 'all' ? undefined : masks.only
  const left = new Set(entries.filter(({ isLeft }) => isLeft).map(({ placeholder }) => placeholder))
  const { text: masked, masked: values } = mask(text, findSecrets(text), {
    known: entries,
    isKept: ({ placeholder }) => (only === undefined ? left.has(placeholder) : placeholder !== only),
  })
  const all = new Map(entries.map((entry) => [entry.placeholder, entry]))
  for (const { kind, placeholder, value } of values)
    all.set(placeholder, { kind, placeholder, value, isLeft: false })
  return { ...look(masked, [...all.values()]), text: masked }
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => postMessage(answer(data)))

/** A value that was masked, and may have been taken back. */
export type Entry = Omit<Masked, 'lines'> & { isLeft: boolean }

/** What the page asks of the worker. */
export type Asked = {
  text: string
  entries: readonly Entry[]
  /** Masks everything that was not taken back, or only the value with this placeholder. */
  masks?: 'all' | { only: string }
}

/** A value of the list. */
export type Listed = { placeholder: string; isLeft: boolean; about: string }

export type Answer = {
  /** The masked text, if it was asked for. */
  text?: string
  entries: readonly Entry[]
  /** Those that are in the text still, with their kinds and lines in words. */
  listed: readonly Listed[]
  /** What is not masked: what looks secret, and what is personal, in words. */
  secrets: readonly string[]
  personal: readonly string[]
}
