import { createScreen } from './ansi.ts'
import { type Fold, type Job, type Lines, linesIn, renderTokens, type Token } from './lines.ts'
import { belongsToLineBefore, isFrameOfTrace, levelOfKind, levels, noLevel, readLog } from './log.ts'
import { classesOfStyle } from './theme.ts'

/** A shorter trace is not folded, and a longer one in parts. */
const foldedLines = { least: 3, most: 1000 }

const tints = { warn: levels.indexOf('warn'), error: levels.indexOf('error'), info: levels.indexOf('info') }

/** The class of a level, and another one if the line belongs to the one before. */
const classesOf = (kind: number) => {
  const level = levelOfKind(kind)
  if (level === noLevel) return ''
  const tint = level >= tints.error ? 'le' : level === tints.warn ? 'lw' : level < tints.info ? 'ld' : ''
  return tint && belongsToLineBefore(kind) ? `${tint} lc` : tint
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const redrawing = /[\x1b\x08]|\r(?!$)/

/** The time of each line in a quieter colour, or the colours of a terminal. @param times the length of each time */
function* tokensOfLog({ text, language }: Job, times: Uint8Array): Generator<readonly Token[]> {
  const isForTerminal = language === 'ansi' || text.includes('\x1b[')
  const { show, isOrdinary } = createScreen()
  let at = 0
  for (const line of linesIn(text)) {
    const time = times[at++] ?? 0
    if (isForTerminal && (!isOrdinary() || redrawing.test(line)))
      yield show(line).map(({ content, style }) => ({ content, classes: classesOfStyle(style) }))
    else if (time === 0) yield [{ content: line, classes: '' }]
    else
      yield [
        { content: line.slice(0, time), classes: 'q' },
        { content: line.slice(time), classes: '' },
      ]
  }
}

/** Folds traces. @returns the fold that begins at a line, if one does */
const createFolds = (kinds: Uint8Array) => {
  let foldEnd = 0
  return (at: number): Fold | undefined => {
    if (at < foldEnd || !isFrameOfTrace(kinds[at])) return undefined
    let end = at
    while (end < kinds.length && end - at < foldedLines.most && isFrameOfTrace(kinds[end])) end++
    if (end - at < foldedLines.least) return undefined
    foldEnd = end
    return { name: `${end - at} lines of the stack trace`, classes: classesOf(kinds[at] ?? 0), last: end }
  }
}

/** Renders a log, or the lines of a level and above. It blocks: only for the child. */
export const renderLog = (job: Job): Lines => {
  const { text, show } = job
  const { level, grep } = show && !('view' in show) ? show : {}
  const { kinds, times, facts } = readLog(text)
  const least = level === undefined ? undefined : levels.indexOf(level)
  const foldAt = createFolds(kinds)
  const first: { error?: number; warn?: number } = {}
  const lines = renderTokens(text, tokensOfLog(job, times), {
    grep,
    isWanted: least === undefined ? undefined : (at) => levelOfKind(kinds[at]) >= least,
    lookOf: (at) => ({ classes: classesOf(kinds[at] ?? 0), fold: foldAt(at) }),
    onShown: (at) => {
      const own = belongsToLineBefore(kinds[at]) ? noLevel : levelOfKind(kinds[at])
      if (own >= tints.error) first.error ??= at + 1
      if (own === tints.warn) first.warn ??= at + 1
    },
  })
  const firstLine = first.error ?? first.warn
  return { ...lines, log: firstLine === undefined ? facts : { ...facts, first: firstLine } }
}
