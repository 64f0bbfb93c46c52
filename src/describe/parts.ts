import { views } from '../highlight/languages/languages.ts'
import { levels } from '../highlight/log.ts'
import { sentRows } from '../items/field.ts'
import { pasteTable } from '../items/paste.ts'
import { longestGrep } from '../items/text/text-part.ts'
import { type SchemaName, schemas } from './schemas.ts'
import type { Content, DescribedAnswer, Header, Headers, Parameter, Schema } from './types.ts'

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

const named = { pattern: '^[A-Za-z0-9_-]{1,64}$' }
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
  pathParameter(name, 'Id of the paste; an ending such as `.py` does not matter', example.pasteId)
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
)

/** What lines may be searched for. */
const anyWord = { pattern: '^[^\\r\\n]*$', minLength: 1, maxLength: longestGrep }

/** For the page of a paste: what it shows instead of the whole text. */
export const showAsked = [
  optionalQuery(
    'view',
    'A rendered view, where the language has one, or `text`. Without a query, Markdown, CSV and TSV have their view',
    'preview',
    { enum: ['text', ...views] },
  ),
  optionalQuery('level', 'Only the lines of a log with this level and above', 'error', { enum: levels }),
  optionalQuery('grep', 'Only the lines that contain this text, in any case', 'error', anyWord),
]

