import { json } from '../../http/answers/respond.ts'
import type { Guard } from '../../http/auth.ts'
import { bodyLimit, readJsonObject } from '../../http/body/body.ts'
import { sharedResource } from '../../http/cors.ts'
import { createPublisher, type PublisherParts } from '../items/publish.ts'

export type PasteRoutesParts = PublisherParts & { guard: Guard; maxPasteBytes: number }

/** `POST /paste` */
export const pasteRoutes = ({ guard, maxPasteBytes, ...parts }: PasteRoutesParts) => {
  const publish = createPublisher(parts)
  const maxBodyBytes = bodyLimit(maxPasteBytes)
  return sharedResource('/paste', {
    post: async (context) => {
      const { name } = await guard(context.request.headers.get('key'), 'paste')
      const body = await readJsonObject(context.request, maxBodyBytes)
      const { answer } = await publish(context, body, name)
      return json(answer, 201, { Location: answer.pasteUrl })
    },
  })
}
