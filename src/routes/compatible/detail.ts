import type { Details, OperationParts } from '../../describe/describe.ts'
import {
  burningErrors,
  creationErrors,
  example,
  optionalQuery,
  pasteErrors,
  pasteId,
  pathParameter,
  plain,
  query,
  storageErrors,
  textual,
} from '../../describe/parts.ts'
import type { Content, Media, Schema } from '../../describe/types.ts'
import { pasteDetails } from '../pastes/detail.ts'
import { formBody, siteDetails } from '../site/detail.ts'

const { sendForm, uploadText } = siteDetails as { sendForm: OperationParts; uploadText: OperationParts }

const { pasteUrl, rawUrl, shortendUrl, target, pasteId: id, pasteDeletionKey: token } = example
const [text, whole] = [{ type: 'string' }, { type: 'integer' }]
const list = { type: 'array', items: { type: 'object' } }

const schemaOf = (value: unknown): Schema => {
  if (value === null) return {}
  if (Array.isArray(value)) return list
  return typeof value === 'number' ? whole : { type: typeof value }
}
/** A body in JSON that has the fields of its example, and perhaps more. */
const like = (example: object, required = Object.keys(example)): Content => ({
  'application/json': {
    schema: {
      ...{ type: 'object', required },
      properties: Object.fromEntries(Object.entries(example).map(([name, value]) => [name, schemaOf(value)])),
    },
    example,
  },
})

/** One operation of a protocol. */
const said =
  (tag: string, errorBody?: Content) =>
  (summary: string, description: string, parts: Omit<OperationParts, 'tag' | 'summary' | 'description'>) => ({
    ...{ tag, summary, description, ...parts },
    ...(errorBody && { errorBody }),
  })

/** A request that has no host, say, is answered before a protocol is asked. */
const ownError: Content = { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } }

const unknownKey = 'This API key is not valid.'
const rustypaste = said('rustypaste', {
  'text/plain': { schema: text, example: `${unknownKey}\n` },
  ...ownError,
})
const file = { file_name: id, file_size: 15, creation_date_utc: '2026-01-31 12:00:00', expires_at_utc: null }
const files = { 'application/json': { schema: list, example: [file] } }

export const rustypasteDetails: Details = {
  readVersion: rustypaste('The version of this server', 'As `rpaste --server-version` asks for it.', {
    answers: { 200: ['The version', plain] },
  }),
  listFiles: rustypaste(
    'List the pastes of a key, as rustypaste does',
    'The newest 1,000, as `rpaste --list` asks for them. The key may stand alone in `Authorization`.',
    { key: 'upload', answers: { 200: ['The pastes', files] }, errors: { 401: '' } },
  ),
  deleteFile: rustypaste(
    'Delete a paste of a key, as rustypaste does',
    'As `rpaste --delete` does. The key may stand alone in `Authorization`.',
    {
      ...{ key: 'upload', parameters: [pathParameter('name', 'Id or alias of the paste', id)] },
      answers: { 200: ['The paste is deleted', plain] },
      errors: { 401: '', ...pasteErrors, ...storageErrors },
    },
  ),
  uploadList: { ...uploadText, tag: 'rustypaste', summary: 'Upload a file named `list`' },
  uploadVersion: { ...uploadText, tag: 'rustypaste', summary: 'Upload a file named `version`' },
}

export const pastebinitDetails: Details = {
  sendProgramForm: {
    ...{ ...sendForm, tag: 'pastebinit', parameters: [], body: formBody },
    summary: 'The form of the start page, from a program',
    description:
      'A form with the fields of the start page. A form that is urlencoded and longer than 128 KiB begins with its `key`. The answer is the address alone.',
  },
  pastebinitFile: said('pastebinit')(
    'This server as a site of pastebinit',
    'A file for `~/.pastebin.d/`. The API key is put in by hand, in the place of `YOUR_API_KEY`.',
    { answers: { 200: ['The file', textual('text/plain'), 'Content-Disposition'] } },
  ),
}

const inFormats = (example: object, required?: string[]) => ({
  ...like(example, required),
  ...textual('application/xml', 'application/javascript', 'text/plain'),
})
const yourls = said('YOURLS', inFormats({ message: unknownKey, errorCode: '403', statusCode: 403 }))
const expanded = { keyword: '8xkwphv', shorturl: shortendUrl, longurl: target, message: 'success' }
const yourlsParts: Pick<OperationParts, 'key' | 'answers' | 'errors'> = {
  key: 'upload',
  answers: { 200: ['What was asked for, in the format asked for', inFormats(expanded, [])] },
  errors: { 404: '', 405: '', 413: '', 429: '', ...storageErrors },
}
const yourlsForm = {
  schema: {
    type: 'object',
    properties: { action: text, signature: text, format: text, url: text, keyword: text, title: text },
  },
  example: { action: 'shorturl', format: 'json', url: target },
}

