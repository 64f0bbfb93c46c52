import { LRUCache } from 'lru-cache'
import { EditPage } from '../../../views/edit-page.tsx'
import type { Typed } from '../../../views/form-props.ts'
import { HomePage, type HomePageProps } from '../../../views/home-page.tsx'
import { ItemsPage } from '../../../views/items-page.tsx'
import type { Tab } from '../../../views/layout.tsx'
import type { ResultProps } from '../../../views/result.tsx'
import { AppError, type FormProblem } from '../../errors.ts'
import { asSentence, expiryFacts, languageText, usesText } from '../../format.ts'
import { languageChoices, languageName } from '../../highlight/languages/languages.ts'
import { escapeText, piecesOf } from '../../highlight/show-text.ts'
import { addressAnswer, createFlights, deletionOf, page, pageHeaders } from '../../http/answers.ts'
import type { SiteAt } from '../../http/assets.ts'
import { formLimit } from '../../http/body.ts'
import { statusOf } from '../../http/errors.ts'
import { createFormReader, type Fields, type Form, isMultipart, isUrlencoded } from '../../http/forms.ts'
import { createKeptText, type Pools } from '../../http/memory.ts'
import { blobOf, isBrowser } from '../../http/negotiate.ts'
import type { Addresses, Origin } from '../../http/origin.ts'
import type { RequestContext } from '../../http/routes.ts'
import type { Identify, KeyChecks, Keyless, Sender } from '../../http/who.ts'
import { sentRows } from '../../items/field.ts'
import { versionOf } from '../../items/ids.ts'
import { LinkChange, type StoredLink } from '../../items/link.ts'
import { pasteName } from '../../items/name.ts'
import { PasteChange, pasteTable, type StoredPaste } from '../../items/paste.ts'
import type { LifetimeChoice } from '../../services/options.ts'
import type { Pastes } from '../../services/pastes.ts'
import type { ProtocolName } from '../../settings/values.ts'
import { shellWord } from '../../shell-words.ts'
import { createForeign } from '../compatible/fields.ts'
import type { KeyItemHandlers } from '../items/own-items.ts'
import type { LinkCreation } from '../links/links.ts'
import { burningPaste } from '../pastes/answer-paste.ts'
import type { PasteCreation } from '../pastes/create-paste.ts'
import {
  bodyOf,
  checkFields,
  controlOf,
  controls,
  type Kind,
  kindOf,
  suggestedIn,
  tabOf,
  typedOf,
} from './form-fields.ts'

export type HomeParts = HomePagesParts &
  Pick<KeyChecks, 'guard' | 'identify' | 'uploadKey'> & {
    keyless: Pick<Keyless, 'sender'>
    pools: Pools
    origin: Pick<Origin, 'own' | 'addressesAt'>
    protocols: ReadonlySet<ProtocolName>
    /** Milliseconds since the epoch. */
    now: () => number
  }

/** Strangers share some memory until a key arrives, guests some more, and users count by their names. */
const poolOf = { none: 'keyless', guest: 'keyed', user: undefined } as const

const tooLongToReturn = 'What you typed is too long to be sent back. Go back: it is still there.'

const isKnownBy = (identify: Identify, context: RequestContext) => (key: string) =>
  identify(context, key).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.kind === 'unauthorized') return false
      throw error
    },
  )

/** What a key made, or what is found of it, for browsers without JavaScript. A next page would need the key again. */
const createItemsPage =
  ({ identify, siteAt }: Pick<HomeParts, 'identify' | 'siteAt'>, { pastes, links }: KeyItemHandlers) =>
  /** @throws {AppError} `unauthorized`, `invalid`; storage errors */
  async (context: RequestContext, { key, q = '', sort = '' }: Fields): Promise<Response> => {
    const holder = await identify(context, key ?? null)
    const query = (uses: string) => new URLSearchParams({ q, sort: sort === 'uses' ? uses : sort })
    const found = await Promise.all([
      pastes.rows({ ...context, holder }, query('reads')),
      links.rows({ ...context, holder }, query('visits')),
    ])
    const typed = { q: q.trim(), sort }
    return page(
      ItemsPage({
        site: siteAt('./'),
        owner: holder.name,
        typed,
        pastes: found[0],
        links: found[1],
      }) as string,
    )
  }

