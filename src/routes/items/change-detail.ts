import type { Details } from '../../describe/describe.ts'
import {
  creationErrors,
  done,
  example,
  ifMatch,
  json,
  linkErrors,
  linkId,
  pasteErrors,
  pasteId,
  pathParameter,
} from '../../describe/parts.ts'

const noKey = 'The header "key" with an API key is missing'
const versions = json('Versions', {
  success: true,
  versions: [
    { version: 2, changedAt: '2024-03-01T08:00:00.000Z', bytes: 18 },
    { version: 1, changedAt: '2024-02-29T12:30:00.005Z', bytes: 15 },
  ],
})
const version = pathParameter('version', 'Number of the version', '1', { pattern: '^[1-9][0-9]{0,8}$' })

const createdAt = '2024-02-29T12:30:00.005Z'
const changed = { createdAt, version: 2, changedAt: '2024-03-01T08:00:00.000Z', owner: 'default' }
const { pasteUrl, rawUrl, shortendUrl, heading } = example
const text = 'console.log("two")\n'
const target = 'https://example.org/another/address'

const kinds = {
  paste: {
    noun: 'paste',
    id: pasteId,
    errors: pasteErrors,
    fields: '`text`, `title`, `description`, `language` and `expiresIn`',
    body: json('PasteChange', { text, language: 'javascript' }),
    record: json('OwnPasteRecord', {
      success: true,
      paste: { id: example.pasteId, ...changed, ...heading, bytes: 19, reads: 3, pasteUrl, rawUrl, text },
    }),
    malformed: 'Invalid input format: the body is not JSON',
    scope: 'This API key may create short links only; use a key that may create pastes',
  },
  link: {
    noun: 'short link',
    id: linkId,
    errors: linkErrors,
    fields: '`url` and `expiresIn`',
    body: json('LinkChange', { url: target }),
    record: json('OwnLinkRecord', {
      success: true,
      link: { id: example.linkId, ...changed, url: target, visits: 12, shortendUrl },
    }),
    malformed: 'Invalid URL format: it must begin with http:// or https://',
    scope: 'This API key may create pastes only; use a key that may create short links',
  },
}

const changesOf = (kind: keyof typeof kinds): Details => {
  const { noun, id, errors: unknown, fields, body, record, malformed, scope } = kinds[kind]
  const name = kind === 'paste' ? 'Paste' : 'Link'
  const common = { tag: 'Items of a key', key: 'header' } as const
  const ofOne = { ...unknown, 401: noKey, 410: `This ${noun} was deleted or has expired`, 503: '' }
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
        409: `This ${noun} is burnt after reading, so it cannot be changed. Create a new one.`,
        412: `This ${noun} was changed meanwhile: it is version 3 now. Read it again before you change it.`,
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
      parameters: [id, version],
      answers: { 200: ['The item as it was', record] },
      errors: {
        ...ofOne,
        410: `Version 1 of this ${noun} is not kept`,
        422: 'The version in the address must be a number from 1',
      },
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

export const changeDetails: Details = { ...changesOf('paste'), ...changesOf('link') }
