import { codedHeaders, codedTag, codingOf, encoded } from '../../http/answers/encoding.ts'
import { createLending } from '../../http/answers/lending.ts'
import {
  answer,
  answerHead,
  answerNotModified,
  isHeldBy,
  type Prepared,
} from '../../http/answers/prepared.ts'
import { preferredForm } from '../../http/answers/respond.ts'
import { isVisit } from '../../http/edge/visits.ts'
import type { HotAnswer } from '../../http/hot-lane.ts'
import { limitedPaste, limitedPastePage } from '../../http/limited.ts'
import type { StoredPaste } from '../../items/schema.ts'
import type { Counts } from '../../services/counts.ts'
import type { Pastes } from '../../services/pastes.ts'
import { createPasteForms, type Form, formHeaders } from './page/paste-forms.ts'
import {
  createPasteRenderer,
  languageAsked,
  type PageAsked,
  type PasteRendererParts,
  pastePageHeaders,
} from './page/paste-render.ts'
import { revisionOf } from './page/paste-revision.ts'
import { createPasteTags, type PasteTagsParts } from './page/paste-tags.ts'

export type PasteAnswersParts = PasteRendererParts &
  PasteTagsParts & { pastes: Pastes; counts: Pick<Counts, 'add'> }

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

/** What is known of an answer before it is made, and how it is made. */
type Plan = {
  headers: Readonly<Record<string, string>>
  etag: string
  finished: Prepared | undefined
  /** How long the body will be, where that is known. */
  bytes?: number
  make: () => Prepared | Promise<Prepared>
}

/** 244 languages of a paste, each read slowly, would take 2 GB. */
const maxLentBytes = 16 * 1024 ** 2
const mostUncounted = 64 * 1024

const bytesOf = ({ body }: Prepared) => (body as Blob).size

const finishedOf = (prepared: Prepared | Promise<Prepared> | undefined) =>
  prepared instanceof Promise ? undefined : prepared

/** What a paste answers, in four forms; of a limited one nothing but how to read it. */
export const createPasteAnswers = ({
  pastes,
  counts,
  program,
  ...parts
}: PasteAnswersParts): PasteAnswers => {
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

  /** Makes it only for who wants a body and has none. */
  const send = async (request: Request, paste: StoredPaste, plan: Plan) => {
    const { headers, etag, finished, bytes, make } = plan
    if (finished) return read(request, paste, finished)
    if (isHeldBy(request, etag)) {
      count(request, paste)
      return answerNotModified(headers, etag)
    }
    if (request.method === 'HEAD') return answerHead(headers, etag, bytes)
    return read(request, paste, await make())
  }

  const sendForm =
    (form: Form): Answer =>
    async (request, paste) => {
      if (pastes.isLimited(paste)) throw limitedPaste(paste)
      const revision = await revisionOf(paste)
      const etag = tags.form(revision, form)
      return send(request, paste, {
        headers: formHeaders[form],
        etag,
        finished: forms.find(revision, form),
        ...(form === 'raw' && { bytes: Buffer.byteLength(paste.text) }),
        make: () => forms.make(revision, paste, form, etag),
      })
    }

  const planPage = async (
    request: Request,
    paste: StoredPaste,
    asked: Pick<PageAsked, 'language' | 'nearest'>,
  ): Promise<Plan> => {
    const revision = await revisionOf(paste)
    const view = { paste, ...asked }
    const etag = tags.page(revision, view)
    const coding = codingOf(request)
    const body = renderer.find(revision, view)
    return {
      headers: codedHeaders(pastePageHeaders, coding),
      etag: codedTag(etag, coding),
      finished: finishedOf(body?.coded[coding]),
      make: async () => encoded(request, body ?? (await renderer.render(revision, { ...view, etag }))),
    }
  }

  /** A page that few ask for. While too much of those is out, the paste's own, which all share. */
  const sendAsked = async (request: Request, paste: StoredPaste, plan: Plan): Promise<Response> => {
    if (isHeldBy(request, plan.etag) || request.method === 'HEAD') return send(request, paste, plan)
    const prepared = plan.finished ?? (await plan.make())
    if (bytesOf(prepared) <= mostUncounted) return read(request, paste, prepared)
    const lent = lend(prepared.body as Blob)
    if (!lent) return send(request, paste, await planPage(request, paste, { language: paste.language }))
    count(request, paste)
    return new Response(lent, prepared.whole)
  }

  const sendPage: Answer = async (request, paste) => {
    const { nearest, ...asked } = languageAsked(request)
    const language = renderer.languageOf(paste, asked.language)
    if (pastes.isLimited(paste)) return limitedPastePage(paste, nearest !== undefined)
    const plan = await planPage(request, paste, { language, ...(nearest !== undefined && { nearest }) })
    const isShared = language === paste.language && nearest === undefined
    return isShared ? send(request, paste, plan) : sendAsked(request, paste, plan)
  }

  return {
    page: sendPage,
    json: sendForm('json'),
    haste: sendForm('haste'),
    raw: sendForm('raw'),
    hotRaw: (id, request) => {
      const paste = pastes.peek(id)
      const prepared = paste && forms.peekRaw(paste)
      return prepared && read(request, paste, prepared)
    },
    hot: (id, request) => {
      const paste = pastes.peek(id)
      const page = paste && preferredForm(request) === 'page' ? renderer.peek(paste) : undefined
      const prepared = page && finishedOf(encoded(request, page))
      return paste && prepared && read(request, paste, prepared)
    },
  }
}