/** The page of a form that was refused: what was typed, and the problem at its field. */
const createRefusals =
  (pages: ReturnType<typeof createHomePages>) =>
  (sent: Form, error: AppError, sender: Sender | undefined) => {
    const form = kindOf(sent.fields)
    const { typed, isCut } = typedOf(sent)
    const { field, message, value }: FormProblem = error.problem ?? error
    const name = controlOf(form, field)
    const problem = { field: name, message: `${asSentence(message)}${isCut ? ` ${tooLongToReturn}` : ''}` }
    const shown = name && value !== undefined ? { ...typed, [name]: value } : typed
    const html = pages.filled(shown, tabOf(sent.fields), { form, problem }, sender)
    return page(html, statusOf(error), { ...homeHeaders(sender), ...error.headers })
  }

/** What `curl http://nas/` prints: the commands for its own address. */
const usageAt = ({ baseUrl, publicUrl }: Addresses, name: string, isKeyless: boolean) => {
  const curl = `curl${isKeyless ? '' : " -H 'key: YOUR_API_KEY'"}`
  const at = (path: string) => shellWord(`${baseUrl}/${path}`)
  return `${name}: pastes and short links, at ${publicUrl}

A file as a paste:     ${curl} -T notes.txt ${at('')}
An output as a paste:  ls -l | ${curl} -T - ${at('')}
Gone after one read:   ${curl} -T notes.txt ${at('?maxReads=1&expiresIn=1d')}
A short link:          ${curl} --json '{"url":"https://example.org/"}' ${at('shortener')}
The text of a paste:   curl ${shellWord(`${publicUrl}/p/raw/`)}ID

Each paste is answered with its address. Options, errors and all else: ${publicUrl}/docs
`
}

/** `GET /` for programs: the page would be 40 KB of HTML on a terminal. */
const createUsage = ({ origin, siteAt }: Pick<HomeParts, 'origin' | 'siteAt'>) => {
  const headers = { ...startHeaders(undefined), 'Content-Type': 'text/plain; charset=utf-8' }
  const usageFor = (isKeyless: boolean) =>
    createKeptText(headers, (own) => usageAt(origin.addressesAt(own), siteAt('./').name, isKeyless))
  const [withKey, keyless] = [usageFor(false), usageFor(true)]
  return (context: RequestContext, sender: Sender | undefined) =>
    (sender ? keyless : withKey)(context.request, origin.own(context))
}

/** True for what asks for `text/html`, and for the addresses of forms that are filled with an item. */
const wantsPage = (request: Request) => isBrowser(request) || /[?&](?:from|edit)=/.test(request.url)

/** A key that makes short links only may send a form, which may ask for one. */
const createUploadGuard =
  ({ guard }: Pick<HomeParts, 'guard'>) =>
  async (context: RequestContext, key: string | null) => {
    try {
      return await guard(context, key, 'paste')
    } catch (error) {
      const type = context.request.headers.get('content-type') ?? ''
      const isForm = isMultipart(type) || isUrlencoded(type)
      if (!isForm || !(error instanceof AppError) || error.kind !== 'forbidden') throw error
      return guard(context, key, 'shorten')
    }
  }

/**
 * `GET /` is the start page. `POST /` takes its form from browsers without JavaScript, or an upload: with a key header, from
 * programs with a bearer token, and from programs that need no key.
 */
export const createHome = (
  parts: HomeParts,
  pastes: PasteCreation,
  links: LinkCreation,
  own: KeyItemHandlers,
) => {
  const { guard, identify, uploadKey, keyless, maxPasteBytes, pools, now } = parts
  const foreign = createForeign(parts.protocols)
  const readForm = createFormReader({ maxBytes: formLimit(maxPasteBytes), pools })
  const pages = createHomePages(parts)
  const usage = createUsage(parts)
  const listItems = createItemsPage(parts, own)
  const refused = createRefusals(pages)

  const create = async (context: RequestContext, sent: Fields, sender: Sender | undefined) => {
    const { request } = context
    const isLink = foreign.isLink(sent)
    const holder = await guard(context, sent.key ?? null, isLink ? 'shorten' : 'paste')
    const fields = foreign.own(sent, request.headers, now()) as Fields
    checkFields(fields, isBrowser(request))
    const created = await (isLink ? links : pastes).store(context, bodyOf(fields), holder)
    const { answer } = created
    const url = 'shortendUrl' in answer ? answer.shortendUrl : answer.pasteUrl
    if (!isBrowser(request)) return addressAnswer(request, answer, url)
    // The page itself, because only who sent the form may see the deletion link: no address leads to it.
    const headers = { ...homeHeaders(sender), Location: url, ...deletionOf(answer) }
    return page(pages.created(created, url, sender), 201, headers)
  }

  const postForm = async (context: RequestContext) => {
    const sender = await keyless.sender(context)
    const isKnown = isKnownBy(identify, context)
    const sent = await readForm(context.request, {
      pool: poolOf[sender?.as ?? 'none'],
      isKnown,
      isBrowser: isBrowser(context.request),
    })
    try {
      if (sent.fields.create === 'items') return await listItems(context, sent.fields)
      return await create(context, sent.fields, sender)
    } catch (error) {
      if (!(error instanceof AppError) || statusOf(error) >= 500 || !isBrowser(context.request)) throw error
      return refused(sent, error, sender)
    }
  }

  return {
    postForm,

    show: async ({ request, server }: RequestContext) => {
      const sender = await keyless.sender({ request, server })
      return wantsPage(request) ? pages.answer(request, sender) : usage({ request, server }, sender)
    },

    post: async ({ request, server }: RequestContext) => {
      const context = { request, server }
      // A proxy may put a token of its own into what a browser sends.
      const key = isBrowser(request) ? request.headers.get('key') : uploadKey(context)
      const isForm = key === null && (isBrowser(request) || !(await keyless.sender(context)))
      if (isForm) return postForm(context)
      return pastes.upload({ ...context, holder: await createUploadGuard(parts)(context, key) })
    },
  }
}

