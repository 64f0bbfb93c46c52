import type { Addresses } from '../../urls.ts'
import { example, json, linkId, optionalQuery, pasteId, withKey } from '../parts.ts'
import { refusalsInJson } from '../refusals.ts'
import type { Content, Operation, Operations, Parameter } from '../types.ts'

const tags = ['Own items'] as const
const noKey = 'The header "key" with an API key is missing'
const exampleCursor = 'MTcwMDAwMDAwMDAwMC43eTg0dHl0NWVj'

const paging = [
  optionalQuery({
    name: 'limit',
    description: 'How many items at most, from 1 to 200; 50 when left out',
    schema: { type: 'integer', minimum: 1, maximum: 200 },
    example: '50',
  }),
  optionalQuery({
    name: 'after',
    description: '`after` of the page before; the newest items when left out',
    example: exampleCursor,
  }),
]

type Kind = {
  noun: string
  plural: string
  /** In names of operations. */
  name: 'Paste' | 'Link'
  id: Parameter
  list: Content
  record: Content
}

const operations = ({ noun, plural, name, id, list, record }: Kind) => {
  const unknown = {
    404: `There is no ${noun} at this address`,
    410: `This ${noun} was deleted or has expired`,
  }
  const show: Operation = {
    operationId: `getOwn${name}`,
    tags,
    summary: `Read a ${noun} that the key made`,
    ...withKey,
    parameters: [id],
    responses: {
      200: { description: 'The whole record', content: record },
      ...refusalsInJson({ 401: noKey, ...unknown, 503: '' }),
    },
  }
  const erase: Operation = {
    operationId: `deleteOwn${name}`,
    tags,
    summary: `Delete a ${noun} that the key made`,
    ...withKey,
    parameters: [id],
    responses: {
      200: {
        description: 'It is deleted, and that is on disk',
        content: json('Done', { success: true, message: `The ${noun} was deleted` }),
      },
      ...refusalsInJson({ 401: noKey, ...unknown, 503: '', 507: '' }),
    },
  }
  const listing: Operation = {
    operationId: `listOwn${name}s`,
    tags,
    summary: `List the ${noun}s that the key made`,
    description: 'Newest first. A new key of the same name shows what the old one made.',
    ...withKey,
    parameters: paging,
    responses: {
      200: { description: 'A page of them', content: list },
      ...refusalsInJson({ 401: noKey, 422: '"limit" must be a number from 1 to 200', 503: '', 507: '' }),
    },
  }
  return {
    [`GET /${plural}`]: listing,
    [`GET /${plural}/{id}`]: show,
    [`DELETE /${plural}/{id}`]: erase,
  }
}

/** Which key a request brings. */
const showKey: Operation = {
  operationId: 'getKey',
  tags,
  summary: 'Say which API key this is',
  description: 'Checks a key without creating anything: its name, and what it is limited to.',
  ...withKey,
  responses: {
    200: {
      description: 'The key is valid',
      content: json('KeyFacts', {
        success: true,
        name: 'laptop',
        only: 'paste',
        rate: { requests: 10, seconds: 60 },
        expiresAt: '2027-02-19T09:30:00.000Z',
      }),
    },
    ...refusalsInJson({ 401: noKey }),
  },
}

/** What a key made, for that key. */
export const ownItems = (addresses: Addresses): Operations => {
  const createdAt = '2024-02-29T12:30:00.005Z'
  const heading = {
    title: 'Hello',
    description: 'A first paste',
    language: 'javascript',
    bytes: 15,
    reads: 3,
  }
  const pasteUrls = {
    pasteUrl: addresses.paste(example.pasteId),
    rawUrl: addresses.rawPaste(example.pasteId),
  }
  const paste = { id: example.pasteId, createdAt, ...heading, ...pasteUrls }
  const link = {
    id: example.linkId,
    createdAt,
    url: 'https://example.org/a/long/address?with=query',
    visits: 12,
    shortendUrl: addresses.link(example.linkId),
  }
  const owner = 'default'
  return {
    'GET /key': showKey,
    ...operations({
      noun: 'paste',
      plural: 'pastes',
      name: 'Paste',
      id: pasteId,
      list: json('OwnPastes', { success: true, pastes: [paste], after: exampleCursor }),
      record: json('OwnPasteRecord', { success: true, paste: { ...paste, owner, text: 'console.log(1)\n' } }),
    }),
    ...operations({
      noun: 'short link',
      plural: 'links',
      name: 'Link',
      id: linkId,
      list: json('OwnLinks', { success: true, links: [link], after: null }),
      record: json('OwnLinkRecord', { success: true, link: { ...link, owner } }),
    }),
  }
}
