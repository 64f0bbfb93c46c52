import type { Log } from '../log.ts'
import type { Pastes } from '../services/pastes.ts'
import type { Guard } from './auth.ts'
import { readJsonObject } from './body.ts'
import type { Origin } from './origin.ts'
import { resource } from './resource.ts'
import { json } from './respond.ts'

export type PasteRoutesParts = {
  pastes: Pastes
  guard: Guard
  origin: Origin
  log: Log
  maxBodyBytes: number
}

/** `POST /paste` */
export const pasteRoutes = ({ pastes, guard, origin, log, maxBodyBytes }: PasteRoutesParts) =>
  resource('/paste', {
    post: async (context) => {
      const { name } = await guard(context.request.headers.get('key'))
      const body = await readJsonObject(context.request, maxBodyBytes)
      const { item, deletionKey } = await pastes.create(body, name)
      log('info', 'paste created', { id: item.id, owner: name, client: origin.client(context) })
      const addresses = origin.addresses(context)
      const pasteUrl = addresses.paste(item.id)
      return json(
        {
          success: true,
          message: 'Paste created',
          pasteUrl,
          rawUrl: addresses.rawPaste(item.id),
          deletionUrl: addresses.pasteDeletion(deletionKey),
        },
        201,
        { Location: pasteUrl },
      )
    },
  })