export type HomePagesParts = {
  pastes: Pick<Pastes, 'find' | 'isBurning'>
  lifetimes: readonly LifetimeChoice[]
  /** Those of the page that changes an item. */
  changedLifetimes: readonly LifetimeChoice[]
  maxPasteBytes: number
  siteAt: SiteAt
  /** Makes a random word that cannot be guessed. */
  makeToken: () => string
}

/** One word for each sender. */
const wordOf = (sender: Sender | undefined) => (sender?.as === 'user' ? `user:${sender.name}` : sender?.as)

/** The fields that "Edit as new" copies, apart from the text. */
const contentOf = (paste: StoredPaste): Typed =>
  Object.fromEntries(
    sentRows(pasteTable).flatMap(([name, { isContent }]) => {
      const value = (paste as Readonly<Record<string, unknown>>)[name]
      return isContent && name !== 'text' && value !== undefined ? [[name, String(value)]] : []
    }),
  )

/** Escaping this many characters blocks the server for 1 ms. */
const pieceChars = 64 * 1024

/** Memory for forms filled with a paste. */
const maxCopiesBytes = 8 * 1024 ** 2

type Render = (extra: Partial<HomePageProps>) => string

/**
 * A form of a page without referrers has the origin `null`, as one of a hostile page may have. So the page of who needs no
 * key names itself to its own server.
 */
export const homeHeaders = (sender: Sender | undefined) =>
  sender ? { ...pageHeaders, 'Referrer-Policy': 'same-origin' } : pageHeaders

/** Programs get another answer at the same address. */
const startHeaders = (sender: Sender | undefined) => ({
  ...homeHeaders(sender),
  Vary: 'Accept, Accept-Encoding',
})

/** Empty pages that are kept, for each tab and sender; each takes 0.1 MB. */
const mostKept = 60

/** "Edit as new": the form, filled with a paste. */
const createCopies = (
  { pastes, makeToken }: Pick<HomePagesParts, 'pastes' | 'makeToken'>,
  render: Render,
) => {
  const { oneAtATime, shared } = createFlights<Blob>()
  /** By the paste's id and version; slow readers share a copy. */
  const copies = new LRUCache<string, Blob>({
    maxSize: maxCopiesBytes,
    // A larger copy replaces the whole cache.
    sizeCalculation: ({ size }) => Math.min(maxCopiesBytes, size),
  })

  function* pieces(typed: Typed, text: string, sender: Sender | undefined) {
    // Placeholder for the text; random, so no title can contain it.
    const place = makeToken()
    const [before = '', after = ''] = render({ typed: { ...typed, text: place }, sender }).split(place)
    yield before
    for (const piece of piecesOf(text, pieceChars)) yield escapeText(piece)
    yield after
  }

  /** @throws {AppError} `forbidden` for a paste that burns after reading */
  return async ({ method }: Request, name: string, sender: Sender | undefined) => {
    const paste = await pastes.find(name)
    if (pastes.isBurning(paste)) throw burningPaste(paste)
    const headers = homeHeaders(sender)
    if (method === 'HEAD') return new Response(null, { headers })
    const copy = `${paste.id} ${versionOf(paste)} ${wordOf(sender)}`
    const make = async () => {
      const body = await oneAtATime(() => blobOf(pieces(contentOf(paste), paste.text, sender)))
      copies.set(copy, body)
      return body
    }
    return new Response(copies.get(copy) ?? (await shared(copy, make)), { headers })
  }
}

/** What a form created. */
type Created = {
  item: StoredPaste | StoredLink
  /** Id or alias. */
  name: string
  answer: { deletionUrl?: string; language?: string }
}

