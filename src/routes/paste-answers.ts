import type { HasteDocument, PublicPaste, StoredPaste } from '../schema.ts'
import type { Counts } from '../services/counts.ts'
import type { Pastes } from '../services/pastes.ts'
import { encoded } from './encoding.ts'
import { dateFacts, expiryFacts } from './format.ts'
import type { HotAnswer } from './hot-lane.ts'
import { limitedPaste, limitedPastePage } from './limited.ts'
import { createPasteRenderer, languageAsked, type PasteRendererParts } from './paste-render.ts'
import { answer, type Prepared, prepare } from './prepared.ts'
import { entityTag, jsonHeaders, negotiated, preferredForm, rawHeaders, revalidate } from './respond.ts'
import { isVisit } from './visits.ts'

export type PasteAnswersParts = PasteRendererParts & { pastes: Pastes; counts: Pick<Counts, 'add'> }

type Answer = (request: Request, paste: StoredPaste) => Response | Promise<Response>
/** Each counts the read, but not what a limited paste answers. */
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
  prepare(new Blob([text]), { headers: { ...rawHeaders, ...negotiated }, etag: entityTag(text) })

/** What everybody may know of a paste who may read it. */
export const publicPaste = (paste: StoredPaste): PublicPaste => {
  const { id, alias, title, description, language, text, maxReads, readsLeft } = paste
  const { createdAt } = dateFacts(paste.createdAt)
  const { expiresAt } = expiryFacts(paste)
  const limit = maxReads === undefined || readsLeft === undefined ? {} : { maxReads, readsLeft }
  const name = alias === undefined ? {} : { alias }
  const common = { id, ...name, title, description, language, text, createdAt }
  return { ...common, ...(expiresAt && { expiresAt }), ...limit }
}

const prepareJson = (paste: StoredPaste) => {
  const body = JSON.stringify(publicPaste(paste))
  return prepare(body, { headers: { ...jsonHeaders, ...negotiated }, etag: entityTag(body) })
}

const prepareHaste = ({ id, text }: StoredPaste) => {
  const body = JSON.stringify({ key: id, data: text } satisfies HasteDocument)
  return prepare(body, { headers: { ...jsonHeaders, ...revalidate }, etag: entityTag(body) })
}

/** What a paste answers, in four forms; of a limited one nothing but how to read it. */
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

  /** @throws {AppError} `forbidden` where it is limited, with what to send */
  const open = (paste: StoredPaste) => {
    if (pastes.isLimited(paste)) throw limitedPaste(paste)
    return paste
  }

  return {
    raw: (request, paste) => raw(request, open(paste)),
    json: (request, paste) => read(request, paste, prepareJson(open(paste))),
    haste: (request, paste) => read(request, paste, prepareHaste(open(paste))),
    page: async (request, paste) => {
      const language = languageAsked(request)
      if (pastes.isLimited(paste)) return limitedPastePage(paste)
      return read(request, paste, await encoded(request, await renderer.render(paste, language)))
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
