import { codingOf, preferredForm } from '../../http/answers/negotiate.ts'
import {
  answer,
  answerHead,
  answerNotModified,
  codedHeaders,
  codedTag,
  encoded,
  isHeldBy,
  type Prepared,
} from '../../http/answers/prepared.ts'
import { createLending } from '../../http/answers/sharing.ts'
import { isVisit } from '../../http/edge/visits.ts'
import type { Answer } from '../../http/fast-path.ts'
import type { StoredPaste } from '../../items/schema.ts'
import type { Counts } from '../../services/counts.ts'
import type { Pastes } from '../../services/pastes.ts'
import { burningPaste, burningPastePage } from '../items/burn-after-reading.ts'
import { createPasteForms, type Form, formHeaders } from './paste-forms.ts'
import {
  createPasteRenderer,
  languageAsked,
  type PasteRendererParts,
  pastePageHeaders,
} from './paste-render.ts'
import { createPasteTags, type PasteTagsParts, revisionOf } from './paste-tags.ts'
import type { PasteView } from './paste-view.ts'

export type PasteAnswersParts = PasteRendererParts &
  PasteTagsParts & { pastes: Pick<Pastes, 'find' | 'isLimited'>; counts: Pick<Counts, 'add'> }

type AnswerOf = (paste: StoredPaste, request: Request) => Response | Promise<Response>

/** What is known of an answer before it is made, and how it is made. */
type Plan = {
  headers: Readonly<Record<string, string>>
  etag: string
  /** How long the body will be, where that is known. */
  bytes?: number
  make: () => Prepared | Promise<Prepared>
}

/** 244 languages of a paste, each read slowly, would take 2 GB. */
const maxLentBytes = 16 * 1024 ** 2
const mostUncounted = 64 * 1024

const bytesOf = ({ body }: Prepared) => (body as Blob).size

/** An id as haste clients write it, with an ending that names a language or without. */
export const hasteId = (name: string) => name.split('.')[0] ?? ''

/**
 * What a paste answers, in four forms; of one that burns after reading nothing but how to read it. What is in memory is
 * answered in the same turn, without `await`.
 */
export const createPasteAnswers = ({ pastes, counts, program, ...parts }: PasteAnswersParts) => {
  const renderer = createPasteRenderer(parts)
  const forms = createPasteForms()
  const tags = createPasteTags({ program })
  const lend = createLending(maxLentBytes)

  const count = (request: Request, { id }: StoredPaste) => {
    if (isVisit(request)) counts.add('paste', id)
  }

  const read = (request: Request, paste: StoredPaste, prepared: Prepared) => {
    count(request, paste)
    return answer(request, prepared)
  }

  /** Without a body, where the client has it or wants none. */
  const sendHeaders = (request: Request, paste: StoredPaste, { headers, etag, bytes }: Plan) => {
    if (isHeldBy(request, etag)) {
      count(request, paste)
      return answerNotModified(headers, etag)
    }
    return request.method === 'HEAD' ? answerHead(headers, etag, bytes) : undefined
  }

  const send = async (request: Request, paste: StoredPaste, plan: Plan) =>
    sendHeaders(request, paste, plan) ?? read(request, paste, await plan.make())

  const sendForm = (form: Form): AnswerOf => {
    const sendAt = (paste: StoredPaste, request: Request, revision: string) => {
      const finished = forms.find(revision, form)
      if (finished) return read(request, paste, finished)
      const etag = tags.form(revision, form)
      return send(request, paste, {
        headers: formHeaders[form],
        etag,
        ...(form === 'raw' && { bytes: Buffer.byteLength(paste.text) }),
        make: () => forms.make(revision, paste, form, etag),
      })
    }
    return (paste, request) => {
      if (pastes.isLimited(paste)) throw burningPaste(paste)
      const revision = revisionOf(paste)
      return revision instanceof Promise
        ? revision.then((made) => sendAt(paste, request, made))
        : sendAt(paste, request, revision)
    }
  }

  /** A page that few ask for. While too much of those is out, the paste's own, which all share. */
  const sendAsked = async (request: Request, revision: string, { paste }: PasteView, plan: Plan) => {
    const headers = sendHeaders(request, paste, plan)
    if (headers) return headers
    const prepared = await plan.make()
    if (bytesOf(prepared) <= mostUncounted) return read(request, paste, prepared)
    const lent = lend(prepared.body as Blob)
    if (!lent) return sendPageAt(request, revision, { paste, language: paste.language })
    count(request, paste)
    return new Response(lent, prepared.whole)
  }

  const sendPageAt = (request: Request, revision: string, view: PasteView): Response | Promise<Response> => {
    const { paste, language, nearest } = view
    const isShared = language === paste.language && nearest === undefined
    const coding = codingOf(request)
    const body = renderer.find(revision, view)
    const finished = body?.coded[coding]
    if (isShared && finished && !(finished instanceof Promise)) return read(request, paste, finished)
    const etag = tags.page(revision, view)
    const plan: Plan = {
      headers: codedHeaders(pastePageHeaders, coding),
      etag: codedTag(etag, coding),
      make: async () => encoded(request, body ?? (await renderer.render(revision, { ...view, etag }))),
    }
    return isShared ? send(request, paste, plan) : sendAsked(request, revision, view, plan)
  }

  const page: AnswerOf = (paste, request) => {
    const { nearest, language: asked } = languageAsked(request)
    const language = renderer.languageOf(paste, asked)
    if (pastes.isLimited(paste)) return burningPastePage(paste, nearest !== undefined)
    const view = { paste, language, ...(nearest !== undefined && { nearest }) }
    const revision = revisionOf(paste)
    return revision instanceof Promise
      ? revision.then((made) => sendPageAt(request, made, view))
      : sendPageAt(request, revision, view)
  }

  /** By id or name, as `pastes.find` finds it. */
  const found =
    (answerOf: AnswerOf): Answer =>
    (name, request) => {
      const paste = pastes.find(name)
      return paste instanceof Promise
        ? paste.then((found) => answerOf(found, request))
        : answerOf(paste, request)
    }

  const [json, raw, haste] = [sendForm('json'), sendForm('raw'), sendForm('haste')]
  const byForm = { page, json, raw }
  const answerRaw = found(raw)
  const answerHaste = found(haste)
  return {
    /** `GET /p/<name>`, in the form that the client prefers. */
    answerPaste: found((paste, request) => byForm[preferredForm(request)](paste, request)),
    /** `GET /p/raw/<name>` */
    answerRaw,
    /** As clients of hastebin read it: `GET /documents/<id>`, `GET /raw/<id>` */
    answerDocument: (name: string, request: Request) => answerHaste(hasteId(name), request),
    answerRawDocument: (name: string, request: Request) => answerRaw(hasteId(name), request),
  }
}
