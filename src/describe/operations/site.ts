import type { Addresses } from '../../urls.ts'
import { withHeaders } from '../headers.ts'
import { html, ifNoneMatch, json, linkId, pasteId, pathParameter, textual } from '../parts.ts'
import { refusalsForAll } from '../refusals.ts'
import type { Operations } from '../types.ts'
import { startPage } from './start-page.ts'

const tags = ['Pages and files'] as const

const picture = { description: 'The QR code', content: textual('image/svg+xml') }

/** What browsers use. */
export const site = (addresses: Addresses): Operations => ({
  ...startPage(addresses),
  'GET /qr/p/{id}': {
    operationId: 'pasteQrCode',
    tags,
    summary: 'The address of a paste as a QR code',
    parameters: [pasteId],
    responses: { 200: picture, ...refusalsForAll({ 404: 'There is no paste at this address', 410: '' }) },
  },
  'GET /qr/s/{id}': {
    operationId: 'linkQrCode',
    tags,
    summary: 'The address of a short link as a QR code',
    parameters: [linkId],
    responses: {
      200: picture,
      ...refusalsForAll({
        404: 'There is no short link at this address',
        410: 'This short link was deleted or has expired',
      }),
    },
  },
  'GET /assets/{name}': {
    operationId: 'readAsset',
    tags,
    summary: 'A style sheet, script, icon or list of the pages',
    description: 'The name holds the hash of the content, so it may be kept for ever.',
    parameters: [
      pathParameter({ name: 'name', description: 'Name with hash', example: 'style-2k6v1ko3f1x0p.css' }),
      ifNoneMatch,
    ],
    responses: {
      200: {
        description: 'The file',
        ...withHeaders('ETag', 'Vary', 'Content-Encoding'),
        content: textual('text/css', 'text/javascript', 'application/json', 'image/svg+xml'),
      },
      304: {
        description: 'The client has it already',
        ...withHeaders('ETag', 'Vary', 'Content-Encoding'),
      },
      ...refusalsForAll({ 404: 'There is no such asset' }),
    },
  },
  'GET /docs': {
    operationId: 'readDocs',
    tags,
    summary: 'This description as a page',
    description: 'With a filter, and at its end the list of languages: `/docs#languages`.',
    responses: {
      200: { description: 'The page', ...withHeaders('Vary', 'Content-Encoding'), content: html },
      ...refusalsForAll({}),
    },
  },
  'GET /openapi.json': {
    operationId: 'readDescription',
    tags,
    summary: 'This description for programs',
    responses: {
      200: {
        description: 'OpenAPI 3.1',
        ...withHeaders('Vary', 'Content-Encoding'),
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      ...refusalsForAll({}),
    },
  },
})

/** What watches the server. */
export const health: Operations = {
  'GET /healthz': {
    operationId: 'isAlive',
    tags: ['Health'],
    summary: 'Whether the server answers',
    responses: {
      200: { description: 'It does', content: json('Done', { success: true, message: 'Alive' }) },
      ...refusalsForAll({}),
    },
  },
  'GET /readyz': {
    operationId: 'isReady',
    tags: ['Health'],
    summary: 'Whether the last write reached the disk',
    responses: {
      200: { description: 'It did', content: json('Done', { success: true, message: 'Ready' }) },
      ...refusalsForAll({ 503: 'The last write failed' }),
    },
  },
}
