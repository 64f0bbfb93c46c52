import type { Details, OperationParts } from '../../describe/describe.ts'
import {
  creationErrors,
  done,
  example,
  html,
  ifMatch,
  ifNoneMatch,
  json,
  linkErrors,
  linkId,
  optionalQuery,
  pasteErrors,
  pasteId,
  pathParameter,
  query,
  storageErrors,
  textual,
} from '../../describe/parts.ts'
import type { Content } from '../../describe/types.ts'
import { compared, diffView, tooDifferent } from '../pastes/detail.ts'
import { sortsOf } from './own-items.ts'

const noKey = 'The header "key" with an API key is missing'
const erased = 'It is deleted, and that is on disk'
const exampleCursor = 'MTcwMDAwMDAwMDAwMC43eTg0dHl0NWVj'

const paging = [
  optionalQuery('limit', 'How many items at most, from 1 to 200; 50 when left out', 50, {
    type: 'integer',
    minimum: 1,
    maximum: 200,
  }),
  optionalQuery('after', '`after` of the page before; the newest items when left out', exampleCursor, {
    pattern: '^[A-Za-z0-9_-]+$',
  }),
]

const notAdmin =
  'Only an admin key may list what others made. Make one with: shortcrust keys add NAME --admin'
const whose = optionalQuery(
  'owner',
  'Name of the key whose items to list, or `*` for those of every key, which needs an admin key. Each item then says its owner',
  '*',
)

const createdAt = '2024-02-29T12:30:00.005Z'
const { pasteUrl, rawUrl, shortendUrl, text, heading } = example
const paste = {
  id: example.pasteId,
  createdAt,
  version: 1,
  ...heading,
  name: heading.title,
  bytes: 15,
  reads: 3,
  pasteUrl,
  rawUrl,
}
const link = { id: example.linkId, createdAt, version: 1, url: example.target, visits: 12, shortendUrl }
const owner = 'default'

const kinds = {
  paste: {
    ...{ noun: 'paste', name: 'Paste', other: 'a link, not a paste' },
    ...{ id: pasteId, errors: pasteErrors, deletionKey: example.pasteDeletionKey },
    list: json('OwnPastes', { success: true, pastes: [paste], after: exampleCursor, total: 3 }),
    record: json('OwnPasteRecord', { success: true, paste: { ...paste, owner, text } }),
  },
  link: {
    ...{
      noun: 'short link',
      plural: 'links',
      name: 'Link',
      prefix: '/shortener',
      other: 'a paste, not a link',
    },
    ...{ id: linkId, errors: linkErrors, deletionKey: example.linkDeletionKey },
    list: json('OwnLinks', { success: true, links: [link], after: null, total: 1 }),
    record: json('OwnLinkRecord', { success: true, link: { ...link, owner } }),
  },
}

/** Operations by deletion key, which is the permission. */
const deletions = (kind: keyof typeof kinds): Details => {
  const { noun, name, other, deletionKey } = kinds[kind]
  const errors = {
    404: `This deletion key belongs to no ${noun}. It is mistyped, cut short, or for ${other}`,
    410: `This ${noun} was already deleted or has expired`,
    422: 'The query parameter "key" with a deletion key is missing',
  }
  const parameters = [
    query('key', 'The deletion key, as in `deletionUrl`; no API key is needed', deletionKey, {
      minLength: 1,
    }),
  ]
  const common = { tag: 'Deleting', parameters } as const
  const erase = (method: string, content: Content): OperationParts => ({
    ...common,
    summary: `Delete a ${noun}, with ${method}`,
    description: 'Anyone with the link may delete, once.',
    answers: { 200: [erased, content] },
    errors: { ...errors, ...storageErrors },
  })
  const message = done(`The ${noun} was deleted`)
  return {
    [`post${name}Deletion`]: erase('POST', { ...message, ...html }),
    [`delete${name}`]: erase('DELETE', message),
    [`show${name}Deletion`]: {
      ...common,
      summary: `See which ${noun} would be deleted`,
      description:
        'Changes nothing: previews and scanners fetch links. Only a client that asks for `text/html` gets the page, with a button.',
      answers: { 200: ['A page with a button that deletes', html] },
      errors: { ...errors, 405: 'GET changes nothing. Send POST or DELETE to this address to delete.' },
      allow: 'POST, DELETE',
    },
  }
}