/** For the text of a paste alone. */
export const partParameters = [
  optionalQuery(
    'lines',
    'Only these lines: `10-40`, `10`, `10-` or `-40`, counted from 1, both ends included. Lines that the text does not have are left out, so the answer may be empty',
    '10-40',
    { pattern: '^(?:[1-9][0-9]{0,8}(?:-(?:[1-9][0-9]{0,8})?)?|-[1-9][0-9]{0,8})$' },
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
  ...schemas.PasteBody.properties,
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

export type ErrorResponse = readonly [description: string, example: string, ...headers: HeaderWord[]]

/** Every error status: its meaning, an example message, its headers. */
export const errorResponses = {
  400: ['The request is malformed', 'The Host header is missing or malformed'],
  401: ['No valid API key', 'This API key is not valid'],
  403: [
    'Not allowed for this API key, or for a page of another host without one; or the item takes only `POST`',
    'This API key may create short links only; use a key that may create pastes',
  ],
  404: ['There is nothing at this address', 'There is nothing at this address'],
  405: ['The method is not answered', 'Method not allowed. Allowed here: POST'],
  409: ['The alias is taken', 'Field "alias": the name "wiki" is taken; choose another'],
  410: ['It was deleted or has expired', 'This paste was deleted or has expired'],
  412: [
    'It has changed since it was read; nothing was changed',
    'This paste has changed since you read it: it is version 3 now. Read it again before you change it.',
  ],
  413: ['The text or the body is too large', 'Field "text" is larger than 1048576 bytes of UTF-8'],
  422: ['A field is missing, or of the wrong type or value', 'Field "text" must not be empty'],
  429: [
    'Too many requests with this API key',
    'Rate limit exceeded: 3 requests per 15 seconds. Try again in 12 s.',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
  ],
  500: ['Something failed that is not the fault of the client; the log says more', 'Internal error'],
  503: [
    'Storage failed; nothing was changed',
    'Storage failed. Nothing was changed. Try again later.',
    'Retry-After?',
  ],
  507: ['The disk is full; nothing was stored', 'The disk is full. Nothing was stored.'],
} as const satisfies Record<number, ErrorResponse>

/** The errors of an operation, each with its message; `''` means the default one. */
export type Errors = Readonly<Partial<Record<keyof typeof errorResponses, string>>>

/** Every address refuses a request without a valid `Host`, and may fail unexpectedly. */
export const everywhere: Errors = { 400: '', 500: '' }
/** For every operation that takes a key: who needs none is asked where the request comes from. */
export const keyErrors: Errors = {
  403: 'A page of another host sent this request, and may not create without an API key. If it is a page of this server, set --public-url to its address',
  503: '',
}
/** For every operation that writes. */
export const storageErrors: Errors = { 503: '', 507: '' }
/** For every operation that creates with a key. */
export const creationErrors: Errors = {
  ...{ 400: '', 401: '', 403: '', 409: '', 413: '', 422: '', 429: '' },
  ...storageErrors,
}
export const uploadErrors: Errors = {
  ...creationErrors,
  400: 'Invalid input format: the body is not UTF-8; convert it first, for example with iconv',
  413: 'The request body is larger than 1048576 bytes',
  422: 'The upload is empty',
}
/** With a database, a read fails as a write does. */
export const pasteErrors: Errors = { 404: 'There is no paste at this address', 410: '', 503: '' }
export const linkErrors: Errors = {
  404: 'There is no short link at this address',
  410: 'This short link was deleted or has expired',
  503: '',
}
/** The messages for programs that `GET` a burn-after-reading item. */
export const burningErrors = {
  paste:
    'This paste burns after reading: each read counts. Send POST to /p/raw/7y84tyt5ec to read it, or open /p/7y84tyt5ec in a browser.',
  link: 'This short link burns after its last visit: each visit counts. Send POST to /s/8xkwphv to follow it, or open it in a browser.',
}
/** For a read or visit, which must be counted first. */
export const countErrors = (kind: 'paste' | 'short link'): Errors => {
  const text = `The ${kind} is not shown, because that could not be counted. Try again later.`
  return { 503: text, 507: text }
}
/** The message for an unknown language in the query. */
export const unknownLanguage = '"lang" is not a known language; the nearest one is "python"'

const header = (
  description: string,
  example: string | number,
  schema: Schema = { type: 'string' },
): Header => ({
  description,
  required: true,
  schema,
  example,
})

const exposed = 'ETag, Location, Deletion-Url, Retry-After, RateLimit, RateLimit-Policy'
const wholeSeconds = { type: 'integer', minimum: 1 }

/** Response headers, apart from those of every response. */
export const headers = {
  Location: header('Where to go, or what was created', 'http://nas/p/7y84tyt5ec', {
    type: 'string',
    // Not stricter: browsers follow addresses that are invalid in RFC 3986, such as `https://a.example/%zz`.
    pattern: '^https?://',
  }),
  'Deletion-Url': header(
    'POST or DELETE to it deletes what was created; keep it secret',
    'http://nas/paste/delete?key=7y84tyt5ecrq9stwqw6hxcanafyqjjmnbq9b',
    { type: 'string', format: 'uri' },
  ),
  'Retry-After': header('Whole seconds until a request is taken again', 12, wholeSeconds),
  RateLimit: header('Requests left, and the seconds until there are more', '"default";r=0;t=12'),
  'RateLimit-Policy': header('Requests in a period of so many seconds', '"default";q=3;w=15'),
  'Access-Control-Allow-Origin': header('Pages of every origin may read the answer', '*', {
    type: 'string',
    enum: ['*'],
  }),
  'Access-Control-Expose-Headers': { ...header('Headers that they may read', exposed), required: false },
  'Access-Control-Allow-Headers': header(
    'Headers that they may send',
    'key, x-api-key, content-type, authorization, if-match',
  ),
  'Access-Control-Max-Age': header('Whole seconds that a browser may remember this', 86400, wholeSeconds),
  ETag: header('Tag of this very content, for If-None-Match or If-Match', '"2k6v1ko3f1x0p"'),
  Vary: header('Request headers that the answer depends on', 'Accept, Accept-Encoding'),
  'Content-Disposition': header(
    'That it is a file, and its name',
    'attachment; filename="shortcrust-paste.sxcu"',
  ),
  'Content-Encoding': {
    ...header('How the body is compressed', 'zstd', { type: 'string', enum: ['zstd', 'gzip'] }),
    required: false,
  },
} as const satisfies Readonly<Record<string, Header>>

export type HeaderName = keyof typeof headers
/** The name of a header, with a question mark if only some forms of the response have it. */
export type HeaderWord = HeaderName | `${HeaderName}?`

const headerOf = (word: HeaderWord): Headers => {
  const name = word.replace('?', '') as HeaderName
  return {
    [name]: name === word ? { $ref: `#/components/headers/${name}` } : { ...headers[name], required: false },
  }
}

/** Response headers, given by name or as they are. */
export const headersOf = (words: readonly (HeaderWord | Headers)[]): Headers =>
  Object.assign({}, ...words.map((word) => (typeof word === 'string' ? headerOf(word) : word)))

const methodHeaders = {
  Allow: 'The methods that this address answers',
  'Access-Control-Allow-Methods': 'Methods that they may use',
}

/** A header with the methods of an address: one of these lists. */
export const methodHeader = (
  name: keyof typeof methodHeaders,
  lists: readonly [string, ...string[]],
): Headers => ({
  [name]: header(methodHeaders[name], lists[0], { type: 'string', enum: lists }),
})

const isOpen = (type: string) => /json$|^text\/(plain|x-diff)$/.test(type)

/**
 * Adds the headers that let pages of any origin read the response. Bodies for programs have them, pages do not.
 * @param types media types of the body; of the cached body for 304
 */
export const openAnswer = (
  answer: DescribedAnswer,
  types = Object.keys(answer.content ?? {}),
): DescribedAnswer => {
  if (!types.some(isOpen)) return answer
  const origin = `Access-Control-Allow-Origin${types.every(isOpen) ? '' : '?'}` as const
  return {
    ...answer,
    headers: { ...answer.headers, ...headersOf([origin, 'Access-Control-Expose-Headers']) },
  }
}
