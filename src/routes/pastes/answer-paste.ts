import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { LimitedPage } from '../../../views/limited-page.tsx'
import type { Plain } from '../../../views/paste-props.ts'
import { createCollector } from '../../collector.ts'
import { forbidden, invalid, methodNotAllowed } from '../../errors.ts'
import { publicName } from '../../format.ts'
import type { Highlighter } from '../../highlight/highlighter.ts'
import { isCut, renderPlain } from '../../highlight/lines.ts'
import { escapeText, piecesOf } from '../../highlight/show-text.ts'
import {
  answer,
  answerHead,
  answerNotModified,
  createFlights,
  isHeldBy,
  json,
  jsonHeaders,
  negotiated,
  type Prepared,
  page,
  prepare,
  rawHeaders,
  redirectHeaders,
  revalidate,
} from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { type AnswerByName, discardBody } from '../../http/listen.ts'
import { createLending, type Pools, tooManyLent } from '../../http/memory.ts'
import {
  blobOf,
  codedHeaders,
  codedTag,
  codingOf,
  encoded,
  isBrowser,
  preferredForm,
} from '../../http/negotiate.ts'
import type { Origin } from '../../http/origin.ts'
import { type NamedContext, nothingHere } from '../../http/routes.ts'
import { isVisit } from '../../http/visits.ts'
import { createView } from '../../items/field.ts'
import { pasteTable, type StoredPaste } from '../../items/paste.ts'
import type { HasteDocument } from '../../items/schema.ts'
import { grepProblem, parseLineRange, partOf, rangeRule, type TextPart } from '../../items/text/text-part.ts'
import type { Counts } from '../../services/counts.ts'
import type { Pastes } from '../../services/pastes.ts'
import {
  createPasteRenderer,
  createPasteTags,
  type Fitted,
  type Form,
  feasible,
  fitted,
  isOfFew,
  type PageAsked,
  type PasteRendererParts,
  type PasteTags,
  type PasteTagsParts,
  pageAsked,
  pastePageHeaders,
  revisionOf,
  sourcePage,
  unfitting,
  usualPage,
  viewOf,
  withoutColours,
} from './paste-page.ts'

/**
 * The page in front of a paste that burns after reading. Its button POSTs to the same address, `?lang=` included.
 * @param isMistyped true for an unknown `?lang=`: the button leaves it out, because POST refuses it
 */
const burningPastePage = (siteAt: SiteAt, { readsLeft = 0 }: StoredPaste, isMistyped: boolean) =>
  page(
    LimitedPage({
      site: siteAt('../'),
      kind: 'paste',
      left: readsLeft,
      ...(isMistyped && { action: '?' }),
    }) as string,
  )

/** The error for programs that do not send POST. */
export const burningPaste = ({ id }: StoredPaste) =>
  forbidden(
    `This paste burns after reading: each read counts. Send POST to /p/raw/${id} to read it, or open /p/${id} in a browser.`,
  )