export const yourlsDetails: Details = {
  askYourls: yourls(
    'Ask about short links, as YOURLS does',
    'A GET creates nothing: `action=shorturl` is 405, unless `--protocols` names `yourls-get`. `jsonp` needs the key in the request. `stats` and `db-stats` are those of the key.',
    {
      ...yourlsParts,
      parameters: [
        query('action', '`expand`, `url-stats`, `stats`, `db-stats` or `version`', 'db-stats'),
        optionalQuery('signature', 'The API key; or `username`, any name, and `password`, the key', 'sc_…'),
        optionalQuery('format', '`json`, `simple`, `jsonp` with `callback`, or else `xml`', 'json'),
        optionalQuery('shorturl', 'A short link, or its name, for `expand` and `url-stats`', '8xkwphv'),
      ],
      allow: 'POST',
    },
  ),
  sendYourls: yourls(
    'Create a short link, as YOURLS does, or ask about one',
    'Fields as in the query of GET; for `action=shorturl` also `url`, `keyword` and `title`. Each creation makes a new short link, as YOURLS does where an address may be stored twice.',
    {
      ...yourlsParts,
      body: { 'application/x-www-form-urlencoded': yourlsForm, 'multipart/form-data': yourlsForm },
    },
  ),
}

const mclogs = said('mclo.gs')
const made = {
  success: true,
  id,
  created: 1769860800,
  size: 15,
  lines: 2,
  url: pasteUrl,
  raw: rawUrl,
  metadata: [],
}
const limits = { success: true, storageTime: 2_592_000, maxLength: 1_048_576, maxLines: 1_048_576 }
const logBody = {
  schema: {
    ...{ type: 'object', required: ['content'] },
    properties: { content: { ...text, minLength: 1 }, source: text, metadata: list },
  },
  example: { content: example.text },
}
const readErrors = { ...pasteErrors, 403: burningErrors.paste }

export const mclogsDetails: Details = {
  createLog: mclogs(
    'Create a paste of a log, as mclo.gs does',
    'The text is kept byte for byte. Guests need no key. `source` and the visible `metadata` become the description. The `token` deletes.',
    {
      key: 'upload',
      body: { 'application/json': logBody, 'application/x-www-form-urlencoded': logBody },
      answers: { 200: ['The paste is on disk', like({ ...made, token })] },
      errors: creationErrors,
    },
  ),
  showLog: mclogs(
    'Read what is known of a paste, as mclo.gs says it',
    'With `raw` in the query, also its text. No log is analysed: `insights` and `parsed` are 422.',
    {
      parameters: [pasteId],
      answers: { 200: ['The paste', like(made)] },
      errors: { ...readErrors, 422: '' },
    },
  ),
  deleteLog: mclogs(
    'Delete a paste, as mclo.gs does',
    'With `Authorization: Bearer` and the `token`, which is the deletion key; or with the key that made it.',
    {
      key: 'upload',
      parameters: [pasteId],
      answers: { 200: ['It is gone', like({ success: true })] },
      errors: { ...pasteErrors, 401: '', ...storageErrors },
    },
  ),
  readRawLog: { ...(pasteDetails.readRawPaste as OperationParts), tag: 'mclo.gs' },
  readLogLimits: mclogs(
    'How large a log may be, and how many seconds it stays',
    'Ten years stand for a log that stays until somebody deletes it.',
    { answers: { 200: ['The limits', like(limits)] } },
  ),
  readLogFilters: mclogs(
    'What the libraries of mclo.gs mask before they send a log',
    'IP addresses, names of users in paths, and tokens. The server itself masks nothing.',
    { answers: { 200: ['The filters', { 'application/json': { schema: list } }] } },
  ),
}

const gist = said(
  'Gists',
  like({ message: unknownKey, documentation_url: 'https://docs.github.com/rest/gists/gists' }),
)
const gistFile = { filename: 'hello.js', raw_url: rawUrl, size: 15, content: example.text }
const gistAnswer = like({ id, html_url: pasteUrl, files: { 'hello.js': gistFile }, public: false })
export const gistDetails: Details = {
  createGist: gist(
    'Create a paste, as a gist of one file',
    'The key also comes as `Authorization: token …`. The name of the file is the title, and its ending sets the language. Several files are refused. `public` changes nothing: anyone with the link can read.',
    {
      key: 'upload',
      body: like({ files: { 'hello.js': { content: example.text } } }),
      answers: { 201: ['The paste is on disk', gistAnswer, 'Location'] },
      errors: creationErrors,
    },
  ),
  readRawGist: { ...(pasteDetails.readRawPaste as OperationParts), tag: 'Gists' },
}

