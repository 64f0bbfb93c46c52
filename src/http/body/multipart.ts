import {
  getMultipartBoundary,
  MaxFileSizeExceededError,
  MaxPartsExceededError,
  MultipartParser,
  type MultipartPart,
} from '@remix-run/multipart-parser'
import { AppError, invalid, malformed, tooLarge } from '../../errors.ts'

/** More than any of our forms has. */
export const maxFields = 20

/** True for `multipart/form-data`. */
export const isMultipart = (type: string) => /^multipart\/form-data\s*(?:;|$)/i.test(type)

/** One field of a form; `fileName` is `undefined` unless it is a file. */
export type Part = { name: string; fileName: string | undefined; size: number; bytes: () => Uint8Array }

/** The longest boundary that RFC 2046 allows; the parser gets slower with its length. */
const boundaryShape = /^[\x20-\x7e]{1,70}$/

/** Readers ignore what comes before the first boundary (RFC 2046, 5.1.1): some clients begin with a line end. */
const mostPreambleBytes = 8 * 1024

const unreadable = () => malformed('The form cannot be read')

const refusal = (error: unknown, maxBytes: number) => {
  if (error instanceof AppError) return error
  if (error instanceof MaxPartsExceededError) return invalid(`A form has at most ${maxFields} fields`)
  if (error instanceof MaxFileSizeExceededError)
    return tooLarge(`The request body is larger than ${maxBytes} bytes`)
  return unreadable()
}

const isFinished = (parser: MultipartParser) => {
  try {
    parser.finish()
    return true
  } catch {
    return false
  }
}

const partOf = (part: MultipartPart): Part => {
  const { name, filename } = part
  if (name === undefined || name === null) throw unreadable()
  return { name, fileName: filename ?? undefined, size: part.size, bytes: () => part.bytes }
}

/** Returns the chunks from the first boundary at the start of a line on; `undefined` before it. @throws {AppError} `malformed` */
const createPreamble = (boundary: string) => {
  const start = `\n--${boundary}`
  // As if a line had ended before the body.
  let head: Buffer | undefined = Buffer.from('\n')
  return (chunk: Uint8Array): Uint8Array | undefined => {
    if (!head) return chunk
    const from = Math.max(0, head.length - start.length)
    head = Buffer.concat([head, chunk])
    const at = head.indexOf(start, from)
    if ((at < 0 ? head.length - start.length : at) > mostPreambleBytes) throw unreadable()
    if (at < 0) return undefined
    const body = head.subarray(at + 1)
    head = undefined
    return body
  }
}

/**
 * Yields the fields of a `multipart/form-data` body, each as soon as it is complete, so a key at the beginning can be
 * checked early. The parser only scans bytes, and stops at the first field over the limit.
 * @throws {AppError} `invalid` (too many fields), `too-large`, `malformed`
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  type: string,
  maxBytes: number,
): AsyncGenerator<Part> {
  const boundary = getMultipartBoundary(type)?.trim() ?? ''
  if (!boundaryShape.test(boundary)) throw unreadable()
  const limits = { maxParts: maxFields, maxFileSize: maxBytes, maxTotalSize: maxBytes }
  const parser = new MultipartParser(boundary, limits)
  const afterPreamble = createPreamble(boundary)
  try {
    for await (const chunk of chunks) {
      // Bytes after the last boundary must be ignored (RFC 2046), but the parser reports an error.
      if (isFinished(parser)) continue
      const body = afterPreamble(chunk)
      if (body) for (const part of parser.write(body)) yield partOf(part)
    }
    parser.finish()
  } catch (error) {
    throw refusal(error, maxBytes)
  }
}
