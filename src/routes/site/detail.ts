import { type Details, errorContent, type OperationParts } from '../../describe/describe.ts'
import {
  anyJson,
  burningErrors,
  documentId,
  done,
  example,
  fileName,
  html,
  ifNoneMatch,
  json,
  optionalQuery,
  pasteErrors,
  pathParameter,
  plain,
  textual,
  uploadAnswer,
  uploadErrors,
  uploaded,
  uploadParameters,
} from '../../describe/parts.ts'
import { schemas } from '../../describe/schemas.ts'
import type { Content, Schema } from '../../describe/types.ts'
import { foreignFields } from '../compatible/fields.ts'

const pages = 'Pages and files'
const clients = 'Other clients'

const text = (description = ''): Schema => ({ type: 'string', description })

/**
 * Every field is a string here: a form sends only text, and with a key header the same body may be any file. The form
 * itself checks its fields.
 */
const fields: Readonly<Record<string, Schema>> = {
  create: text(
    '`paste`, `link`, or `items` for a list of what the key made; empty: a link where there is a `url` and no `text`',
  ),
  key: text('The API key'),
  ...Object.fromEntries(
    Object.entries(foreignFields).flatMap(([protocol, names]) =>
      Object.entries(names).map(([name, field]) => [name, text(`\`${field}\`, as ${protocol} calls it`)]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries({ ...schemas.PasteBody.properties, ...schemas.LinkBody.properties }).map(
      ([name, { description }]) => [name, text(description)],
    ),
  ),
  language: text('Language of the paste; empty or `auto`: detected'),
  burn: text('Not empty: the paste is deleted after its first read'),
  oneshot: text('As rustypaste has it: `1` for an item that is deleted after its first use'),
  expires: text('As 0x0 has it: hours, or milliseconds since 1970; or as `expiresIn`'),
  oneshot_url: text('As rustypaste has it: `url` of a link that is deleted after its first visit'),
  secret: text('As 0x0 has it: the address must not be guessable, so there is no `alias`'),
  linkAlias: text('`alias` of a link, where the form has both'),
  q: text('For `items`: words that must all occur, as in `GET /pastes`'),
  sort: text('For `items`: `changed`, `size`, `expires` or `uses`; empty for the newest first'),
  linkExpiresIn: text('`expiresIn` of a link, where the form has both'),
}
const formOf = (properties: Readonly<Record<string, Schema>>) => ({
  schema: { type: 'object', properties, additionalProperties: false },
  example: { create: 'link', key: 'YOUR_API_KEY', url: 'https://example.org/' },
})
const suggestions = Object.entries({
  text: example.text,
  title: 'hello.js',
  language: 'javascript',
  alias: 'guide',
  expiresIn: '1d',
  url: 'https://example.org/',
}).map(([name, sample]) => optionalQuery(name, `${fields[name]?.description}; only filled in`, sample))
const file: Schema = { ...text('The file of an upload'), format: 'binary' }
export const formBody: Content = {
  'multipart/form-data': formOf({ ...fields, file }),
  'application/x-www-form-urlencoded': formOf(fields),
}

/** An upload with plain `curl`. */
const upload: Omit<OperationParts, 'summary'> = {
  tag: 'Creating',
  description:
    'The body is the file, of any type and in UTF-8, and is kept byte for byte: `curl -T hello.js`. A body of the type `multipart/form-data` has exactly one file, or a field `text`. An unknown field is refused; `oneshot`, `expires`, `secret` and the header `expire` of other programs are known. A key may also come as `Bearer`.',
  key: 'upload',
  parameters: uploadParameters,
  body: uploaded,
  answers: {
    201: ['The paste is on disk; this is its address', uploadAnswer, 'Location', 'Deletion-Url'],
    200: [
      'With `replace`: the paste that the name led to is changed; this is its address',
      uploadAnswer,
      'Location?',
      'Deletion-Url?',
    ],
  },
  errors: uploadErrors,
}

const toPage = (summary: string): OperationParts => ({
  tag: clients,
  summary,
  description: 'Redirects to `/p/{id}`.',
  parameters: [documentId('name')],
  answers: { 302: ['The address of the page', html, 'Location'] },
  errors: pasteErrors,
})

const uploader = (what: string): OperationParts => ({
  tag: clients,
  summary: `This server as a custom uploader of ShareX, for ${what}`,
  description: 'The API key is put in by hand, in the place of `YOUR_API_KEY`.',
  answers: { 200: ['The file to open with ShareX', anyJson, 'Content-Disposition'] },
})

export const siteDetails: Details = {
  findByName: toPage('Go to the page of a paste, from where clients of hastebin expect it'),
  uploadFile: {
    ...upload,
    summary: 'Upload a file',
    parameters: [fileName, ...uploadParameters],
  },
  findShared: toPage('Go to the page of a paste, from where other clients expect it'),

  startPage: {
    tag: pages,
    summary: 'The page that creates pastes and short links',
    description:
      '`/?link` opens the form for short links, `/?items` the list of what was made, where scripts run. A field in the query, under its name of the API, fills the form and sends nothing. A client that does not ask for `text/html` gets about ten lines of usage for this address.',
    parameters: [
      optionalQuery(
        'from',
        'Id or name of a paste: the form is filled with it, for a new paste',
        'abcdefghjk',
      ),
      optionalQuery(
        'edit',
        'Id or name of a paste, or of a short link after `?link&`: the page that changes it. It is empty: a script asks for the item with the key that the browser keeps',
        'abcdefghjk',
      ),
      ...suggestions,
    ],
    answers: { 200: ['The page', { ...html, ...plain }, 'Vary?', 'Content-Encoding'] },
    errors: { ...pasteErrors, 403: burningErrors.paste },
  },
  sendForm: {
    tag: pages,
    summary: 'The forms of the start page, for browsers without JavaScript; or an upload',
    description:
      'A form has at most 20 fields, and 128 KiB where it is urlencoded; an unknown one is refused. A client that asks for `text/html` gets pages, every other one the address alone. Fields of 0x0, rustypaste, sprunge, ix, clbin and pb are known. With an API key in the header `key`, or as `Bearer` from a program, it takes a file as `PUT /` does, or one of these forms: `curl -F file=@hello.js`, `curl --data-binary @hello.js`.',
    key: 'optional',
    parameters: uploadParameters,
    body: { ...formBody, ...plain },
    answers: {
      200: [
        'The list of what the key made; or the address of what an upload changed',
        { ...html, ...uploadAnswer },
        'Location?',
        'Deletion-Url?',
      ],
      201: [
        'The address of what was created, or the page that shows all its addresses this once',
        { ...html, ...uploadAnswer },
        'Location',
        'Deletion-Url',
      ],
      // Also sent when too many clients without a key send large forms at once.
      503: ['Storage failed; nothing was changed', errorContent(503), 'Retry-After?'],
    },
    errors: { ...uploadErrors, 400: 'The form cannot be read' },
  },
  uploadText: { ...upload, summary: 'Upload a file without a name' },

  sharexPastes: uploader('pastes'),
  sharexLinks: uploader('short links'),

  readAsset: {
    tag: pages,
    summary: 'A style sheet, script, icon or list of the pages',
    description: 'The name holds the hash of the content, so it may be kept for ever.',
    parameters: [pathParameter('name', 'Name with hash', 'style-2k6v1ko3f1x0p.css'), ifNoneMatch],
    answers: {
      200: [
        'The file',
        textual('text/css', 'text/javascript', 'application/json', 'image/svg+xml'),
        ...(['ETag', 'Vary', 'Content-Encoding'] as const),
      ],
      304: ['The client has it already', undefined, 'ETag', 'Vary', 'Content-Encoding'],
    },
    errors: { 404: 'There is no such asset' },
  },
  readDocs: {
    tag: pages,
    summary: 'This description as a page',
    description: 'With a filter, and at its end the list of languages: `/docs#languages`.',
    answers: { 200: ['The page', html, 'Vary', 'Content-Encoding'] },
  },
  readDescription: {
    tag: pages,
    summary: 'This description for programs',
    description: 'With the addresses of the request, where no setting says them.',
    answers: { 200: ['OpenAPI 3.1', anyJson, 'Vary', 'Content-Encoding'] },
  },

  isAlive: {
    tag: 'Health',
    summary: 'Whether the server answers',
    description: 'Checks nothing else.',
    answers: { 200: ['The server answers', done('Alive')] },
  },
  isReady: {
    tag: 'Health',
    summary: 'Whether the last write reached the disk',
    description: 'Writes nothing itself. Says in `proxy` if a proxy hides who asks.',
    answers: { 200: ['The last write reached the disk', json('Ready', { success: true, message: 'Ready' })] },
    errors: { 503: 'The last write failed' },
  },
}

const paste = { kind: 'paste', items: 2, bytes: 44 }
const item = {
  kind: 'paste',
  id: example.pasteId,
  owner: 'laptop',
  bytes: 29,
  createdAt: '2024-02-29T12:30:00.005Z',
  expiresAt: '2024-03-07T12:30:00.005Z',
}

export const ownerDetails: Details = {
  showAdmin: {
    tag: 'Pages and files',
    summary: 'The page of the owner',
    description:
      'The same empty page for everybody. Its script asks for figures and items with the admin key that the browser keeps.',
    answers: { 200: ['The page', html] },
  },
  readStats: {
    tag: 'The owner',
    summary: 'Read the figures of the server',
    description:
      'Items and bytes by key and kind, growth by day, the largest, what expires next, versions, free space. Counted in small steps; requests that come meanwhile share the result.',
    key: 'header',
    answers: {
      200: [
        'The figures',
        json('Stats', {
          success: true,
          at: '2024-02-29T12:31:00.000Z',
          totals: [paste, { kind: 'link', items: 0, bytes: 0 }],
          keys: [{ owner: 'laptop', ...paste }],
          days: [{ day: '2024-02-29', pastes: 2, links: 0 }],
          largest: [item],
          expiring: [item],
          versions: { count: 1, bytes: 15 },
          disk: { freeBytes: 5_000_000_000, totalBytes: 8_000_000_000 },
          index: 'whole',
        }),
      ],
    },
    errors: {
      401: 'The header "key" with an API key is missing',
      403: 'Only an admin key may read the figures of this server. Make one with: shortcrust keys add NAME --admin',
    },
  },
}
