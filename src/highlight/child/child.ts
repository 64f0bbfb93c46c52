import { existsSync, readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { codeToTokensBase, createShikiPrimitiveAsync, type RegexEngine } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { type BundledLanguage, bundledLanguages } from 'shiki/langs'
import onigurumaFile from 'shiki/onig.wasm' with { type: 'file' }
import { terminalLines } from '../ansi/ansi.ts'
import { classesOfStyle } from '../ansi/ansi-classes.ts'
import { indexOfColour, mergedTheme } from '../colours/theme.ts'
import { piecesOf } from '../pieces.ts'
import { type Lines, renderTokens } from '../render.ts'
import type { Job, JobResult, LaneName } from './protocol.ts'

/** Longer lines stay plain: shiki cannot be interrupted inside a line, and 20,000 characters took it 14 s. */
const maxLineLength = 1000

const classOfColour = (colour: string) => {
  const index = indexOfColour(colour) ?? 0
  return index === 0 ? '' : `t${index.toString(36)}`
}

/** The text of a terminal needs no grammar. */
const renderTerminal = (text: string) =>
  renderTokens(
    text,
    terminalLines(text).map((runs) =>
      runs.map(({ content, style }) => ({ content, classes: classesOfStyle(style) })),
    ),
    classOfColour,
  )

/** Asking for the parent is a system call, and 100 KB of TypeScript are 30,000 matches: each time would take 6 %. */
const matchesPerCheck = 16

/** A job holds up the event loop and with it the news that the parent died, so matches ask for the parent. */
const createEngine = async (): Promise<RegexEngine> => {
  // Not shiki's own module of it, whose base64 takes 2 MB.
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

/** Tokenises in this very process, which a slow text holds up: only the child and tests do. `onStart` is called once the grammar is loaded. */
export const createTokeniser = async () => {
  const shiki = await createShikiPrimitiveAsync({ themes: [mergedTheme], langs: [], engine: createEngine() })
  return async ({ text, language }: Job, onStart: () => void) => {
    if (language === 'ansi') {
      onStart()
      return renderTerminal(text)
    }
    await shiki.loadLanguage(bundledLanguages[language as BundledLanguage])
    onStart()
    const tokens = codeToTokensBase(shiki, text, {
      lang: language,
      theme: mergedTheme.name as string,
      tokenizeMaxLineLength: maxLineLength,
      // Half a second in the library's own default, by the clock: a busy machine left the rest of a line plain, for ever.
      tokenizeTimeLimit: 0,
    })
    return renderTokens(text, tokens, classOfColour)
  }
}

/** Linux counts niceness by thread, and some that compile run already: they took the processor for 4 ms at a time. */
const listOfThreads = '/proc/self/task'
const ownThreads = () => (existsSync(listOfThreads) ? readdirSync(listOfThreads).map(Number) : [0])

/** Takes the parent 1 ms to receive. */
const pieceChars = 256 * 1024

/** Sends the lines in pieces, so that the parent answers others in between. */
const sendLines = ({ html, ...lines }: Lines, send: (result: JobResult) => void) => {
  for (const part of html) for (const piece of piecesOf(part, pieceChars)) send({ piece })
  send({ ...lines, residentBytes: process.memoryUsage.rss() })
}

/** On a busy machine, whoever follows a link goes before whoever waits for colours; where that is refused, both wait alike. */
const goLast = (lane: LaneName) => {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  for (const thread of ownThreads())
    try {
      setPriority(thread, lane === 'slow' ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL)
    } catch {}
}

/**
 * The highlighting process: takes one job at a time from its parent, answers with HTML, ends with its parent.
 * It reads no file but the executable itself and the list of its threads, and opens no port.
 */
export const runHighlightChild = (lane: LaneName) => {
  goLast(lane)
  const ready = createTokeniser()
  const answer = (result: JobResult) => process.send?.(result)
  process.on('message', async (job: Job) => {
    try {
      const tokenise = await ready
      sendLines(await tokenise(job, () => answer({ isStarted: true })), answer)
    } catch (error) {
      answer({ failure: String(error).slice(0, 200) })
    }
  })
  process.on('disconnect', () => process.exit(0))
}
