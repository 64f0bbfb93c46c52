import type { PublicPaste, StoredPaste } from '../schema.ts'
import type { Pastes } from '../services/pastes.ts'
import { encoded } from './encoding.ts'
import { dateFacts } from './format.ts'
import { createPasteRenderer, type PasteRendererParts } from './paste-render.ts'
import { resource } from './resource.ts'
import {
  conditional,
  entityTag,
  jsonHeaders,
  pageHeaders,
  preferredForm,
  rawHeaders,
  revalidate,
} from './respond.ts'

export type PastePagesParts = PasteRendererParts & { pastes: Pastes }

const negotiated = { ...revalidate, Vary: 'Accept, Accept-Encoding' }

const rawAnswer = (request: Request, paste: StoredPaste) =>
  conditional(request, paste.text, entityTag(paste.text), { ...rawHeaders, ...negotiated })

const jsonAnswer = (request: Request, paste: StoredPaste) => {
  const { id, title, description, language, text } = paste
  const { createdAt } = dateFacts(paste.createdAt)
  const body = JSON.stringify({ id, title, description, language, text, createdAt } satisfies PublicPaste)
  return conditional(request, body, entityTag(body), { ...jsonHeaders, ...negotiated })
}

/** `GET /p/<id>` in three forms, `GET /p/raw/<id>` */
export const pastePages = ({ pastes, ...parts }: PastePagesParts) => {
  const rendered = createPasteRenderer(parts)

  const pageAnswer = async (request: Request, paste: StoredPaste) => {
    const asked = request.url.includes('?') ? new URL(request.url).searchParams.get('lang') : null
    const { bytes, etag, headers } = await encoded(request, await rendered(paste, asked))
    return conditional(request, bytes, etag, { ...pageHeaders, ...negotiated, ...headers })
  }

  const answer = { page: pageAnswer, json: jsonAnswer, raw: rawAnswer }

  return resource('/p/:id', {
    get: async ({ request, params }) => {
      const paste = await pastes.find(params.id ?? '')
      return answer[preferredForm(request)](request, paste)
    },
  }).use(
    resource('/p/raw/:id', {
      get: async ({ request, params }) => rawAnswer(request, await pastes.find(params.id ?? '')),
    }),
  )
}
