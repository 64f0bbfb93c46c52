import { withHeaders } from '../headers.ts'
import { example, html, ifNoneMatch, json, pathParameter, textual, withAnyKey } from '../parts.ts'
import { refusalsForAll, refusalsInJson } from '../refusals.ts'
import type { Operation, Operations } from '../types.ts'
import { limitedRefusals } from './limited.ts'
import { uploaded, uploadParameters, uploadRefusals } from './uploads.ts'

const tags = ['Other clients'] as const

const refusals = { 404: 'There is no paste at this address', 410: '' }

const named = (name: string) =>
  pathParameter({
    name,
    description: 'Id of the paste; an ending such as `.py` does not matter',
    example: example.pasteId,
  })

const toPage = (operationId: string, summary: string): Operation => ({
  operationId,
  tags,
  summary,
  parameters: [named('name')],
  responses: {
    302: { description: 'The address of the page', ...withHeaders('Location'), content: html },
    ...refusalsForAll(refusals),
  },
})

/** The API of hastebin, and the addresses that its clients print. */
export const haste: Operations = {
  'POST /documents': {
    operationId: 'createDocument',
    tags,
    summary: 'Create a paste, as hastebin does',
    description:
      'The body is the text, of any type and in UTF-8. A key may also come as `Bearer` or `Basic`.',
    ...withAnyKey,
    parameters: uploadParameters,
    requestBody: { required: true, content: uploaded },
    responses: {
      200: {
        description: 'The paste is on disk',
        ...withHeaders('Deletion-Url'),
        content: json('HasteCreated', { key: example.pasteId }),
      },
      ...refusalsInJson(uploadRefusals),
    },
  },

  'GET /documents/{id}': {
    operationId: 'readDocument',
    tags,
    summary: 'Read a paste, as hastebin does',
    parameters: [named('id'), ifNoneMatch],
    responses: {
      200: {
        description: 'The paste',
        ...withHeaders('ETag'),
        content: json('HasteDocument', { key: example.pasteId, data: 'console.log(1)\n' }),
      },
      304: { description: 'The client has it already', ...withHeaders('ETag') },
      ...refusalsForAll({ ...refusals, 403: limitedRefusals.paste }),
    },
  },

  'GET /raw/{id}': {
    operationId: 'readRawDocument',
    tags,
    summary: 'Read the text of a paste alone, as hastebin does',
    parameters: [named('id'), ifNoneMatch],
    responses: {
      200: { description: 'The text', ...withHeaders('ETag', 'Vary'), content: textual('text/plain') },
      304: { description: 'The client has it already', ...withHeaders('ETag', 'Vary') },
      ...refusalsForAll({ ...refusals, 403: limitedRefusals.paste }),
    },
  },

  'GET /{name}': toPage('findByName', 'Go to the page of a paste, from where clients of hastebin expect it'),
  'GET /share/{name}': toPage('findShared', 'Go to the page of a paste, from where other clients expect it'),
}
