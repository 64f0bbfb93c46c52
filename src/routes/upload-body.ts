import { invalid, tooLarge } from '../errors.ts'
import { languageOfFile } from '../highlight/file-names.ts'
import { decode, readBody } from './body.ts'
import { isText, parseForm } from './forms.ts'
import { limitOf } from './limit-field.ts'

export type UploadLimits = {
  /** Of a text by itself. */
  maxPasteBytes: number
  /** Of a text and all that comes around it. */
  maxBodyBytes: number
}
type Sent = { bytes: Uint8Array; name: string; fields: Readonly<Record<string, string>> }

const isMultipart = /^multipart\/form-data\s*(?:;|$)/i

const fieldsOf = ({ url }: Request) => Object.fromEntries(new URL(url).searchParams)

/** `curl -F file=@name.py -F title=…`: the file part may have any name. */
const readFilePart = async (request: Request, type: string, limits: UploadLimits): Promise<Sent> => {
  const form = await parseForm(await readBody(request, limits.maxBodyBytes), type)
  const files = form.filter((field) => !isText(field)).map(([, file]) => file as File)
  const [file] = files
  if (!file || files.length > 1) throw invalid('Send exactly one file: curl -F file=@name.py')
  if (file.size > limits.maxPasteBytes)
    throw tooLarge(`The file is larger than ${limits.maxPasteBytes} bytes`)
  const fields = { ...fieldsOf(request), ...Object.fromEntries(form.filter(isText)) }
  return { bytes: await file.bytes(), name: file.name, fields }
}

const readRaw = async (request: Request, name: string, { maxPasteBytes }: UploadLimits): Promise<Sent> => ({
  bytes: await readBody(request, maxPasteBytes),
  name,
  fields: fieldsOf(request),
})

/**
 * A file as it was sent, byte for byte, with what its name tells.
 * @param name of the file, empty where there is none
 * @throws {AppError} `too-large`, then `malformed` (not UTF-8), then `invalid` (empty, no file or several)
 */
export const readUpload = async (request: Request, name: string, limits: UploadLimits): Promise<object> => {
  const type = request.headers.get('content-type') ?? ''
  const sent = isMultipart.test(type)
    ? await readFilePart(request, type, limits)
    : await readRaw(request, name, limits)
  const { title: named, description = '', language, expiresIn, maxReads, alias } = sent.fields
  const text = decode(sent.bytes, true)
  if (text === '') throw invalid('The upload is empty')
  // curl calls what it reads from its standard input so.
  const title = named ?? (sent.name === '-' ? '' : sent.name)
  return {
    text,
    title,
    description,
    language: language || (languageOfFile(sent.name || title) ?? 'text'),
    ...(expiresIn !== undefined && { expiresIn }),
    // An empty one is refused: it is a variable that lost its value, and the paste was to be read but once.
    ...(maxReads !== undefined && { maxReads: limitOf(maxReads) }),
    ...(alias !== undefined && { alias }),
  }
}
