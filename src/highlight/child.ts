import { existsSync, readdirSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import {
  codeToTokensBase,
  createShikiPrimitiveAsync,
  type LanguageRegistration,
  type RegexEngine,
} from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import onigurumaFile from 'shiki/onig.wasm' with { type: 'file' }
import packFile from '../../node_modules/.shortcrust-grammars.pack' with { type: 'file' }
import { terminalLines } from './ansi.ts'
import type { CompareWith } from './compare/line-diff.ts'
import { patchLook } from './compare/words.ts'
import type { JobResult, LaneName } from './highlighter.ts'
import type { View } from './languages/languages.ts'
import { type Job, type Lines, linesIn, type Renderer, renderTokens, type TokensOf } from './lines.ts'
import { isShownAsLog } from './log.ts'
import { renderLog } from './log-page.ts'
import { piecesOf } from './show-text.ts'
import { classesOfStyle, classesOfToken, mergedTheme } from './theme.ts'

/** Longer lines stay plain: shiki cannot be interrupted inside a line, and took 14 s for one of 20,000 characters. */
const maxLineLength = 1000

/** Asking for the parent is a system call. 100 KB of TypeScript has 30,000 matches, and asking at each would take 6 %. */
const matchesPerCheck = 16

/** A job blocks the event loop, and with it the message that the parent died. So every few matches ask for the parent. */
const createEngine = async (): Promise<RegexEngine> => {
  // shiki's own module has it as base64, which takes 2 MB.
  const engine = await createOnigurumaEngine(await Bun.file(onigurumaFile).arrayBuffer())
  const parent = process.ppid
  let matches = 0
  const createScanner: RegexEngine['createScanner'] = (patterns) => {
    const scanner = engine.createScanner(patterns)
    return {
      findNextMatchSync: (...match) => {
        if (matches++ % matchesPerCheck === 0 && process.ppid !== parent) process.exit(1)
        return scanner.findNextMatchSync(...match)
      },
      dispose: () => scanner.dispose?.(),
    }
  }
  return { ...engine, createScanner }
}

/**
 * Reads the pack that `scripts/pack-grammars.ts` writes. Each grammar is unpacked when a text first needs it.
 * @returns what gives the grammar of a language, after those that it embeds
 */
export const openGrammars = async () => {
  const pack = await Bun.file(packFile).bytes()
  const start = 4 + new DataView(pack.buffer).getUint32(0, true)
  const { at, of } = JSON.parse(new TextDecoder().decode(pack.subarray(4, start)))
  const unpacked = new Map<string, LanguageRegistration>()
  const unpack = (name: string) => {
    const [from, length] = at[name]
    const frame = pack.subarray(start + from, start + from + length)
    const grammar = JSON.parse(Bun.zstdDecompressSync(frame).toString())
    unpacked.set(name, grammar)
    return grammar
  }
  return (language: string): LanguageRegistration[] => {
    if (!of[language]) throw new Error(`there is no grammar of ${language}`)
    return of[language].map((name: string) => unpacked.get(name) ?? unpack(name))
  }
}

/** Creates a tokeniser that blocks this process. Terminal text needs no grammar. */
const createTokens = async (): Promise<TokensOf> => {
  const grammarsOf = await openGrammars()
  const shiki = await createShikiPrimitiveAsync({ themes: [mergedTheme], langs: [], engine: createEngine() })
  return async (text, language, onReady = () => {}) => {
    if (language === 'ansi') {
      onReady()
      return terminalLines(text).map((runs) =>
        runs.map(({ content, style }) => ({ content, classes: classesOfStyle(style) })),
      )
    }
    await shiki.loadLanguage(grammarsOf(language))
    onReady()
    const lines = codeToTokensBase(shiki, text, {
      lang: language,
      theme: mergedTheme.name as string,
      tokenizeMaxLineLength: maxLineLength,
      // The default is 0.5 s of wall clock: on a busy machine, it left the rest of a line plain for good.
      tokenizeTimeLimit: 0,
    })
    return lines.map((tokens) =>
      tokens.map((token) => ({ content: token.content, classes: classesOfToken(token) })),
    )
  }
}

function* plainTokens(text: string) {
  for (const content of linesIn(text)) yield [{ content, classes: '' }]
}

/** Texts that are longer together have no colours where they are compared: 128 KiB take 0.3 s. */
const mostColoured = 256 * 1024

/** Logs and terminal text need no grammar, and a diff has its own colours for what was added and removed. */
const isColoured = ({ text, language }: Pick<Job, 'text' | 'language'>) =>
  !['text', 'ansi', 'diff'].includes(language) && !isShownAsLog({ text, language })

/** The rows come before their colours: a reader who waits too long gets these, and so do all if colouring fails. */
const compareTexts = async (
  { text, language, compare }: Job & { compare: CompareWith },
  tokensOf: TokensOf,
  onStart: () => void,
  onEarly: (lines: Lines) => void,
) => {
  const { renderComparison } = await import('./compare/rows.ts')
  onStart()
  const plain = renderComparison(text, compare)
  const isShort = text.length + compare.text.length <= mostColoured
  if (
    compare.as === 'patch' ||
    !isShort ||
    plain.html.join('') === '' ||
    ![{ text, language }, compare].some(isColoured)
  )
    return plain
  onEarly(plain)
  const coloursOf = async (side: Pick<Job, 'text' | 'language'>) =>
    isColoured(side) ? tokensOf(side.text, side.language, onStart) : undefined
  return renderComparison(text, compare, [await coloursOf({ text, language }), await coloursOf(compare)])
}

/** What makes each view, loaded when it is first asked for. */
export const viewRenderers: Readonly<Record<View, () => Promise<Renderer>>> = {
  preview: async () => (await import('./preview.ts')).renderPreview,
  table: async () => (await import('./table.ts')).renderTable,
  formatted: async () => (await import('./json.ts')).renderFormatted,
}

/** Creates what renders jobs and blocks this process; only for the child and tests. `onStart` is called when the grammar is loaded. */
export const createRenderer = async () => {
  const tokensOf = await createTokens()
  return async (
    job: Job,
    onStart: () => void,
    onEarly: (lines: Lines) => void = () => {},
  ): Promise<Lines> => {
    const { text, language, show, compare } = job
    if (compare) return compareTexts({ ...job, compare }, tokensOf, onStart, onEarly)
    if (show && 'view' in show) return (await viewRenderers[show.view]())(job, tokensOf, onStart)
    const grep = show?.grep
    if (language !== 'text' && !isShownAsLog(job)) {
      const tokens = await tokensOf(text, language, onStart)
      return renderTokens(text, tokens, { grep, lookOf: language === 'diff' ? patchLook(text) : undefined })
    }
    onStart()
    return language === 'text' ? renderTokens(text, plainTokens(text), { grep }) : renderLog(job)
  }
}

/** On Linux, niceness is per thread, and the compiler threads already run: they took the CPU for 4 ms at a time. */
const listOfThreads = '/proc/self/task'
const ownThreads = () => (existsSync(listOfThreads) ? readdirSync(listOfThreads).map(Number) : [0])

/** The parent takes 1 ms to receive this much. */
const sentChars = 256 * 1024

/** Sends the lines in pieces, so the parent can answer requests in between. */
const sendLines = ({ html, ...lines }: Lines, send: (result: JobResult) => void) => {
  for (const part of html) for (const piece of piecesOf(part, sentChars)) send({ piece })
  send({ ...lines, residentBytes: process.memoryUsage.rss() })
}

/** On a busy machine, redirects come before highlighting. Without permission for this, all have the same priority. */
const goLast = (lane: LaneName) => {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  // From that of the server, which may have been started with less than others.
  const last = getPriority() + (lane === 'slow' ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL)
  for (const thread of ownThreads())
    try {
      setPriority(thread, Math.min(PRIORITY_LOW, last))
    } catch {}
}

/** Idle time before the child collects its garbage. */
const collectAfterMs = 1000

/**
 * The highlighting process: takes one job at a time from its parent, returns HTML, and ends with its parent. It reads only
 * the executable and the list of its threads, and opens no port.
 */
export const runHighlightChild = (lane: LaneName) => {
  goLast(lane)
  Bun.unsafe.setJITPolicy(1)
  const ready = createRenderer()
  const answer = (result: JobResult) => process.send?.(result)
  let rest: Timer | undefined
  process.on('message', async (job: Job) => {
    clearTimeout(rest)
    try {
      const render = await ready
      const onStart = () => answer({ isStarted: true })
      sendLines(await render(job, onStart, (lines) => sendLines({ ...lines, isEarly: true }, answer)), answer)
    } catch (error) {
      answer({ failure: String(error).slice(0, 200) })
    }
    rest = setTimeout(() => Bun.gc(true), collectAfterMs)
  })
  process.on('disconnect', () => process.exit(0))
}
