import { invalid, tooLarge, unauthorized } from '../../errors.ts'
import { languageOfFile } from '../../highlight/languages/file-names.ts'
import { bodyChunks, decode, formLimit, readBody } from '../../http/body/body.ts'
import { isMultipart, type Part, readParts } from '../../http/body/multipart.ts'
import { pasteTable } from '../../items/paste.ts'
import { fromUpload } from '../../items/texts.ts'

type Sent = { bytes: Uint8Array; name: string; fields: Readonly<Record<string, string>> }

const fieldsOf = ({ url }: Request) => Object.fromEntries(new URL(url).searchParams)

/** `curl -F file=@name.py -F title=…`: the file part may have any name. */
const readFilePart = async (request: Request, type: string, maxPasteBytes: number): Promise<Sent> => {
  const maxBytes = formLimit(maxPasteBytes)
  const texts: [string, string][] = []
  const files: Part[] = []
  for await (const part of readParts(bodyChunks(request, maxBytes), type, maxBytes))
    if (part.fileName === undefined) texts.push([part.name, decode(part.bytes(), true)])
    else files.push(part)
  const [file] = files
  if (!file || files.length > 1) throw invalid('Send exactly one file: curl -F file=@name.py')
  if (file.size > maxPasteBytes) throw tooLarge(`The file is larger than ${maxPasteBytes} bytes`)
  const fields = { ...fieldsOf(request), ...Object.fromEntries(texts) }
  // It may be wrong, so it must not pass for no key.
  if ('key' in fields && !request.headers.get('key'))
    throw unauthorized('Send the API key in the header "key", not as a field')
  return { bytes: file.bytes(), name: file.fileName ?? '', fields }
}

const readRaw = async (request: Request, name: string, maxPasteBytes: number): Promise<Sent> => ({
  bytes: await readBody(request, maxPasteBytes),
  name,
  fields: fieldsOf(request),
})

/**
 * The uploaded file, byte for byte, with the title and language that its name implies; else the language is detected.
 * @param name of the file; may be empty
 * @throws {AppError} `too-large`, then `malformed` (not UTF-8), then `invalid` (empty, no file or several)
 */
export const readUpload = async (request: Request, name: string, maxPasteBytes: number): Promise<object> => {
  const type = request.headers.get('content-type') ?? ''
  const sent = isMultipart(type)
    ? await readFilePart(request, type, maxPasteBytes)
    : await readRaw(request, name, maxPasteBytes)
  const text = decode(sent.bytes, true)
  if (text === '') throw invalid('The upload is empty')
  // `-` is curl's name for its standard input.
  const said = fromUpload(pasteTable, sent.fields)
  const { title = sent.name === '-' ? '' : sent.name, description = '', language } = said
  return {
    ...{ ...said, text, title, description },
    language: language || (languageOfFile(sent.name, text) ?? 'auto'),
  }
}
