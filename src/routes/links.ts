import type { Guard } from './auth.ts'
import { readJsonObject } from './body.ts'
import { sharedResource } from './cors.ts'
import { createLinkPublisher, type LinkPublisherParts } from './publish.ts'
import { json } from './respond.ts'

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