/** The start page: empty, filled with what was typed or with a paste, or showing what was created. */
export const createHomePages = (parts: HomePagesParts) => {
  const { lifetimes, maxPasteBytes, siteAt } = parts
  const common = {
    site: siteAt('./'),
    controls,
    languages: languageChoices,
    lifetimes,
    maxBytes: maxPasteBytes,
  }
  const render: Render = (extra) => HomePage({ ...common, ...extra }) as string
  const copyOf = createCopies(parts, render)
  // The page contains no address, so it is the same for all of them.
  const emptyPages = new LRUCache<string, ReturnType<typeof createKeptText>>({ max: mostKept })
  const emptyFor = (sender: Sender | undefined, tab: Tab) => {
    const name = `${tab} ${wordOf(sender)}`
    const kept = emptyPages.get(name) ?? createKeptText(startHeaders(sender), () => render({ sender, tab }))
    emptyPages.set(name, kept)
    return kept
  }
  const edit = createEditPages(parts)

  /** The form as an address suggests it; `undefined` where that suggests nothing. */
  const suggested = ({ method }: Request, query: URLSearchParams, form: Kind, sender: Sender | undefined) => {
    const found = suggestedIn(query, form, lifetimes)
    if (!found) return undefined
    const headers = startHeaders(sender)
    if (method === 'HEAD') return new Response(null, { headers })
    const { typed, problem } = found
    const html = render({ typed, tab: form, sender, ...(problem && { failure: { form, problem } }) })
    return page(html, 200, headers)
  }

  const resultOf = ({ item, name, answer }: Created, url: string): ResultProps => {
    const { deletionUrl, language } = answer
    const kind = 'url' in item ? 'link' : 'paste'
    const left = 'url' in item ? item.visitsLeft : item.readsLeft
    return {
      site: siteAt('./'),
      kind,
      name: 'url' in item ? item.url : pasteName(item),
      ...{ url, deletionUrl },
      qr: `qr/${kind === 'paste' ? 'p' : 's'}/${name}`,
      ...expiryFacts(item),
      uses: usesText(kind, left),
      found: languageText(language, languageName(language ?? '')),
    }
  }

  return {
    /** The page, filled with what was typed. */
    filled: (typed: Typed, tab: Tab, failure: HomePageProps['failure'], sender: Sender | undefined) =>
      render({ typed, tab, sender, ...(failure && { failure }) }),

    /** The page with the addresses of what was created. */
    created: (created: Created, url: string, sender: Sender | undefined) => {
      const result = resultOf(created, url)
      return render({ result, tab: result.kind, sender })
    },

    /** `GET /`, `?link`, `?items`, with suggestions (`?text=…`, `?link&url=…`), or with `?from=<paste>`, `?edit=<paste>` or `?link&edit=<link>` */
    answer: async (request: Request, sender: Sender | undefined): Promise<Response> => {
      const query = request.url.includes('?') ? new URL(request.url).searchParams : undefined
      const from = query?.get('from')
      if (query?.has('edit')) return edit(query.has('link') ? 'link' : 'paste', sender)(request, '')
      if (from) return copyOf(request, from, sender)
      const tab = query?.has('link') ? 'link' : query?.has('items') ? 'items' : 'paste'
      const filled = query && tab !== 'items' ? suggested(request, query, tab, sender) : undefined
      return filled ?? emptyFor(sender, tab)(request, '')
    },
  }
}

type EditPagesParts = {
  changedLifetimes: readonly LifetimeChoice[]
  maxPasteBytes: number
  siteAt: SiteAt
}

const fields = { paste: PasteChange.properties, link: LinkChange.properties }

/**
 * The pages that change a paste or a short link. They are empty: a script asks for the item with the reader's key, or as the
 * user that a proxy names.
 */
export const createEditPages = ({ changedLifetimes, maxPasteBytes, siteAt }: EditPagesParts) => {
  const pageOf = (kind: Kind, sender?: Sender) =>
    createKeptText(
      pageHeaders,
      () =>
        EditPage({
          kind,
          site: siteAt('./'),
          controls: controls[kind].filter(({ field }) => Object.hasOwn(fields[kind], field)),
          languages: languageChoices,
          lifetimes: changedLifetimes,
          maxBytes: maxPasteBytes,
          sender,
          typed: {},
          problem: undefined,
        }) as string,
    )
  const kept = { paste: pageOf('paste'), link: pageOf('link') }
  return (kind: Kind, sender: Sender | undefined) =>
    sender?.as === 'user' ? pageOf(kind, sender) : kept[kind]
}