export type PasteAnswersParts = PasteRendererParts &
  PasteTagsParts & {
    pastes: Pick<Pastes, 'peek' | 'find' | 'isBurning' | 'consume'>
    counts: Pick<Counts, 'add'>
    pools: Pick<Pools, 'keyless'>
  }

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
  parts: PasteAnswersParts,
) => {
  const renderer = createPasteRenderer(parts)
  const lend = createLending(parts.pools.keyless)

  /** A page that few clients ask for. While too many are in flight, sends the text in the paste's own language. */
  const sendAsked = async (request: Request, { revision, paste, show }: PageAsked, plan: Plan) => {
    const headers = sendHeaders(request, paste, plan)
    if (headers) return headers
    const lent = lend(await plan.make())
    if (!lent && show) throw tooManyLent()
    if (!lent) return sendPage(request, sourcePage(paste, revision))
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
const hasteId = (name: string) => name.split('.')[0] ?? ''

/**
 * Serves a paste in four forms. For one that burns after reading, it only says how to read it. Answers from memory are
 * sent in the same turn, without `await`.
 */
export const createPasteAnswers = (parts: PasteAnswersParts) => {
  const { pastes } = parts
  const sender = createSender(parts.counts)
  const tags = createPasteTags(parts)
  const formAnswer = createFormAnswers(sender, tags)
  const pageAnswer = createPageAnswer(sender, tags, parts)
  const consumeIn = createConsumption(parts)

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
    /** `POST /p/<name>` */
    consume: async ({ name, request, server }: NamedContext) =>
      consumeIn(preferredForm(request), { name, request, server }),
    /** `POST /p/raw/<name>` */
    consumeRaw: async ({ name, request, server }: NamedContext) =>
      consumeIn('raw', { name, request, server }),
  }
}

export type PasteAnswers = ReturnType<typeof createPasteAnswers>

/** Memory for finished answers: about 2,000 texts of 4 KB. */
const cacheBytes = 8 * 1024 ** 2

/** What falls out of the cache goes before the runtime notices: eight readers of eight texts of 1 MiB took 117 MB, and take 31. */
const bytesPerCollection = cacheBytes

/** JSON of this size blocks the server for at most 2 ms. */
const jsonPieceChars = 128 * 1024

const formHeaders = {
  raw: { ...rawHeaders, ...negotiated },
  json: { ...jsonHeaders, ...negotiated },
  haste: { ...jsonHeaders, ...revalidate },
} as const satisfies Record<Form, Record<string, string>>

/** The fields of a paste that any reader may see. */
const publicPaste = createView(pasteTable, 'public')

const hasteDocument = ({ id, text }: StoredPaste): HasteDocument => ({ key: id, data: text })

/** Yields the JSON of `emptied` with `text` as its empty field. Other requests get a turn in between. */
async function* jsonPieces(emptied: object, field: string, text: string) {
  // Unique: inside a string, a quote follows a backslash.
  const empty = `"${field}":""`
  const [before = '', after = ''] = JSON.stringify(emptied).split(empty)
  yield `${before}"${field}":"`
  for (const piece of piecesOf(text, jsonPieceChars)) {
    yield JSON.stringify(piece).slice(1, -1)
    await nextTurn()
  }
  yield `"${after}`
}

const jsonOf = async (paste: StoredPaste, form: 'json' | 'haste'): Promise<Blob> => {
  const { text } = paste
  const emptied = { ...paste, text: '' }
  const body = form === 'json' ? publicPaste(emptied) : hasteDocument(emptied)
  return blobOf(jsonPieces(body, form === 'json' ? 'text' : 'data', text))
}

/** Caches finished answers, limited by bytes. Each is made once, however many clients ask, and slow readers share it. */
const createPasteForms = () => {
  const finished = new LRUCache<string, Prepared>({
    maxSize: cacheBytes,
    // A larger answer replaces the whole cache.
    sizeCalculation: ({ body }) => Math.min(cacheBytes, (body as Blob).size + 500),
  })
  const { shared } = createFlights<Prepared>()
  const { made } = createCollector(bytesPerCollection)
  const keyOf = (revision: string, form: Form) => (form === 'raw' ? revision : `${revision}/${form}`)

  const keep = (key: string, form: Form, etag: string, body: Blob) => {
    const prepared = prepare(body, { headers: formHeaders[form], etag })
    finished.set(key, prepared)
    made(body.size)
    return prepared
  }

  return {
    find: (revision: string, form: Form) => finished.get(keyOf(revision, form)),

    make: (revision: string, paste: StoredPaste, form: Form, etag: string): Prepared | Promise<Prepared> => {
      const key = keyOf(revision, form)
      if (form === 'raw') return keep(key, form, etag, new Blob([paste.text]))
      return shared(key, async () => keep(key, form, etag, await jsonOf(paste, form)))
    },
  }
}

const onlyValue = (query: URLSearchParams, name: string) => {
  const [value, ...others] = query.getAll(name)
  if (others.length > 0) throw invalid(`"${name}" is given more than once`)
  return value
}

const readPart = (query: URLSearchParams): TextPart | undefined => {
  const [range, grep] = [onlyValue(query, 'lines'), onlyValue(query, 'grep')]
  const lines = range === undefined ? undefined : parseLineRange(range)
  if (range !== undefined && !lines) throw invalid(`"lines" ${rangeRule}`)
  const problem = grep === undefined ? undefined : grepProblem(grep)
  if (problem !== undefined) throw invalid(`"grep" ${problem}`)
  return lines || grep !== undefined ? { lines, grep } : undefined
}

/** The part of a text in the address of a request; `undefined` for the whole. @throws {AppError} `invalid` */
const partAsked = ({ url }: Request): TextPart | undefined =>
  url.includes('?') ? readPart(new URL(url).searchParams) : undefined

/** Shorter texts are searched at once. */
const partPieceChars = 64 * 1024

async function* encodedPieces(text: string, part: TextPart) {
  const encoder = new TextEncoder()
  for (const piece of partOf(text, part)) {
    for (const sent of piecesOf(piece, partPieceChars)) yield encoder.encode(sent)
    await nextTurn()
  }
}

/**
 * The body of an answer with a part of a text. Of a longer text it is made while it is sent, so other requests get a turn,
 * and slow readers hold a piece each. None is kept: there are too many parts of a text.
 */
const partBody = (text: string, part: TextPart): string | ReadableStream => {
  if (text.length <= partPieceChars) return [...partOf(text, part)].join('')
  const pieces = encodedPieces(text, part)
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next()
        if (value) controller.enqueue(value)
        if (!done) return
        // Answers of 1 MiB in a row took 146 MB without it, and 46 with it.
        Bun.gc(true)
        controller.close()
      },
      cancel: () => void pieces.return(undefined),
    },
    { highWaterMark: 0 },
  )
}

