import { answer, answerHead, answerNotModified, isHeldBy, type Prepared } from '../../http/answers.ts'
import type { AnswerByName } from '../../http/listen.ts'
import { createLending, tooManyLent } from '../../http/memory.ts'
import { codedHeaders, codedTag, codingOf, encoded, isBrowser, preferredForm } from '../../http/negotiate.ts'
import { isVisit } from '../../http/visits.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { TextPart } from '../../items/text/text-part.ts'
import type { Counts } from '../../services/counts.ts'
import type { Pastes } from '../../services/pastes.ts'
import { burningPaste, burningPastePage } from '../items/burn-after-reading.ts'
import { pageAsked, unfitting } from './page-asked.ts'
import { createPasteForms, type Form, formHeaders } from './paste-forms.ts'
import {
  createPasteRenderer,
  isOfFew,
  type PageAsked,
  type PasteRendererParts,
  pastePageHeaders,
  usualPage,
} from './paste-render.ts'
import { createPasteTags, type PasteTags, type PasteTagsParts, revisionOf } from './paste-view.ts'
import { partAsked, partBody } from './raw-part.ts'

export type PasteAnswersParts = PasteRendererParts &
  PasteTagsParts & { pastes: Pick<Pastes, 'peek' | 'find' | 'isBurning'>; counts: Pick<Counts, 'add'> }

type AnswerOf = (paste: StoredPaste, request: Request) => Response | Promise<Response>

/** The parts of a response that are known before its body is made. */
type Start = {
  headers: Readonly<Record<string, string>>
  etag: string
  /** Length of the body, if known. */
  bytes?: number
}

/** The same, and how to make the body. */
type Plan = Start & { make: () => Prepared | Promise<Prepared> }

/** Sends responses and counts visits. */
const createSender = (counts: Pick<Counts, 'add'>) => {
  const count = (request: Request, { id }: StoredPaste) => {
    if (isVisit(request)) counts.add('paste', id)
  }
  const read = (request: Request, paste: StoredPaste, prepared: Prepared) => {
    count(request, paste)
    return answer(request, prepared)
  }
  /** 304 or the answer to `HEAD`; `undefined` if the client needs the body. */
  const sendHeaders = (request: Request, paste: StoredPaste, { headers, etag, bytes }: Start) => {
    if (isHeldBy(request, etag)) {
      count(request, paste)
      return answerNotModified(headers, etag)
    }
    return request.method === 'HEAD' ? answerHead(headers, etag, bytes) : undefined
  }
  const send = async (request: Request, paste: StoredPaste, plan: Plan) =>
    sendHeaders(request, paste, plan) ?? read(request, paste, await plan.make())
  return { count, read, sendHeaders, send }
}
type Sender = ReturnType<typeof createSender>

/** Passes the revision of a paste on, without a promise if it is known. */
const withRevision =
  (
    answerAt: (paste: StoredPaste, request: Request, revision: string) => Response | Promise<Response>,
  ): AnswerOf =>
  (paste, request) => {
    const revision = revisionOf(paste)
    return revision instanceof Promise
      ? revision.then((made) => answerAt(paste, request, made))
      : answerAt(paste, request, revision)
  }

const createFormAnswers = ({ count, read, sendHeaders, send }: Sender, tags: PasteTags) => {
  const forms = createPasteForms()

  const sendPart = (request: Request, paste: StoredPaste, revision: string, part: TextPart) => {
    const etag = tags.part(revision, part)
    const known = sendHeaders(request, paste, { headers: formHeaders.raw, etag })
    if (known) return known
    count(request, paste)
    return new Response(partBody(paste.text, part), { headers: { ...formHeaders.raw, ETag: etag } })
  }

  return (form: Form) =>
    withRevision((paste, request, revision) => {
      const part = form === 'raw' ? partAsked(request) : undefined
      if (part) return sendPart(request, paste, revision, part)
      const finished = forms.find(revision, form)
      if (finished) return read(request, paste, finished)
      const etag = tags.form(revision, form)
      return send(request, paste, {
        headers: formHeaders[form],
        etag,
        ...(form === 'raw' && { bytes: Buffer.byteLength(paste.text) }),
        make: () => forms.make(revision, paste, form, etag),
      })
    })
}

