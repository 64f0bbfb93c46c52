import type { Job } from '../child/protocol.ts'
import type { Renderer, RenderTools } from '../child/renderer.ts'
import { countLines, createLines, type Lines, type Trouble } from '../lines.ts'
import { showText } from '../show-text.ts'
import { type Kind, layOut, type Problem } from './json-layout.ts'
import { createLargeHtml } from './large-html.ts'
import { refuse } from './refuse.ts'

type Colours = Readonly<Record<Kind, string>>

/** Has a word of each kind, which the grammar colours as on pages. The layout knows the kinds, so no other text needs it. */
const sample = '{"name":"string","a":1,"b":true}//comment'

const coloursFrom = async ({ tokensOf, classOfColour }: RenderTools): Promise<Colours> => {
  const tokens = (await tokensOf(sample, 'jsonc')).flat()
  const of = (word: string) =>
    classOfColour(tokens.find(({ content }) => content.includes(word))?.color ?? '')
  return {
    ...{ name: of('name'), string: of('string'), number: of('1') },
    ...{ constant: of('true'), mark: '', comment: of('comment') },
  }
}

/** Thrown if a page cannot hold all of it. */
const full = Symbol('the page is full')

/** Collects a value as HTML. @param endLine gets each line with its end */
const createWriter = (colours: Colours, endLine: (html: string) => void) => {
  let line = ''
  return {
    word: (kind: Kind, word: string) => {
      const colour = colours[kind]
      line += colour === '' ? showText(word) : `<span class=${colour}>${showText(word)}</span>`
    },
    space: () => {
      line += ' '
    },
    newLine: (depth: number) => {
      endLine(`${line}\n`)
      line = '  '.repeat(depth)
    },
    rest: () => line,
  }
}

/** @param what is not formatted */
const troubleOf = (problem: Problem, what: 'The text' | 'A record'): Trouble => {
  const { line, column } = problem
  const place = `in line ${line}, column ${column}`
  const why =
    'what' in problem
      ? `Not valid JSON ${place}: ${problem.what}.`
      : `${what} is nested too deeply to be formatted: more than ${problem.maxDepth} levels ${place}.`
  return { why, line }
}

/** Collects lines until the page is full. */
const createSheet = () => {
  const lines = createLines()
  const html = createLargeHtml()
  return {
    /** @returns false if the line does not fit any more */
    add: (line: string) => {
      const isAdded = lines.add(line)
      html.add(lines.take())
      return isAdded
    },
    take: () => {
      html.add(lines.end())
      return html.take()
    },
    shown: lines.shown,
  }
}

/** One value, with the numbers of its new lines. */
const showValue = async (job: Job, tools: RenderTools, colours: Colours) => {
  const sheet = createSheet()
  const add = (html: string) => {
    if (!sheet.add(html)) throw full
  }
  const writer = createWriter(colours, add)
  try {
    const problem = layOut(job.text, job.language !== 'json', writer)
    if (problem) return await refuse(job, tools, troubleOf(problem, 'The text'))
    add(writer.rest())
  } catch (error) {
    if (error !== full) throw error
    return refuse(job, tools, { why: 'Formatted, it would be too large for a page.' })
  }
  const total = countLines(job.text)
  return { html: sheet.take(), shown: total, total, last: sheet.shown().shown, isPartial: false }
}

/** @returns the HTML of a record, or why it is none */
const showRecord = (text: string, colours: Colours): string | Problem => {
  let html = ''
  const writer = createWriter(colours, (line) => {
    html += line
  })
  const problem = text.trim() === '' ? undefined : layOut(text, false, writer)
  return problem ?? html + writer.rest()
}

/** One record for each line, with the number that it has in the text. A line that is none is shown as it is. */
const showRecords = ({ text }: Job, colours: Colours): Lines => {
  const sheet = createSheet()
  const total = countLines(text)
  let problem: Problem | undefined
  for (let start = 0, line = 1; line <= total; line++) {
    const end = text.indexOf('\n', start) + 1 || text.length
    const record = text.slice(start, end).replace(/\r?\n$/, '')
    const shown = showRecord(record, colours)
    start = end
    if (typeof shown !== 'string') problem ??= { ...shown, line }
    if (!sheet.add(`${typeof shown === 'string' ? shown : showText(record)}\n`)) break
  }
  return {
    html: sheet.take(),
    ...sheet.shown(),
    total,
    ...(problem && { problem: troubleOf(problem, 'A record') }),
  }
}

/** Shows JSON and JSON lines with a line for each member. Numbers, the order of names and repeated names stay as they are. */
export const renderFormatted: Renderer = async (job, tools, onStart) => {
  const colours = await coloursFrom(tools)
  onStart()
  return job.language === 'jsonl' ? showRecords(job, colours) : showValue(job, tools, colours)
}
