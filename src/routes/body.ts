import { AppError, malformed, tooLarge } from '../errors.ts'

/** JSON may write one character as six; what stands beside the three texts is ignored, but must be read. */
export const bodyLimit = (maxPasteBytes: number) => 6 * maxPasteBytes + 64 * 1024

/** Reads a body of unannounced length, but no further than it may go. */
const readChunks = async (body: ReadableStream<Uint8Array>, maxBytes: number) => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw overLimit(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const overLimit = (maxBytes: number) => tooLarge(`The request body is larger than ${maxBytes} bytes`)

const read = (request: Request, maxBytes: number, isAnnounced: boolean): Uint8Array | Promise<Uint8Array> => {
  if (isAnnounced) return request.bytes()
  return request.body ? readChunks(request.body, maxBytes) : new Uint8Array()
}

/** @throws {AppError} `too-large`, whether the length was announced or not; `malformed` when it ends early */
export const readBody = async (request: Request, maxBytes: number): Promise<Uint8Array> => {
  const announced = request.headers.get('content-length')
  if (Number(announced) > maxBytes) throw overLimit(maxBytes)
  try {
    return await read(request, maxBytes, announced !== null)
  } catch (error) {
    throw error instanceof AppError ? error : malformed('Invalid input format: the body ended early')
  }
}

const decoders = [false, true].map((ignoreBOM) => new TextDecoder('utf-8', { fatal: true, ignoreBOM }))

/** @param keepsMark true keeps a byte order mark. @throws {AppError} `malformed` */
export const decode = (bytes: Uint8Array, keepsMark = false) => {
  try {
    return decoders[Number(keepsMark)]?.decode(bytes) ?? ''
  } catch {
    throw malformed('Invalid input format: the body is not UTF-8; convert it first, for example with iconv')
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('Invalid input format: the body is not JSON')
  }
}

/** The body as a JSON object. @throws {AppError} `too-large`, then `malformed` */
export const readJsonObject = async (request: Request, maxBytes: number): Promise<object> => {
  const bytes = await readBody(request, maxBytes)
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw malformed('Invalid input format: send JSON with the header Content-Type: application/json')
  const value = parse(decode(bytes))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed('Invalid input format: the body must be a JSON object')
  return value
}