const createPageAnswer = (
  { count, read, sendHeaders, send }: Sender,
  tags: PasteTags,
  parts: PasteRendererParts,
) => {
  const renderer = createPasteRenderer(parts)
  const lend = createLending()

  /** A page that few clients ask for. While too many are in flight, sends the shared page in the paste's own language. */
  const sendAsked = async (request: Request, { revision, paste, show }: PageAsked, plan: Plan) => {
    const headers = sendHeaders(request, paste, plan)
    if (headers) return headers
    const lent = lend(await plan.make())
    if (!lent && show) throw tooManyLent()
    if (!lent) return sendPage(request, usualPage(paste, revision))
    count(request, paste)
    return lent
  }

  const sendPage = (request: Request, asked: PageAsked): Response | Promise<Response> => {
    const { revision, paste } = asked
    const isShared = isOfFew(asked)
    const coding = codingOf(request)
    const body = renderer.find(asked)
    const finished = body?.coded[coding]
    if (isShared && finished && !(finished instanceof Promise)) return read(request, paste, finished)
    const etag = tags.page(revision, asked)
    const plan: Plan = {
      headers: codedHeaders(pastePageHeaders, coding),
      etag: codedTag(etag, coding),
      make: async () => encoded(request, body ?? (await renderer.render(asked, etag))),
    }
    return isShared ? send(request, paste, plan) : sendAsked(request, asked, plan)
  }

  return withRevision((paste, request, revision) => {
    if (!request.url.includes('?')) return sendPage(request, usualPage(paste, revision))
    const asked = renderer.askedOf(request, paste, revision)
    if (asked.ignored && !isBrowser(request)) throw unfitting(asked.ignored, asked.language)
    return sendPage(request, asked)
  })
}

/** The id in an address of a haste client, which may end in a language, such as `.js`. */
export const hasteId = (name: string) => name.split('.')[0] ?? ''

/**
 * Serves a paste in four forms. For one that burns after reading, it only says how to read it. Answers from memory are
 * sent in the same turn, without `await`.
 */
export const createPasteAnswers = ({ pastes, counts, ...parts }: PasteAnswersParts) => {
  const sender = createSender(counts)
  const tags = createPasteTags(parts)
  const formAnswer = createFormAnswers(sender, tags)
  const pageAnswer = createPageAnswer(sender, tags, parts)

  const sendForm = (form: Form): AnswerOf => {
    const answerForm = formAnswer(form)
    return (paste, request) => {
      if (pastes.isBurning(paste)) throw burningPaste(paste)
      return answerForm(paste, request)
    }
  }
  const page: AnswerOf = (paste, request) =>
    pastes.isBurning(paste)
      ? burningPastePage(parts.siteAt, paste, pageAsked(request).problem !== undefined)
      : pageAnswer(paste, request)

  /** Looks the paste up by id or name. */
  const found =
    (answerOf: AnswerOf): AnswerByName =>
    (name, request) => {
      const paste = pastes.peek(name)
      return paste ? answerOf(paste, request) : pastes.find(name).then((found) => answerOf(found, request))
    }

  const [json, raw, haste] = [sendForm('json'), sendForm('raw'), sendForm('haste')]
  const byForm = { page, json, raw }
  const [answerRaw, answerHaste] = [found(raw), found(haste)]
  return {
    /** `GET /p/<name>`, in the form that the client prefers. */
    answerPaste: found((paste, request) => byForm[preferredForm(request)](paste, request)),
    /** `GET /p/raw/<name>` */
    answerRaw,
    /** `GET /documents/<id>` and `GET /raw/<id>`, for clients of hastebin. */
    answerDocument: (name: string, request: Request) => answerHaste(hasteId(name), request),
    answerRawDocument: (name: string, request: Request) => answerRaw(hasteId(name), request),
  }
}