/** Operations on what a key created, for the same key. */
const itemsOfKey = (kind: keyof typeof kinds): Details => {
  const { noun, name, id, errors: unknown, list, record } = kinds[kind]
  const common = { tag: 'Items of a key', key: 'header' } as const
  const listing = {
    parameters: [whose, ...findingParameters(kind), ...paging],
    errors: { 401: noKey, 403: notAdmin, 422: '"limit" must be a number from 1 to 200', ...storageErrors },
  }
  const ofOne = { ...unknown, 401: noKey, 410: `This ${noun} was deleted or has expired`, 503: '' }
  return {
    [`listOwn${name}s`]: {
      ...common,
      ...listing,
      summary: `List the ${noun}s that the key made`,
      description:
        'Newest first, unless `sort` says otherwise. A new key of the same name shows what the old one made. With `q`, `language`, `since` or `sort`, only what fits; what was created a second ago is found.',
      answers: { 200: ['A page of the list', list] },
    },
    [`showOwn${name}s`]: {
      ...common,
      ...listing,
      summary: `List the ${noun}s that the key made, in HTML`,
      description: 'The same list as rows, for *My items* and the page of the owner.',
      answers: { 200: ['A page of the list: one `ul`, with the next `after` as `data-after`', html] },
    },
    [`getOwn${name}`]: {
      ...common,
      summary: `Read a ${noun} that the key made`,
      description: `Another key gets 404, but an admin key what lists say of it, without ${kind === 'paste' ? 'the text' : 'a target with a limit of visits'}. It counts as no read and no visit.`,
      parameters: [id],
      answers: { 200: ['The whole record', record, 'ETag'] },
      errors: ofOne,
    },
    [`deleteOwn${name}`]: {
      ...common,
      summary: `Delete a ${noun} that the key made`,
      description: 'Without its deletion key. An admin key deletes those of every key.',
      parameters: [id],
      answers: { 200: [erased, done(`The ${noun} was deleted`)] },
      errors: { ...ofOne, 507: '' },
    },
  }
}

const qrCode = (kind: keyof typeof kinds): OperationParts => {
  const { noun, id, errors } = kinds[kind]
  return {
    tag: 'Pages and files',
    summary: `The address of a ${noun} as a QR code`,
    description: 'An SVG picture, to be scanned or printed.',
    parameters: [id],
    answers: { 200: ['The QR code', textual('image/svg+xml')] },
    errors,
  }
}

const wordsRule =
  'At most 32 words that must all occur, in any order, without regard to case and accents: as whole words in the text, and also as beginnings of words, of two letters or more, in '

const found = {
  paste: `${wordsRule}title, description and name. The text of a burn-after-reading paste is not searched.`,
  link: `${wordsRule}target and name. The target of a link with a limit of visits is not searched.`,
}

const since =
  'Created since then: a date, a time (UTC where it names no zone), or how long ago, such as `7d`, `12h` or `30m`'

const language = optionalQuery('language', 'Pastes in this language, by any of its names', 'json')

/** The parameters of a list that choose and sort its items. */
export const findingParameters = (kind: keyof typeof sortsOf) => [
  optionalQuery('q', found[kind], kind === 'paste' ? 'error timeout' : 'example'),
  ...(kind === 'paste' ? [language] : []),
  optionalQuery('since', since, '7d'),
  optionalQuery(
    'sort',
    'Newest, last changed, most used or largest first, or what expires next; newest when left out',
    'size',
    { enum: Object.keys(sortsOf[kind]) },
  ),
]

const versions = json('Versions', {
  success: true,
  versions: [
    { version: 2, changedAt: '2024-03-01T08:00:00.000Z', bytes: 18 },
    { version: 1, changedAt: '2024-02-29T12:30:00.005Z', bytes: 15 },
  ],
})
const versionParameter = pathParameter('version', 'Number of the version', '1', {
  pattern: '^[1-9][0-9]{0,8}$',
})

const otherVersion = pathParameter('other', 'Number of the newer one', '2', versionParameter.schema)

const changed = { createdAt, version: 2, changedAt: '2024-03-01T08:00:00.000Z', owner: 'default' }
const newText = 'console.log("two")\n'
const newTarget = 'https://example.org/another/address'

const changes = {
  paste: {
    fields: '`text`, `title`, `description`, `language` and `expiresIn`',
    body: json('PasteChange', { text: newText, language: 'javascript' }),
    changedRecord: json('OwnPasteRecord', {
      success: true,
      paste: { ...paste, ...changed, bytes: 19, text: newText },
    }),
    malformed: 'Invalid input format: the body is not JSON',
    scope: 'This API key may create short links only; use a key that may create pastes',
  },
  link: {
    fields: '`url`, `title` and `expiresIn`',
    body: json('LinkChange', { url: newTarget }),
    changedRecord: json('OwnLinkRecord', { success: true, link: { ...link, ...changed, url: newTarget } }),
    malformed: 'Invalid URL format: it must begin with http:// or https://',
    scope: 'This API key may create pastes only; use a key that may create short links',
  },
}

