import type { Header, Schema } from './types.ts'

const header = (
  description: string,
  example: string,
  schema: Schema = { type: 'string' },
  required = true,
): Header => ({ description, required, schema, example })

const wholeSeconds = { type: 'integer', minimum: 1 }

/** Headers of answers beside those that every answer has. */
export const headers = {
  Location: header('Where to go, or what was created', 'http://nas/p/7y84tyt5ec', {
    type: 'string',
    format: 'uri',
  }),
  'Retry-After': header('Whole seconds until a request is taken again', '12', wholeSeconds),
  RateLimit: header('Requests left, and the seconds until there are more', '"default";r=0;t=12'),
  'RateLimit-Policy': header('Requests in a period of so many seconds', '"default";q=3;w=15'),
  Allow: header('The methods that this address answers', 'POST, DELETE'),
  ETag: header('Tag of this very content, for If-None-Match', '"2k6v1ko3f1x0p"'),
  Vary: header('Request headers that the answer depends on', 'Accept, Accept-Encoding'),
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
