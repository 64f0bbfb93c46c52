import { levels } from '../show.ts'
import { levelOf, noLevel } from './levels.ts'
import { type LineStart, startOf } from './prefixes.ts'
import { isFunctionOfGo, isGoroutine, isOfStatement, type TraceLine, traceLineOf } from './traces.ts'

// The bits of a kind: the level plus 1, whether the line belongs to the one before, whether it is a frame of a trace.
const levelBits = 7
const belongs = 8
const isFrame = 16

/** The level of a line, as its place in `levels`; -1 for none. */
export const levelOfKind = (kind = 0) => (kind & levelBits) - 1
export const belongsToLineBefore = (kind = 0) => (kind & belongs) !== 0
export const isFrameOfTrace = (kind = 0) => (kind & isFrame) !== 0

const warn = levels.indexOf('warn')
const error = levels.indexOf('error')
const fatal = levels.indexOf('fatal')

/** What the lines of a carrier so far say about its next one. */
type State = {
  level: number
  isRecord: boolean
  isInTrace: boolean
  isInGo: boolean
  isAfterBlank: boolean
  isAfterFrame: boolean
  /** True behind the line that ends a trace of a carrier. */
  isEnded: boolean
  /** True if the lines of the trace begin with times themselves. */
  isTimed: boolean
}

const createState = (): State => ({
  ...{ level: noLevel, isRecord: false, isInTrace: false },
  ...{ isInGo: false, isAfterBlank: false, isAfterFrame: false, isEnded: false, isTimed: false },
})

/** A line begins a record of this level. @returns its kind */
const begin = (state: State, level: number, isInTrace = false) => {
  state.level = level
  state.isInTrace = isInTrace
  state.isRecord = true
  state.isInGo = false
  state.isEnded = false
  state.isTimed = false
  return level + 1
}

/** A line belongs to the record before it. @returns its kind */
const goOn = ({ isRecord, level }: State, bits = 0) => (isRecord ? (level + 1) | belongs | bits : bits)

const readIndented = (state: State, isFrameLine: boolean) => {
  if (isFrameLine) state.isInTrace = true
  return goOn(state, state.isInTrace ? isFrame : 0)
}

const isOfError = ({ isRecord, isInTrace, level, isAfterBlank }: State) =>
  isRecord && (isInTrace || (level >= warn && !isAfterBlank))

const readTrace = (state: State, line: TraceLine, text: string) => {
  if (line === 'frame') return state.isRecord ? readIndented(state, true) : begin(state, error, true)
  const isOf = isOfError(state)
  const isGo = line === 'panic' || isGoroutine(text)
  state.isInGo = isGo
  if (line === 'on' && state.isRecord) return goOn(state)
  if (isOf) {
    state.isInTrace = true
    return goOn(state)
  }
  const kind = begin(state, line === 'panic' ? fatal : error, true)
  state.isInGo = isGo
  return kind
}

const isSpace = (character: number) => character === 0x20 || character === 0x09

/**
 * True if the line may be the last one of a trace of Python, or the message behind a panic of Rust. Behind a carrier any
 * line may follow, so after frames it must be the name of an error.
 */
const mayEndTrace = (state: State, { carrier, indented }: LineStart) => {
  const { isInTrace, isAfterBlank, isInGo, isEnded, isAfterFrame } = state
  if (!isInTrace || isAfterBlank || isInGo || isEnded) return false
  return carrier === undefined || !isAfterFrame || /^[\w.]{1,200}(?:: |$)/.test(indented)
}

/** A line of a program without a time of its own. */
const readBare = (state: State, start: LineStart) => {
  const text = start.indented
  const line = traceLineOf(text)
  if (isSpace(text.charCodeAt(0))) {
    const own = state.isInTrace || line ? undefined : startOf(text.trimStart())
    return own?.timeChars ? begin(state, levelOf(own)) : readIndented(state, line !== undefined)
  }
  if (state.isInGo && isFunctionOfGo(text)) return goOn(state, isFrame)
  if (line) {
    // Behind a carrier, nothing else says that the next line is no more of the trace.
    state.isEnded = start.carrier !== undefined && line === 'begin' && state.isAfterFrame
    return readTrace(state, line, text)
  }
  const own = levelOf(start)
  if (own === noLevel && mayEndTrace(state, start)) {
    state.isInTrace = false
    return goOn(state)
  }
  return begin(state, own)
}

const timed = (state: State, kind: number) => {
  state.isTimed = true
  return kind
}

/** A line with a time begins a record, unless it is certainly of the trace before. @returns its kind, if it is */
const readTimed = (state: State, start: LineStart) => {
  const text = start.indented
  if (text.startsWith('Traceback (')) return timed(state, readTrace(state, 'begin', text))
  if (!isOfError(state)) return undefined
  const line = traceLineOf(text)
  const isOpen = state.isInTrace && state.isTimed
  if (line === 'frame' || (isOpen && levelOf(start) === noLevel && isSpace(text.charCodeAt(0))))
    return isOpen || isSpace(text.charCodeAt(0)) ? timed(state, readIndented(state, true)) : undefined
  if (line === 'on' || isOfStatement(text)) return goOn(state)
  if (line !== 'begin' || !isOpen || !state.isAfterFrame) return undefined
  // The next line says as much of itself.
  state.isInTrace = false
  return goOn(state)
}

/** More carriers than a log has; the lines of each are read by themselves. */
const mostCarriers = 100

/** Says what each line is, from the lines of the same carrier before it. */
export const createLineReader = () => {
  const states = new Map<string, State>()
  let state = createState()
  let carrier: string | undefined

  /** A line without a carrier goes on with the line before; one with a time of its own has nothing to do with it. */
  const choose = (next: string | undefined) => {
    if (next === carrier) return
    carrier = next
    const known = states.get(next ?? '')
    state = known ?? createState()
    if (known) return
    if (states.size > mostCarriers) states.clear()
    states.set(next ?? '', state)
  }

  const isBlank = ({ carrier: name, rest, hasTime }: LineStart) =>
    name !== undefined && !hasTime && !/\S/.test(rest)

  return {
    readBlank: () => {
      state.isAfterBlank = true
    },
    read: (start: LineStart) => {
      if (start.carrier !== undefined || start.hasTime) choose(start.carrier)
      if (isBlank(start)) {
        state.isAfterBlank = true
        return 0
      }
      const kind = start.hasTime
        ? (readTimed(state, start) ?? begin(state, levelOf(start)))
        : readBare(state, start)
      state.isAfterBlank = false
      state.isAfterFrame = (kind & isFrame) !== 0
      return kind
    },
  }
}