const inForms =
  'As rows for a page, where HTML is accepted; else as a unified diff, empty if they are the same.'

const changesOf = (kind: keyof typeof kinds): Details => {
  const { noun, name, id, errors: unknown } = kinds[kind]
  const { fields, body, changedRecord: record, malformed, scope } = changes[kind]
  const common = { tag: 'Items of a key', key: 'header' } as const
  const ofOne = { ...unknown, 401: noKey, 410: `This ${noun} was deleted or has expired`, 503: '' }
  const notKept = `Version 1 of this ${noun} is not kept`
  const comparing = { answers: compared, errors: { ...ofOne, 410: notKept, 422: tooDifferent } }
  return {
    [`change${name}`]: {
      ...common,
      summary: `Change a ${noun} that the key made`,
      description: `Any of ${fields}; \`"expiresIn": null\` takes the expiry away. Id, name, addresses, deletion link and counts stay. Readers see the change at once. It takes a token of the rate limit, as a creation does. With \`If-Match\`, nothing newer is overwritten.`,
      parameters: [id, ifMatch],
      body,
      answers: { 200: [`The ${noun} as it is now, on disk`, record, 'ETag'] },
      errors: {
        ...creationErrors,
        ...unknown,
        ...{ 400: malformed, 403: scope, 410: `This ${noun} was deleted or has expired` },
        409: `This ${noun} burns after reading, so it cannot be changed. Create a new one.`,
        412: `This ${noun} has changed since you read it: it is version 3 now. Read it again before you change it.`,
        422: `Nothing to change: send at least one of the fields ${fields.replaceAll('`', '').replace(' and', ',')}`,
      },
    },
    [`list${name}Versions`]: {
      ...common,
      summary: `List the versions of a ${noun}`,
      description:
        'Newest first: the one that readers see, then the earlier ones that are kept, for this key alone.',
      parameters: [id],
      answers: { 200: ['The versions', versions, 'ETag'] },
      errors: ofOne,
    },
    [`get${name}Version`]: {
      ...common,
      summary: `Read one version of a ${noun}`,
      description: 'The newest, or an earlier one that is kept. It counts as no read and no visit.',
      parameters: [id, versionParameter],
      answers: { 200: ['The item as it was', record] },
      errors: {
        ...ofOne,
        410: notKept,
        422: 'The version in the address must be a number from 1',
      },
    },
    [`compare${name}Versions`]: {
      ...common,
      ...comparing,
      summary: 'Compare two versions',
      description: `${inForms} What burns after reading is not compared.`,
      parameters: [id, versionParameter, otherVersion, diffView, ifNoneMatch],
    },
    [`compareTyped${name}`]: {
      ...common,
      ...comparing,
      summary: 'Compare a version with a draft',
      description: `${inForms} Nothing is stored. Fields that are left out are as in that version.`,
      parameters: [id, versionParameter, diffView],
      body,
      errors: { ...comparing.errors, 413: '' },
    },
    [`delete${name}Versions`]: {
      ...common,
      summary: `Delete the earlier versions of a ${noun}`,
      description: 'At once, and for ever. The newest stays.',
      parameters: [id],
      answers: {
        200: [
          'They are deleted, and that is on disk',
          done(`The earlier versions of the ${noun} were deleted`),
        ],
      },
      errors: { ...ofOne, 507: '' },
    },
  }
}

export const itemDetails: Details = {
  ...deletions('paste'),
  ...deletions('link'),
  getKey: {
    tag: 'Items of a key',
    summary: 'Say which API key this is',
    description: 'Checks a key without creating anything: its name, and what it is limited to.',
    key: 'header',
    answers: {
      200: [
        'The key is valid',
        json('KeyFacts', {
          success: true,
          ...{ name: 'laptop', only: 'paste', rate: { requests: 10, seconds: 60 } },
          expiresAt: '2027-02-19T09:30:00.000Z',
        }),
      ],
    },
    errors: { 401: noKey },
  },
  ...itemsOfKey('paste'),
  ...itemsOfKey('link'),
  ...changesOf('paste'),
  ...changesOf('link'),
  pasteQrCode: qrCode('paste'),
  linkQrCode: qrCode('link'),
}