const problem = {
  ...{ type: 'https://shlink.io/api/error/invalid-data', title: 'Invalid data', status: 400 },
  detail: 'Field "validUntil" must be a time to come, such as 2026-12-31T12:00:00Z.',
}
const asType = (type: string, value: object): Content => ({
  [type]: { ...like(value)['application/json'] } as Media,
})
const shlink = said('Shlink', { ...asType('application/problem+json', problem), ...ownError })
const [shortCode, longUrl, dateCreated] = [example.linkId, target, '2026-01-31T12:00:00+00:00']
const shortUrl = {
  ...{ shortUrl: shortendUrl, shortCode, longUrl, dateCreated, tags: [] },
  visitsSummary: { total: 3, nonBots: 3, bots: 0 },
  meta: { validSince: null, validUntil: null, maxVisits: null },
  ...{ domain: null, title: null, crawlable: false, forwardQuery: false, hasRedirectRules: false },
}
const asked = pathParameter('version', 'Version of the API', 'v3', { enum: ['v2', 'v3'] })
const ofOne = [asked, pathParameter('name', 'Id or alias of the short link', shortCode)]
const oneUrl = like(shortUrl)
const count = { type: 'integer', minimum: 1 }
const pagination = { currentPage: 1, pagesCount: 1, itemsPerPage: 10, itemsInCurrentPage: 1, totalItems: 1 }
const absent = { 401: '', 404: '' }
const isHealthy = {
  200: ['It does', asType('application/health+json', { status: 'pass', version: '4.0.0' })],
} as const
const healthWords = [
  'Whether the server answers',
  '`version` is the one of Shlink whose API is spoken.',
] as const

export const shlinkDetails: Details = {
  shlinkHealth: shlink(...healthWords, { answers: isHealthy }),
  shlinkVersionHealth: shlink(...healthWords, {
    parameters: [asked],
    answers: isHealthy,
    errors: { 404: '' },
  }),
  listShlinkTags: shlink('List tags', 'There are none here.', {
    key: 'header',
    parameters: [asked],
    answers: { 200: ['No tags', like({ tags: { data: [] } })] },
    errors: absent,
  }),
  createShortUrl: shlink(
    'Create a short link, as Shlink does',
    '`findIfExists` finds a link of the key to the same address that lasts as long and has no limit of visits. With `maxVisits`, the last visit erases it. Tags, `validSince`, a domain and what is not known are 400. `forwardQuery` is taken, and answered as `false`.',
    {
      ...{ key: 'header', parameters: [asked], body: like({ longUrl }) },
      answers: { 200: ['The short link is on disk', oneUrl] },
      errors: { ...creationErrors, 404: '' },
    },
  ),
  listShortUrls: shlink(
    'List the short links of a key, as Shlink does',
    'Among the first 10,000. `totalItems` of a search counts only as far as was looked.',
    {
      key: 'header',
      parameters: [
        asked,
        optionalQuery('page', 'The page, from 1', 1, count),
        optionalQuery('itemsPerPage', 'How many on a page; -1 for all', 10, { type: 'integer', minimum: -1 }),
        optionalQuery('searchTerm', 'Words of the address, the title or the custom slug', 'example'),
        optionalQuery('orderBy', 'The order', 'dateCreated-DESC', {
          enum: ['dateCreated-DESC', 'visits-DESC', 'nonBotVisits-DESC'],
        }),
      ],
      answers: { 200: ['The short links', like({ shortUrls: { data: [shortUrl], pagination } })] },
      errors: { ...absent, 503: '' },
    },
  ),
  getShortUrl: shlink('Show a short link, as Shlink does', 'What is gone is 404, too.', {
    ...{ key: 'header', parameters: ofOne, answers: { 200: ['The short link', oneUrl] }, errors: absent },
  }),
  editShortUrl: shlink(
    'Edit a link, as Shlink does',
    '`null` takes a title or an expiry away. A limit of visits cannot be changed.',
    {
      ...{ key: 'header', parameters: ofOne, body: like({ longUrl }, []) },
      answers: { 200: ['The change is on disk', oneUrl] },
      errors: { ...absent, 409: '', 413: '', 429: '', ...storageErrors },
    },
  ),
  deleteShortUrl: shlink('Delete a short link, as Shlink does', 'No deletion key is needed.', {
    ...{ key: 'header', parameters: ofOne, errors: { ...absent, ...storageErrors } },
    answers: {
      204: ['It is gone', undefined, 'Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'],
    },
  }),
}

const kuttLink = like({
  ...{ id: shortCode, address: shortCode, target, link: shortendUrl, description: null, expire_in: null },
  ...{ password: false, banned: false, visit_count: 0, domain: null },
  ...{ created_at: dateCreated, updated_at: dateCreated },
})

export const kuttDetails: Details = {
  createKuttLink: said('Kutt', like({ error: unknownKey }))(
    'Create a short link, as Kutt does',
    '`description` is the title in lists. `reuse` finds a link of the key to the same address that lasts as long. A password and a domain are 400.',
    {
      ...{ key: 'header', body: like({ target, expire_in: '2 days' }, ['target']), errors: creationErrors },
      answers: {
        200: ['With `reuse`: a link that is there already', kuttLink],
        201: ['The short link is on disk', kuttLink],
      },
    },
  ),
}
