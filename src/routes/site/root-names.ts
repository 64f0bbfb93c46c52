import { escapeText } from '../../highlight/render.ts'
import { redirectHeaders } from '../../http/answers/respond.ts'
import { withPreflight } from '../../http/cors.ts'
import { type Handler, lastResource, resource } from '../../http/resource.ts'
import type { Pastes } from '../../services/pastes.ts'
import { nameOf } from '../../urls.ts'
import { createUpload, nothingHere, type UploadParts } from '../pastes/uploads.ts'

export type RootNamesParts = UploadParts & { pastes: Pick<Pastes, 'find' | 'isId'> }

/** An id as haste clients write it, with an ending that names a language or without. */
export const idOf = (name: string | null | undefined) => name?.split('.')[0] ?? ''

/** `GET /<id>` and `GET /share/<id>`, which haste clients print, lead to the page; `PUT /<name>` uploads. */
export const rootNames = (parts: RootNamesParts) => {
  const { pastes, origin } = parts

  const toPage: Handler = async (context) => {
    const id = idOf(context.params.name)
    if (!pastes.isId(id)) throw nothingHere(context.request)
    const paste = await pastes.find(id)
    // A name that has the shape of an id.
    if (paste.id !== id.toLowerCase()) throw nothingHere(context.request)
    const url = origin.addresses(context).paste(nameOf(paste))
    const headers = { ...redirectHeaders, Location: url }
    return new Response(`<a href="${escapeText(url)}">Found</a>\n`, { status: 302, headers })
  }

  return lastResource('/:name', withPreflight({ get: toPage, put: createUpload(parts) }), nothingHere).use(
    resource('/share/:name', { get: toPage }),
  )
}
