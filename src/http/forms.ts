import {
  getMultipartBoundary,
  MaxFileSizeExceededError,
  MaxPartsExceededError,
  MultipartParser,
  type MultipartPart,
} from '@remix-run/multipart-parser'
import { AppError, invalid, malformed, overloaded, tooLarge, unauthorized } from '../errors.ts'
import { bodyChunks, decode, notUtf8 } from './body.ts'
import type { Pools, Share } from './memory.ts'

/** Our pages send multipart. In this coding the longest link fits. */
export const maxUrlencodedBytes = 128 * 1024

/** Longer fields are decoded only with a valid key. */
const strangersFieldBytes = 64 * 1024

const longestKeyBytes = 1024

/** True for the coding of URLs. */
export const isUrlencoded = (type: string) => /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)

export type Fields = Readonly<Record<string, string>>

/** A posted form. `isCut`: there was no valid key, so long fields were left out. */
export type Form = { fields: Fields; isCut: boolean }

export type FormReaderParts = {
  maxBytes: number
  pools: Pools
}

/** Who sends a form. */
export type FormSender = {
  /** True for a valid key; takes no token. */
  isKnown: (key: string) => Promise<boolean>
  /** Browsers send each line end of a text area as CRLF. */
  isBrowser: boolean
  /** Whose memory the body takes until a valid key arrives; `undefined` if the sender has a name already. */
  pool: keyof Pools | undefined
}

/** Restores the line ends that were typed; a program sends those that it means. */
const asTyped = (text: string, { isBrowser }: FormSender) =>
  isBrowser ? text.replaceAll('\r\n', '\n') : text

/** @throws {AppError} `invalid` for two values of one name: one of them would be lost */
export const uniqueFields = (entries: readonly (readonly [name: string, text: string])[]): Fields => {
  const fields = new Map<string, string>()
  for (const [name, text] of entries) {
    if ((fields.get(name) ?? text) !== text)
      throw invalid(`Field "${name.slice(0, 40)}" is sent twice. Send it once`)
    fields.set(name, text)
  }
  return Object.fromEntries(fields)
}

/** The fields of a form in the coding of URLs. @throws {AppError} `invalid`, `malformed` (not UTF-8) */
export const urlencodedFields = (text: string): Fields => {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (++fields > maxFields) throw invalid(`A form has at most ${maxFields} fields`)
  const entries = [...new URLSearchParams(text)]
  const isReplaced = entries.some(([, value]) => value.includes('\ufffd'))
  // What is not UTF-8 becomes this character, in silence.
  if (isReplaced && !/%EF%BF%BD|\ufffd/i.test(text)) throw notUtf8()
  return uniqueFields(entries)
}

/** Passes chunks on, and counts each after it was parsed, because it may hold the key. */
async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  share: Share,
  isCounted: () => boolean,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk
    if (isCounted() && !share.take(chunk.length))
      throw overloaded('Too many forms are being sent at once. Try again in a few seconds.')
  }
}

/** The key, where it is the first field and another one follows. */
const firstKey = (chunks: readonly Uint8Array[]) => {
  const beginning = Buffer.concat(chunks).subarray(0, longestKeyBytes).toString('latin1')
  return /^key=([\x21-\x25\x27-\x7e]+)&/.exec(beginning)?.[1]
}

/** Strangers may send a short form. A longer one begins with its key. */
const readUrlencoded = async (
  request: Request,
  maxBytes: number,
  sender: FormSender,
  share: Share,
): Promise<Form> => {
  let { pool } = sender
  const shortBytes = Math.min(maxBytes, maxUrlencodedBytes)
  const chunks: Uint8Array[] = []
  let [bytes, key] = [0, undefined as string | undefined]
  // An escaped byte takes three.
  const body = bodyChunks({ request, server: null }, 3 * maxBytes)
  for await (const chunk of counted(body, share, () => pool !== undefined)) {
    chunks.push(chunk)
    bytes += chunk.length
    if (pool !== 'keyless' || bytes <= shortBytes) continue
    key ??= firstKey(chunks)
    if (key === undefined) throw tooLarge(`The request body is larger than ${shortBytes} bytes`)
    const typed = new URLSearchParams(`key=${key}`).get('key') ?? ''
    if (!(await sender.isKnown(typed))) return { fields: { key: typed }, isCut: true }
    pool = undefined
    share.release()
  }
  const entries = Object.entries(urlencodedFields(decode(Buffer.concat(chunks))))
  return {
    fields: Object.fromEntries(entries.map(([name, value]) => [name, asTyped(value, sender)])),
    isCut: false,
  }
}

