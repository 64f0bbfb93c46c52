import { nameOf } from '../../format.ts'
import { escapeText } from '../../highlight/show-text.ts'
import { redirectHeaders } from '../../http/answers.ts'
import type { Origin } from '../../http/origin.ts'
import { type NamedContext, nothingHere } from '../../http/routes.ts'
import type { Pastes } from '../../services/pastes.ts'
import { hasteId } from '../pastes/answer-paste.ts'

export type RootNamesParts = { pastes: Pick<Pastes, 'find' | 'isId'>; origin: Origin }

/** `GET /<id>` and `GET /share/<id>`, which haste clients print, redirect to the page. */
export const createRootNames =
  ({ pastes, origin }: RootNamesParts) =>
  async ({ name, request, server }: NamedContext) => {
    const id = hasteId(name)
    if (!pastes.isId(id)) throw nothingHere(request)
    const paste = await pastes.find(id)
    // An alias with the shape of an id.
    if (paste.id !== id.toLowerCase()) throw nothingHere(request)
    const url = origin.addresses({ request, server }).paste(nameOf(paste))
    const headers = { ...redirectHeaders, Location: url }
    return new Response(`<a href="${escapeText(url)}">Found</a>\n`, { status: 302, headers })
  }
