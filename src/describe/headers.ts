import type { Answer, Header, Headers, Schema } from './types.ts'

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
    'POST or DELETE to it deletes what was created; to be kept secret',
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
    'key, content-type, authorization, if-match',
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

const isOpen = (type: string) => ['application/json', 'text/plain', 'text/x-diff'].includes(type)

/**
 * Adds the headers that let pages of any origin read the response. Bodies for programs have them, pages do not.
 * @param types media types of the body; of the cached body for 304
 */
export const openAnswer = (answer: Answer, types = Object.keys(answer.content ?? {})): Answer => {
  if (!types.some(isOpen)) return answer
  const origin = `Access-Control-Allow-Origin${types.every(isOpen) ? '' : '?'}` as const
  return {
    ...answer,
    headers: { ...answer.headers, ...headersOf([origin, 'Access-Control-Expose-Headers']) },
  }
}
