import { json } from '../../http/answers/respond.ts'
import type { Guard } from '../../http/auth.ts'
import { readJsonObject } from '../../http/body/body.ts'
import { sharedResource } from '../../http/cors.ts'
import { createLinkPublisher, type LinkPublisherParts } from '../items/publish.ts'

export type LinkRoutesParts = LinkPublisherParts & { guard: Guard }

/** An address of 8,192 characters, escaped as JSON may, takes 48 KiB; fields beside it are ignored. */
const maxBodyBytes = 1024 ** 2

/** `POST /shortener` */
export const linkRoutes = ({ guard, ...parts }: LinkRoutesParts) => {
  const publish = createLinkPublisher(parts)
  return sharedResource('/shortener', {
    post: async (context) => {
      const { name } = await guard(context.request.headers.get('key'), 'shorten')
      const body = await readJsonObject(context.request, maxBodyBytes)
      const { answer } = await publish(context, body, name)
      return json(answer, 201, { Location: answer.shortendUrl })
    },
  })
}
