import type { Log } from '../log.ts'
import type { LinkCreated } from '../schema.ts'
import type { Links } from '../services/links.ts'
import { nameOf } from '../urls.ts'
import type { Guard } from './auth.ts'
import { readJsonObject } from './body.ts'
import { sharedResource } from './cors.ts'
import { expiryAnswer } from './format.ts'
import type { Origin } from './origin.ts'
import { json } from './respond.ts'

export type LinkRoutesParts = { links: Links; guard: Guard; origin: Origin; log: Log }

/** An address of 8,192 characters, escaped as JSON may, takes 48 KiB; fields beside it are ignored. */
const maxBodyBytes = 1024 ** 2

/** `POST /shortener` */
export const linkRoutes = ({ links, guard, origin, log }: LinkRoutesParts) =>
  sharedResource('/shortener', {
    post: async (context) => {
      const { name } = await guard(context.request.headers.get('key'), 'shorten')
      const body = await readJsonObject(context.request, maxBodyBytes)
      const addresses = origin.addresses(context)
      const { item, deletionKey } = await links.create(body, name, addresses.isOwnLink)
      log('info', 'short link created', { id: item.id, owner: name, client: origin.client(context) })
      const shortendUrl = addresses.link(nameOf(item))
      return json(
        {
          success: true,
          message: 'Short link created',
          shortendUrl,
          deletionUrl: addresses.linkDeletion(deletionKey),
          ...expiryAnswer(body, item),
          ...(item.maxVisits !== undefined && { maxVisits: item.maxVisits }),
        } satisfies LinkCreated,
        201,
        { Location: shortendUrl },
      )
    },
  })
