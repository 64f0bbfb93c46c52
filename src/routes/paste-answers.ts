import type { PublicPaste, StoredPaste } from '../schema.ts'
import type { Pastes } from '../services/pastes.ts'
import { encoded } from './encoding.ts'
import { dateFacts } from './format.ts'
import type { HotAnswer } from './hot-lane.ts'
import { createPasteRenderer, type PasteRendererParts } from './paste-render.ts'
import { answer, type Prepared, prepare } from './prepared.ts'
import { entityTag, jsonHeaders, negotiated, preferredForm, rawHeaders } from './respond.ts'

export type PasteAnswersParts = PasteRendererParts & { pastes: Pastes }

type Answer = (request: Request, paste: StoredPaste) => Response | Promise<Response>
export type PasteAnswers = {
  page: Answer
  json: Answer
  raw: Answer
  hot: HotAnswer
  hotRaw: HotAnswer
}

const prepareRaw = ({ text }: StoredPaste) =>
  prepare(text, { headers: { ...rawHeaders, ...negotiated }, etag: entityTag(text) })

const json: Answer = (request, paste) => {
  const { id, title, description, language, text } = paste
  const { createdAt } = dateFacts(paste.createdAt)
  const body = JSON.stringify({ id, title, description, language, text, createdAt } satisfies PublicPaste)
  return answer(request, prepare(body, { headers: { ...jsonHeaders, ...negotiated }, etag: entityTag(body) }))
}

/** What a paste answers, in three forms. */
export const createPasteAnswers = ({ pastes, ...parts }: PasteAnswersParts): PasteAnswers => {
  const renderer = createPasteRenderer(parts)
  const raws = new WeakMap<StoredPaste, Prepared>()

  const raw = (request: Request, paste: StoredPaste) => {
    const known = raws.get(paste)
    if (known) return answer(request, known)
    const made = prepareRaw(paste)
    raws.set(paste, made)
    return answer(request, made)
  }

  return {
    raw,
    json,
    page: async (request, paste) => {
      const asked = request.url.includes('?') ? new URL(request.url).searchParams.get('lang') : null
      return answer(request, await encoded(request, await renderer.render(paste, asked)))
    },
    hotRaw: (id, request) => {
      const paste = pastes.peek(id)
      return paste && raw(request, paste)
    },
    hot: (id, request) => {
      const paste = pastes.peek(id)
      const page = paste && preferredForm(request) === 'page' && renderer.peek(paste)
      const body = page && encoded(request, page)
      return body && !(body instanceof Promise) ? answer(request, body) : undefined
    },
  }
}