const textOf = ({ bytes }: Part, sender: FormSender) => asTyped(decode(bytes(), true), sender)

/** Creates the reader of forms that browsers post. They have no files. */
export const createFormReader = ({ maxBytes, pools }: FormReaderParts) => {
  const readMultipart = async (
    request: Request,
    type: string,
    sender: FormSender,
    share: Share,
  ): Promise<Form> => {
    let { pool } = sender
    const chunks = counted(bodyChunks({ request, server: null }, maxBytes), share, () => pool !== undefined)
    const parts: Part[] = []
    for await (const part of readParts(chunks, type, maxBytes)) {
      if (part.fileName !== undefined)
        throw unauthorized(
          'A file needs the API key in the header "key": curl -H "key: $KEY" -F file=@name.py',
        )
      parts.push(part)
      if (pool === undefined || part.name !== 'key' || part.size > longestKeyBytes) continue
      if (!(await sender.isKnown(textOf(part, sender)))) continue
      pool = undefined
      share.release()
    }
    const read = pool === 'keyless' ? parts.filter(({ size }) => size <= strangersFieldBytes) : parts
    const fields = uniqueFields(read.map((part) => [part.name, textOf(part, sender)]))
    return { fields, isCut: read.length < parts.length }
  }

  /**
   * Counts the body towards the limit of all strangers, or all guests, until a valid key arrives.
   * @throws {AppError} `malformed`, `too-large`, `invalid` (too many fields), `unauthorized` (a file), `overloaded`
   */
  return async (request: Request, sender: FormSender): Promise<Form> => {
    const type = request.headers.get('content-type') ?? ''
    if (!isMultipart(type) && !isUrlencoded(type))
      throw malformed('This address takes the form of its page; programs use POST /paste')
    const share = pools[sender.pool ?? 'keyless'].open()
    try {
      return isMultipart(type)
        ? await readMultipart(request, type, sender, share)
        : await readUrlencoded(request, maxBytes, sender, share)
    } finally {
      share.release()
    }
  }
}

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

/** An envelope whose lines end with LF alone. The fields in it stay as they are. */
const withCrlf = (body: string, boundary: string) =>
  `\n${body}`
    .split(`\n--${boundary}`)
    .slice(1)
    .map((part) => {
      if (part.startsWith('--')) return `--${boundary}--\r\n`
      const at = part.indexOf('\n\n')
      if (at < 0 || !part.startsWith('\n')) throw unreadable()
      const head = part.slice(1, at).replaceAll('\n', '\r\n')
      return `--${boundary}\r\n${head}\r\n\r\n${part.slice(at + 2)}\r\n`
    })
    .join('')

/** Mends what wgetpaste sends: line ends of one character. */
async function* mended(chunks: Chunks, boundary: string): AsyncGenerator<Uint8Array> {
  const first = `--${boundary}\n`
  let held: Uint8Array[] | undefined = []
  let isMended = false
  for await (const chunk of chunks) {
    held?.push(chunk)
    if (isMended) continue
    const head: Buffer | undefined = held && Buffer.concat(held)
    if (head && head.length < first.length) continue
    isMended = head?.subarray(0, first.length).toString('latin1') === first
    if (isMended) continue
    yield head ?? chunk
    held = undefined
  }
  if (!held) return
  const rest = Buffer.concat(held)
  yield isMended ? Buffer.from(withCrlf(rest.toString('latin1'), boundary), 'latin1') : rest
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/**
 * Yields the fields of a `multipart/form-data` body, each as soon as it is complete, so a key at the beginning can be
 * checked early. The parser only scans bytes, and stops at the first field over the limit.
 * @throws {AppError} `invalid` (too many fields), `too-large`, `malformed`
 */
export async function* readParts(chunks: Chunks, type: string, maxBytes: number): AsyncGenerator<Part> {
  const boundary = getMultipartBoundary(type)?.trim() ?? ''
  if (!boundaryShape.test(boundary)) throw unreadable()
  const limits = { maxParts: maxFields, maxFileSize: maxBytes, maxTotalSize: maxBytes }
  const parser = new MultipartParser(boundary, limits)
  const afterPreamble = createPreamble(boundary)
  try {
    for await (const chunk of mended(chunks, boundary)) {
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
