import { optionalHeaders, withHeaders } from '../headers.ts'
import { examplePaste, html, ifNoneMatch, json, languageAsked, linkId, pasteId, textual } from '../parts.ts'
import { refusalsForAll } from '../refusals.ts'
import type { Operations } from '../types.ts'
import { limitedRefusals } from './limited.ts'

const tags = ['Reading'] as const

const known = { description: 'The client has it already', ...withHeaders('ETag', 'Vary') }

const pasteRefusals = {
  403: limitedRefusals.paste,
  404: 'There is no paste at this address',
  410: '',
}
const linkRefusals = {
  404: 'There is no short link at this address',
  410: 'This short link was deleted or has expired',
}

/** What everybody who has a link may read. */
export const reading: Operations = {
  'GET /p/{id}': {
    operationId: 'readPaste',
    tags,
    summary: 'Read a paste',
    description:
      'As a page, as JSON or as plain text: the `Accept` header chooses, and a page is the rule. Of a limited paste there is only a page with a button that sends `POST`.',
    parameters: [pasteId, languageAsked, ifNoneMatch],
    responses: {
      200: {
        description: 'The paste; or, without these headers, the page of a limited one',
        ...optionalHeaders('ETag', 'Vary', 'Content-Encoding'),
        content: {
          ...html,
          ...json('PublicPaste', examplePaste),
          ...textual('text/plain'),
        },
      },
      304: { ...known, ...withHeaders('ETag', 'Vary', 'Content-Encoding') },
      ...refusalsForAll({
        ...pasteRefusals,
        422: '"lang" is not a known language; the nearest one is "python"',
      }),
    },
  },

  'GET /p/raw/{id}': {
    operationId: 'readRawPaste',
    tags,
    summary: 'Read the text of a paste alone',
    description: 'The very bytes that were sent.',
    parameters: [pasteId, ifNoneMatch],
    responses: {
      200: { description: 'The text', ...withHeaders('ETag', 'Vary'), content: textual('text/plain') },
      304: known,
      ...refusalsForAll(pasteRefusals),
    },
  },

  'GET /s/{id}': {
    operationId: 'followLink',
    tags,
    summary: 'Follow a short link',
    description: 'No cache may keep the answer, so that a deleted link stops working at once.',
    parameters: [linkId],
    responses: {
      200: {
        description: 'For browsers, the page of a limited link, with a button that follows it',
        content: html,
      },
      302: { description: 'The address it goes to', ...withHeaders('Location'), content: html },
      ...refusalsForAll({ 403: limitedRefusals.link, ...linkRefusals }),
    },
  },

  'GET /s/{id}+': {
    operationId: 'previewLink',
    tags,
    summary: 'See where a short link goes, without going there',
    parameters: [linkId],
    responses: {
      200: {
        description:
          'A page that shows the address, and how often it was followed; or that the link is limited',
        content: html,
      },
      ...refusalsForAll(linkRefusals),
    },
  },
}
