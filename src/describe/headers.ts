import type { Header, Schema } from './types.ts'

const header = (
  description: string,
  example: string,
  schema: Schema = { type: 'string' },
  required = true,
): Header => ({ description, required, schema, example })

const exposed = 'Location, Deletion-Url, Retry-After, RateLimit, RateLimit-Policy'
const wholeSeconds = { type: 'integer', minimum: 1 }

/** Headers of answers beside those that every answer has. */
export const headers = {
  Location: header('Where to go, or what was created', 'http://nas/p/7y84tyt5ec', {
    type: 'string',
    // Stricter would be wrong: browsers follow addresses that RFC 3986 does not know, such as `https://a.example/%zz`.
    pattern: '^https?://',
  }),
  'Deletion-Url': header(
    'POST or DELETE to it deletes what was created; to be kept secret',
    'http://nas/paste/delete?key=7y84tyt5ecrq9stwqw6hxcanafyqjjmnbq9b',
    { type: 'string', format: 'uri' },
  ),
  'Retry-After': header('Whole seconds until a request is taken again', '12', wholeSeconds),
  RateLimit: header('Requests left, and the seconds until there are more', '"default";r=0;t=12'),
  'RateLimit-Policy': header('Requests in a period of so many seconds', '"default";q=3;w=15'),
  Allow: header('The methods that this address answers', 'POST, DELETE'),
  'Access-Control-Allow-Origin': header('Pages of every origin may read the answer', '*', {
    type: 'string',
    enum: ['*'],
  }),
  'Access-Control-Expose-Headers': header('Headers that they may read', exposed, undefined, false),
  'Access-Control-Allow-Methods': header('Methods that they may use', 'POST, OPTIONS'),
  'Access-Control-Allow-Headers': header('Headers that they may send', 'key, content-type, authorization'),
  'Access-Control-Max-Age': header('Whole seconds that a browser may remember this', '86400', wholeSeconds),
  ETag: header('Tag of this very content, for If-None-Match', '"2k6v1ko3f1x0p"'),
  Vary: header('Request headers that the answer depends on', 'Accept, Accept-Encoding'),
  'Content-Disposition': header(
    'That it is a file, and its name',
    'attachment; filename="shortcrust-paste.sxcu"',
  ),
  'Content-Encoding': header(
    'How the body is compressed',
    'zstd',
    { type: 'string', enum: ['zstd', 'gzip'] },
    false,
  ),
} as const satisfies Readonly<Record<string, Header>>

export type HeaderName = keyof typeof headers

/** Headers of an answer, by their names. */
export const withHeaders = (...names: readonly HeaderName[]) => ({
  headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
})

/** Headers that the same answer has in one form and not in another. */
export const optionalHeaders = (...names: readonly HeaderName[]) => ({
  headers: Object.fromEntries(names.map((name) => [name, { ...headers[name], required: false }])),
})
