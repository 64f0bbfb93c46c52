import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalid } from '../../errors.ts'
import { piecesOf } from '../../highlight/show-text.ts'
import { grepProblem, parseLineRange, partOf, rangeRule, type TextPart } from '../../items/text/text-part.ts'

const onlyValue = (query: URLSearchParams, name: string) => {
  const [value, ...others] = query.getAll(name)
  if (others.length > 0) throw invalid(`"${name}" is given more than once`)
  return value
}

const readPart = (query: URLSearchParams): TextPart | undefined => {
  const [range, grep] = [onlyValue(query, 'lines'), onlyValue(query, 'grep')]
  const lines = range === undefined ? undefined : parseLineRange(range)
  if (range !== undefined && !lines) throw invalid(`"lines" ${rangeRule}`)
  const problem = grep === undefined ? undefined : grepProblem(grep)
  if (problem !== undefined) throw invalid(`"grep" ${problem}`)
  return lines || grep !== undefined ? { lines, grep } : undefined
}

/** The part of a text in the address of a request; `undefined` for the whole. @throws {AppError} `invalid` */
export const partAsked = ({ url }: Request): TextPart | undefined =>
  url.includes('?') ? readPart(new URL(url).searchParams) : undefined

/** Shorter texts are searched at once. */
const pieceChars = 64 * 1024

async function* encodedPieces(text: string, part: TextPart) {
  const encoder = new TextEncoder()
  for (const piece of partOf(text, part)) {
    for (const sent of piecesOf(piece, pieceChars)) yield encoder.encode(sent)
    await nextTurn()
  }
}

/**
 * The body of an answer with a part of a text. Of a longer text it is made while it is sent, so other requests get a turn,
 * and slow readers hold a piece each. None is kept: there are too many parts of a text.
 */
export const partBody = (text: string, part: TextPart): string | ReadableStream => {
  if (text.length <= pieceChars) return [...partOf(text, part)].join('')
  const pieces = encodedPieces(text, part)
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next()
        if (value) controller.enqueue(value)
        if (!done) return
        // Answers of 1 MiB in a row took 146 MB without it, and 46 with it.
        Bun.gc(true)
        controller.close()
      },
      cancel: () => void pieces.return(undefined),
    },
    { highWaterMark: 0 },
  )
}
