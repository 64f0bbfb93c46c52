import type { PasteCreated } from '../schema.ts'
import type { Guard } from './auth.ts'
import { readJsonObject } from './body.ts'
import { sharedResource } from './cors.ts'
import { createPublisher, type PublisherParts } from './publish.ts'
import { json } from './respond.ts'

export type PasteRoutesParts = PublisherParts & { guard: Guard; maxBodyBytes: number }

/** `POST /paste` */
export const pasteRoutes = ({ guard, maxBodyBytes, ...parts }: PasteRoutesParts) => {
  const publish = createPublisher(parts)
  return sharedResource('/paste', {
    post: async (context) => {
      const { name } = await guard(context.request.headers.get('key'), 'paste')
      const body = await readJsonObject(context.request, maxBodyBytes)
      const { id: _, ...created } = await publish(context, body, name)
      const answer: PasteCreated = { success: true, message: 'Paste created', ...created }
      return json(answer, 201, { Location: created.pasteUrl })
    },
  })
}
