import { example, html, json, queryParameter } from '../parts.ts'
import { refusalsForAll } from '../refusals.ts'
import type { Operation, Operations } from '../types.ts'

const tags = ['Deleting'] as const
const needsKey = 'The query parameter "key" with a deletion key is missing'

const deletion = (kind: 'paste' | 'short link', name: 'Paste' | 'Link', deletionKey: string) => {
  const parameters = [
    queryParameter({
      name: 'key',
      description: 'The deletion key, as it stands in `deletionUrl`; no API key is needed',
      schema: { type: 'string', minLength: 1 },
      example: deletionKey,
    }),
  ]
  const other = kind === 'paste' ? 'a link, not a paste' : 'a paste, not a link'
  const unknown = `This deletion key belongs to no ${kind}: it is mistyped or cut short, or belongs to ${other}`
  const refusals = { 404: unknown, 410: `This ${kind} was already deleted or has expired`, 422: needsKey }
  const done = json('Done', { success: true, message: `The ${kind} was deleted` })

  const erase = (operationId: string, method: string, content: typeof done): Operation => ({
    operationId,
    tags,
    summary: `Delete a ${kind}, with ${method}`,
    parameters,
    responses: {
      200: { description: 'It is deleted, and that is on disk', content },
      ...refusalsForAll({ ...refusals, 503: '', 507: '' }),
    },
  })

  const show: Operation = {
    operationId: `show${name}Deletion`,
    tags,
    summary: `See which ${kind} would be deleted`,
    description:
      'Changes nothing: previews and scanners fetch links. Only a client that asks for `text/html` gets the page, with a button.',
    parameters,
    responses: {
      200: { description: 'A page with a button that deletes', content: html },
      ...refusalsForAll({
        ...refusals,
        405: 'GET changes nothing. Send POST or DELETE to this address to delete.',
      }),
    },
  }
  return {
    show,
    post: erase(`post${name}Deletion`, 'POST', { ...done, ...html }),
    delete: erase(`delete${name}`, 'DELETE', done),
  }
}

const paste = deletion('paste', 'Paste', example.pasteDeletionKey)
const link = deletion('short link', 'Link', example.linkDeletionKey)

/** The deletion key is the permission. */
export const deleting: Operations = {
  'DELETE /paste/delete': paste.delete,
  'POST /paste/delete': paste.post,
  'GET /paste/delete': paste.show,
  'DELETE /shortener/delete': link.delete,
  'POST /shortener/delete': link.post,
  'GET /shortener/delete': link.show,
}