const consumedRaw = ({ text }: StoredPaste, part?: TextPart) =>
  new Response(part ? partBody(text, part) : text, {
    headers: { ...rawHeaders, 'Cache-Control': 'no-store' },
  })

/** The lines of a consumed paste, what they show, and the reason if something is missing. */
const consumedLines = async (
  highlighter: Highlighter,
  { text, language: own }: StoredPaste,
  language: string,
  { show, ignored }: Fitted,
) => {
  const job = { text, language, ...(show && { show }) }
  const left = { ...(ignored && { ignored }) }
  const without = async (why?: Plain) => ({
    lines: await renderPlain(text, language),
    ...left,
    ...(why && withoutColours(why, show)),
  })
  if (language === 'text' && !show) return without()
  const possible = feasible(highlighter, job)
  if (!possible) return without('large')
  const { lines, isFailed } = await highlighter.highlight(possible, language === own)
  if (!lines) return without(isFailed ? 'failed' : 'late')
  return { lines, ...left, ...(show && { show }), ...(possible !== job && { plain: 'large' as const }) }
}

/** Consumes a read and sends what was read. No cache may keep it, neither ours nor any other, so there is no entity tag. */
const createConsumption = ({ pastes, highlighter, siteAt }: PasteAnswersParts) => {
  const site = siteAt('../')

  return async (form: 'page' | 'json' | 'raw', { name, request }: NamedContext) => {
    discardBody(request)
    // Both throw for a wrong query before a read is consumed.
    const query = form === 'page' ? pageAsked(request) : {}
    const part = form === 'raw' ? partAsked(request) : undefined
    const stored = await pastes.consume(name)
    if (!stored) throw methodNotAllowed('GET, HEAD, OPTIONS')
    const paste = { ...stored, readsLeft: (stored.readsLeft ?? 1) - 1 }
    if (form === 'json') return json(publicPaste(paste))
    if (form === 'raw') return consumedRaw(paste, part)
    const language = query.language ?? paste.language
    const { lines, ...shown } = await consumedLines(highlighter, paste, language, fitted(query, language))
    // Sends the raw text if the page would show only a part: the paste may be deleted by now.
    if (isCut(lines)) return consumedRaw(paste)
    return page([...viewOf(site, { paste, language, ...shown }, lines)].join(''))
  }
}

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
    return redirectToPage(origin.addresses({ request, server }).paste(publicName(paste)))
  }

export const redirectToPage = (url: string) =>
  new Response(`<a href="${escapeText(url)}">Found</a>\n`, {
    status: 302,
    headers: { ...redirectHeaders, Location: url },
  })
