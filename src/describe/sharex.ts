import { withHeaders } from './headers.ts'
import { refusalsForAll } from './refusals.ts'
import type { Operation, Operations } from './types.ts'

const uploader = (operationId: string, what: string): Operation => ({
  operationId,
  tags: ['Other clients'],
  summary: `This server as a custom uploader of ShareX, for ${what}`,
  description: 'The API key is put in by hand, in the place of `YOUR_API_KEY`.',
  responses: {
    200: {
      description: 'The file to open with ShareX',
      ...withHeaders('Content-Disposition'),
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    ...refusalsForAll({}),
  },
})

/** What Windows users download. */
export const sharex: Operations = {
  'GET /sharex/paste.sxcu': uploader('sharexPastes', 'pastes'),
  'GET /sharex/link.sxcu': uploader('sharexLinks', 'short links'),
}
