import { createLending } from '../../http/answers/lending.ts'
import { codedHeaders, codedTag, codingOf, encoded, preferredForm } from '../../http/answers/negotiate.ts'
import {
  answer,
  answerHead,
  answerNotModified,
  isHeldBy,
  type Prepared,
} from '../../http/answers/prepared.ts'
import { isVisit } from '../../http/edge/visits.ts'
import type { Answer } from '../../http/fast-path.ts'
import type { StoredPaste } from '../../items/paste.ts'
import type { Counts } from '../../services/counts.ts'
import type { Pastes } from '../../services/pastes.ts'
import { burningPaste, burningPastePage } from '../items/burn-after-reading.ts'
import { createPasteForms, type Form, formHeaders } from './paste-forms.ts'
import {
  createPasteRenderer,
  languageAsked,
  type PageAsked,
  type PasteRendererParts,
  pastePageHeaders,
} from './paste-render.ts'
import { createPasteTags, type PasteTags, type PasteTagsParts, revisionOf } from './paste-view.ts'

export type PasteAnswersParts = PasteRendererParts &
  PasteTagsParts & { pastes: Pick<Pastes, 'find' | 'isBurning'>; counts: Pick<Counts, 'add'> }

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

/** Answers readers and counts them. */
const createSender = (counts: Pick<Counts, 'add'>) => {
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
  return { count, read, sendHeaders, send }
}
type Sender = ReturnType<typeof createSender>

/** Answers by the revision of a paste, at once where it is known. */
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

const createFormAnswers = ({ read, send }: Sender, tags: PasteTags) => {
  const forms = createPasteForms()
  return (form: Form) =>
    withRevision((paste, request, revision) => {
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
  const lend = createLending(maxLentBytes)

  /** A page that few ask for. While too much of those is out, the paste's own, which all share. */
  const sendAsked = async (request: Request, { revision, paste }: PageAsked, plan: Plan) => {
    const headers = sendHeaders(request, paste, plan)
    if (headers) return headers
    const prepared = await plan.make()
    if (bytesOf(prepared) <= mostUncounted) return read(request, paste, prepared)
    const lent = lend(prepared.body as Blob)
    if (!lent) return sendPage(request, { revision, paste, language: paste.language })
    count(request, paste)
    return new Response(lent, prepared.whole)
  }

  const sendPage = (request: Request, asked: PageAsked): Response | Promise<Response> => {
    const { revision, paste, language, nearest } = asked
    const isShared = language === paste.language && nearest === undefined
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
    const { nearest, language } = languageAsked(request)
    const asked = { revision, paste, language: renderer.languageOf(paste, language) }
    return sendPage(request, nearest === undefined ? asked : { ...asked, nearest })
  })
}

/** An id as haste clients write it, with an ending that names a language or without. */
export const hasteId = (name: string) => name.split('.')[0] ?? ''

/**
 * What a paste answers, in four forms; of one that burns after reading nothing but how to read it. What is in memory is
 * answered in the same turn, without `await`.
 */
export const createPasteAnswers = ({ pastes, counts, program, ...parts }: PasteAnswersParts) => {
  const sender = createSender(counts)
  const tags = createPasteTags({ program })
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
      ? burningPastePage(paste, languageAsked(request).nearest !== undefined)
      : pageAnswer(paste, request)

  /** By id or name. */
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
  const [answerRaw, answerHaste] = [found(raw), found(haste)]
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
