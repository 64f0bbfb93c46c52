import { malformed } from '../errors.ts'
import { readBody } from './body.ts'

const isForm = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\s*(?:;|$)/i

type Field = [name: string, value: string | File]

/** True for a field that holds no file. */
export const isText = (field: Field): field is [string, string] => typeof field[1] === 'string'

/** Browsers turn every line end of a text area into CRLF on the way; the paste gets back what was typed. */
const withTypedLineEnds = (text: string) => text.replaceAll('\r\n', '\n')

/** Every field and file of a form. @throws {AppError} `malformed` */
export const parseForm = async (bytes: Uint8Array, type: string): Promise<Field[]> => {
  try {
    return [...(await new Response(bytes, { headers: { 'Content-Type': type } }).formData())]
  } catch {
    throw malformed('The form cannot be read')
  }
}

/** The fields of a form that a browser posted; files are left out. @throws {AppError} `too-large`, `malformed` */
export const readForm = async (request: Request, maxBytes: number): Promise<Record<string, string>> => {
  const type = request.headers.get('content-type') ?? ''
  const bytes = await readBody(request, maxBytes)
  if (!isForm.test(type)) throw malformed('This address takes the form of its page; programs use POST /paste')
  const fields = (await parseForm(bytes, type)).filter(isText)
  return Object.fromEntries(fields.map(([name, value]) => [name, withTypedLineEnds(value)]))
}
