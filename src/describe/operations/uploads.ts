import type { Addresses } from '../../urls.ts'
import { withHeaders } from '../headers.ts'
import { example, optionalQuery, pathParameter, withKey } from '../parts.ts'
import { refusalsForAll } from '../refusals.ts'
import type { Content, Operation, Operations, Schema } from '../types.ts'

const text: Schema = { type: 'string' }

/** What may be said about an uploaded file, in the query or, for `multipart/form-data`, in fields beside it. */
export const uploadFields = {
  title: 'Title of the paste, at most 1 KiB of UTF-8; the name of the file if it is not given',
  description: 'Description of the paste, at most 8 KiB of UTF-8',
  language: 'Language to highlight in; what the name of the file tells if it is not given',
  expiresIn:
    'Lifetime: seconds, or a text such as 10m, 2h, 7d or 4w; what the server says if it is not given',
  alias: 'Name in the addresses in place of the id: 1 to 64 of a-z 0-9 - _; the id alone if it is not given',
  maxReads: 'How often the paste may be read, from 1 to 1000000; without a limit if it is not given',
}
export const uploadParameters = [
  optionalQuery({ name: 'title', description: uploadFields.title, example: 'hello.js' }),
  optionalQuery({ name: 'description', description: uploadFields.description, example: 'A first paste' }),
  optionalQuery({ name: 'language', description: uploadFields.language, example: 'javascript' }),
  optionalQuery({ name: 'expiresIn', description: uploadFields.expiresIn, example: '7d' }),
  optionalQuery({ name: 'alias', description: uploadFields.alias, example: 'wiki' }),
  optionalQuery({ name: 'maxReads', description: uploadFields.maxReads, example: '3' }),
]

/** A file as it is, or as the only file of a form. */
export const uploaded: Content = {
  'text/plain': { schema: { type: 'string', minLength: 1 }, example: 'console.log(1)\n' },
  'multipart/form-data': {
    schema: {
      type: 'object',
      required: ['file'],
      properties: {
        file: { type: 'string', minLength: 1, format: 'binary', description: 'The file' },
        ...Object.fromEntries(
          Object.entries(uploadFields).map(([name, description]) => [name, { ...text, description }]),
        ),
      },
    },
  },
}

/** What can be wrong with an upload. */
export const uploadRefusals = {
  400: 'Invalid input format: the body is not UTF-8; convert it first, for example with iconv',
  401: '',
  403: '',
  409: '',
  413: 'The request body is larger than 1048576 bytes',
  422: 'The upload is empty',
  429: '',
  503: '',
  507: '',
}

/** The address alone, for a shell. */
export const uploadAnswer = (addresses: Addresses): Content => ({
  'text/plain': { schema: text, example: `${addresses.paste(example.pasteId)}\n` },
})

/** A file from a plain `curl`. */
export const uploading = (addresses: Addresses): Operations => {
  const upload: Omit<Operation, 'operationId' | 'summary'> = {
    tags: ['Creating'],
    description:
      'The body is the file, of any type and in UTF-8, and is kept byte for byte: `curl -T hello.js`. A body of the type `multipart/form-data` has exactly one file.',
    ...withKey,
    parameters: uploadParameters,
    requestBody: { required: true, content: uploaded },
    responses: {
      201: {
        description: 'The paste is on disk; this is its address',
        ...withHeaders('Location', 'Deletion-Url'),
        content: uploadAnswer(addresses),
      },
      ...refusalsForAll(uploadRefusals),
    },
  }
  const name = pathParameter({
    name: 'name',
    description: 'Name of the file, which no other address here has; its ending tells the language',
    example: 'hello.js',
  })
  return {
    'PUT /{name}': {
      ...upload,
      operationId: 'uploadFile',
      summary: 'Upload a file',
      parameters: [name, ...uploadParameters],
    },
    'PUT /': { ...upload, operationId: 'uploadText', summary: 'Upload a file without a name' },
  }
}
