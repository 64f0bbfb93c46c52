import { views } from '../highlight/lines.ts'
import { levels } from '../highlight/log.ts'
import { sentRows } from '../items/field.ts'
import { pasteTable } from '../items/paste.ts'
import { longestGrep } from '../items/text/text-part.ts'
import { inPath } from './patterns.ts'
import { knownLanguage, requestFields, type SchemaName, schemas } from './schemas.ts'
import type { Content, Parameter, Schema } from './types.ts'

/** Values for examples. `{publicUrl}` and `{baseUrl}` are replaced by the addresses of the server. */
export const example = {
  pasteId: '7y84tyt5ec',
  linkId: '8xkwphv',
  pasteUrl: '{publicUrl}/p/7y84tyt5ec',
  rawUrl: '{publicUrl}/p/raw/7y84tyt5ec',
  shortendUrl: '{publicUrl}/s/8xkwphv',
  pasteDeletionKey: '7y84tyt5ecrq9stwqw6hxcanafyqjjmnbq9b',
  linkDeletionKey: '8xkwphvgtbbdz2dcc3q932wz5jswj3hte',
  target: 'https://example.org/a/long/address?with=query',
  text: 'console.log(1)\n',
  heading: { title: 'Hello', description: 'A first paste', language: 'javascript' },
}

/** A JSON body with its schema and an example. */
export const json = (schema: SchemaName, value: object): Content => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example: value },
})
export const done = (message: string) => json('Done', { success: true, message })

const text: Schema = { type: 'string' }

/** A text body without further description. */
export const textual = (...types: readonly string[]): Content =>
  Object.fromEntries(types.map((type) => [type, { schema: text }]))
export const html = textual('text/html')
export const plain = textual('text/plain')
export const anyJson: Content = { 'application/json': { schema: { type: 'object' } } }

const parameter =
  (place: Parameter['in'], required: boolean) =>
  (name: string, description: string, sample: string | number, schema: Schema = {}): Parameter => {
    const { description: _, ...shape } = schema
    return {
      name,
      in: place,
      required,
      description,
      schema: schema.$ref || schema.enum ? shape : { ...text, ...shape },
      example: sample,
    }
  }
export const pathParameter = parameter('path', true)
export const query = parameter('query', true)
export const optionalQuery = parameter('query', false)

const named = { pattern: inPath.name }
export const pasteId = pathParameter(
  'id',
  'Id of the paste, or its alias, in lower or upper case',
  example.pasteId,
  named,
)
export const linkId = pathParameter(
  'id',
  'Id of the short link, or its alias, in lower or upper case',
  example.linkId,
  named,
)
/** A paste, as clients of hastebin name it. */
export const documentId = (name: string) =>
  pathParameter(name, 'Id of the paste; an ending such as `.py` does not matter', example.pasteId, {
    pattern: inPath.document,
  })
export const fileName = pathParameter(
  'name',
  'Name of the file, which no other address here has; its ending sets the language',
  'hello.js',
)
export const ifNoneMatch = parameter('header', false)(
  'If-None-Match',
  'Entity tags that the client has already',
  '"2k6v1ko3f1x0p"',
)
export const ifMatch = parameter('header', false)(
  'If-Match',
  'The `ETag` of the version to change; a newer one is then 412',
  '"1.0"',
)
/** For the page of a paste. */
export const languageAsked = optionalQuery(
  'lang',
  'Another language to highlight the page in. One that is not known is 422; a browser gets the paste with a notice',
  'python',
  knownLanguage,
)

/** What lines may be searched for. */
const anyWord = { pattern: '^[^\\r\\n]*$', minLength: 1, maxLength: longestGrep }

/** For the page of a paste: what it shows instead of the whole text. */
export const showAsked = [
  optionalQuery('view', 'A rendered view, where the language has one', 'preview', { enum: views }),
  optionalQuery('level', 'Only the lines of a log with this level and above', 'error', { enum: levels }),
  optionalQuery('grep', 'Only the lines that contain this text, in any case', 'error', anyWord),
]

/** For the text of a paste alone. */
export const partParameters = [
  optionalQuery(
    'lines',
    'Only these lines: `10-40`, `10`, `10-` or `-40`, counted from 1, both ends included. Lines that the text does not have are left out, so the answer may be empty',
    '10-40',
    { pattern: inPath.lines },
  ),
  optionalQuery(
    'grep',
    'Only the lines that contain this text, in any case; of the lines that `lines` names, if both are given',
    'error',
    anyWord,
  ),
]

/** Fields of an upload: in the query, or beside the file in `multipart/form-data`. */
const uploadSchemas: Readonly<Record<string, Schema>> = {
  ...{ ...schemas.PasteBody.properties, ...requestFields },
  language: { anyOf: [requestFields.language, { const: '' }] },
  replace: { enum: ['1', '0', 'true', 'false'], type: 'string' },
}
export const uploadParameters = sentRows(pasteTable).flatMap(([name, { upload }]) =>
  upload ? [optionalQuery(name, upload.doc, upload.example, uploadSchemas[name])] : [],
)

/** A file as the body, or as the only file of a form. */
export const uploaded: Content = {
  'text/plain': { schema: { type: 'string', minLength: 1 }, example: example.text },
  'multipart/form-data': {
    schema: {
      type: 'object',
      required: ['file'],
      properties: {
        file: { type: 'string', minLength: 1, format: 'binary', description: 'The file, under any name' },
        ...Object.fromEntries(
          uploadParameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
        ),
      },
      additionalProperties: false,
    },
  },
}
/** Just the address, for shells. */
export const uploadAnswer: Content = { 'text/plain': { schema: text, example: `${example.pasteUrl}\n` } }
