import type { HasteDocument, PublicPaste, StoredPaste } from '../schema.ts'
import type { Counts } from '../services/counts.ts'
import type { Pastes } from '../services/pastes.ts'
import { encoded } from './encoding.ts'
import { dateFacts, expiryFacts } from './format.ts'
import type { HotAnswer } from './hot-lane.ts'
import { createPasteRenderer, type PasteRendererParts } from './paste-render.ts'
import { answer, type Prepared, prepare } from './prepared.ts'
import { entityTag, jsonHeaders, negotiated, preferredForm, rawHeaders, revalidate } from './respond.ts'
import { isVisit } from './visits.ts'

export type PasteAnswersParts = PasteRendererParts & { pastes: Pastes; counts: Pick<Counts, 'add'> }

type Answer = (request: Request, paste: StoredPaste) => Response | Promise<Response>
/** Each counts the read. */
export type PasteAnswers = {
  page: Answer
  json: Answer
  raw: Answer
  /** As clients of hastebin read it. */
  haste: Answer
  hot: HotAnswer
  hotRaw: HotAnswer
}

const prepareRaw = ({ text }: StoredPaste) =>
  prepare(text, { headers: { ...rawHeaders, ...negotiated }, etag: entityTag(text) })

const prepareJson = (paste: StoredPaste) => {
  const { id, title, description, language, text } = paste
  const { createdAt } = dateFacts(paste.createdAt)
  const { expiresAt } = expiryFacts(paste)
  const shown = { id, title, description, language, text, createdAt, ...(expiresAt && { expiresAt }) }
  const body = JSON.stringify(shown satisfies PublicPaste)
  return prepare(body, { headers: { ...jsonHeaders, ...negotiated }, etag: entityTag(body) })
}

const prepareHaste = ({ id, text }: StoredPaste) => {
  const body = JSON.stringify({ key: id, data: text } satisfies HasteDocument)
  return prepare(body, { headers: { ...jsonHeaders, ...revalidate }, etag: entityTag(body) })
}

/** What a paste answers, in four forms. */
export const createPasteAnswers = ({ pastes, counts, ...parts }: PasteAnswersParts): PasteAnswers => {
  const renderer = createPasteRenderer(parts)
  const raws = new WeakMap<StoredPaste, Prepared>()

  const read = (request: Request, { id }: StoredPaste, prepared: Prepared) => {
    if (isVisit(request)) counts.add('paste', id)
    return answer(request, prepared)
  }

  const raw = (request: Request, paste: StoredPaste) => {
    const known = raws.get(paste)
    if (known) return read(request, paste, known)
    const made = prepareRaw(paste)
    raws.set(paste, made)
    return read(request, paste, made)
  }

  return {
    raw,
    json: (request, paste) => read(request, paste, prepareJson(paste)),
    haste: (request, paste) => read(request, paste, prepareHaste(paste)),
    page: async (request, paste) => {
      const asked = request.url.includes('?') ? new URL(request.url).searchParams.get('lang') : null
      return read(request, paste, await encoded(request, await renderer.render(paste, asked)))
    },
    hotRaw: (id, request) => {
      const paste = pastes.peek(id)
      return paste && raw(request, paste)
    },
    hot: (id, request) => {
      const paste = pastes.peek(id)
      const page = paste && preferredForm(request) === 'page' && renderer.peek(paste)
      const body = page && encoded(request, page)
      return body && !(body instanceof Promise) ? read(request, paste, body) : undefined
    },
  }
}
